/** Fields that a client's result extensions compute: the client gives no stored values for them. */

interface ResultExtensions {
  getAllComputedFields?(model: string): object | undefined;
}

const none: ReadonlySet<string> = new Set();
/** Per list of extensions, which a client and its transactions share. */
const known = new WeakMap<object, Map<string, ReadonlySet<string>>>();

/** Paths of a model's fields that result extensions of the client compute; `model` is the client's name of it. */
export function rewrittenFields(client: object, model: string): ReadonlySet<string> {
  const extensions = (client as { readonly _extensions?: ResultExtensions })._extensions;
  if (typeof extensions?.getAllComputedFields !== 'function') return none;
  let byModel = known.get(extensions);
  if (!byModel) known.set(extensions, (byModel = new Map()));
  let fields = byModel.get(model);
  if (!fields) {
    fields = new Set(Object.keys(extensions.getAllComputedFields(model) ?? {}));
    byModel.set(model, fields);
  }
  return fields;
}
