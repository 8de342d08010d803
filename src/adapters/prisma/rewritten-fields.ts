/** Fields that result extensions of a client compute, so that the client does not return their stored values. */

import type { ProjectionNode } from '../../rules/index.ts';
import { extensionsOf } from './foreign.ts';

/** Cached per list of extensions, which a client shares with its transactions. */
const known = new WeakMap<object, Map<string, ReadonlySet<string>>>();

/** Paths of the fields that result extensions compute; `model` is the name of the model in the client. */
export function rewrittenFields(client: object, model: string): ReadonlySet<string> {
  const extensions = extensionsOf(client);
  let byModel = known.get(extensions);
  if (!byModel) known.set(extensions, (byModel = new Map()));
  let fields = byModel.get(model);
  if (!fields) {
    fields = new Set(Object.keys(extensions.getAllComputedFields(model) ?? {}));
    byModel.set(model, fields);
  }
  return fields;
}

/** Whether result extensions compute a field of a projection. */
export function isRewritten(client: object, { model, fields, relations }: ProjectionNode): boolean {
  const computed = rewrittenFields(client, model);
  if (computed.size > 0 && fields.some((path) => computed.has(path))) return true;
  return relations.some(({ node }) => isRewritten(client, node));
}
