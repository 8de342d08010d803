/**
 * JSON Schemas of drafts 4, 6, 7, 2019-09 and 2020-12 as validators, by Ajv. Ajv is loaded with the first schema,
 * because most boards have none.
 */

import type { Ajv, ErrorObject, Options } from 'ajv';
import { loadAjv } from './ajv.cjs';

/** The path of names and indexes to the first invalid part; `null` when the value is valid. */
type SchemaCheck = (value: unknown) => readonly string[] | null;

/** Keywords and formats that no draft has are annotations. Inherited properties do not count. */
const settings: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  code: { regExp: Object.assign(patternOf, { code: 'patternOf' }) },
};

/** A pattern; many are written without Unicode mode in mind and are invalid in it. */
function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch {
    return new RegExp(text);
  }
}

/** The same text for values that are equal in JSON Schema. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** One Ajv for each set of drafts that it can serve, newest first. */
function loadDrafts(): readonly Ajv[] {
  const { Ajv2020, Ajv2019, Ajv4, addFormats, metaSchemas } = loadAjv();
  const newest = new Ajv2020(settings);
  const older = [new Ajv2019(settings), new Ajv4(settings)];
  for (const schema of metaSchemas) older[0]?.addMetaSchema(schema);
  for (const ajv of older) {
    // An older draft ignores the keywords of newer ones, and would so accept jobs that the host excludes.
    for (const keyword of Object.keys(newest.RULES.all)) {
      if (ajv.RULES.keywords[keyword]) continue;
      const compile = () => {
        throw new Error(`The draft of the schema does not have the keyword "${keyword}"`);
      };
      ajv.addKeyword({ keyword, compile });
    }
  }
  return [newest, ...older].map((ajv) => {
    addFormats(ajv);
    // Ajv compares all pairs of items, which takes minutes for the longest lists that a request can hold.
    return ajv.removeKeyword('uniqueItems').addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (isOn: boolean, items: readonly unknown[]) =>
        !isOn || new Set(items.map(canonical)).size === items.length,
    });
  });
}

let drafts: readonly Ajv[] | undefined;

/**
 * Compiles a schema in the draft that its `$schema` names, otherwise in the newest draft that it fits.
 *
 * @throws {Error} when it fits no draft, or refers to another document
 */
export function compileSchema(schema: { readonly $schema?: unknown }): SchemaCheck {
  drafts ??= loadDrafts();
  const named = schema.$schema;
  const candidates =
    named === undefined ? drafts : drafts.filter((ajv) => ajv.getSchema(String(named)));
  const errors: unknown[] = [new Error('"$schema" must name a draft from 4 to 2020-12')];
  for (const ajv of candidates) {
    try {
      return compiled(ajv, schema);
    } catch (error) {
      errors.push(error);
    }
  }
  // The newest draft that applies explains best what is wrong.
  throw errors[1] ?? errors[0];
}

function compiled(ajv: Ajv, schema: object): SchemaCheck {
  try {
    const validate = ajv.compile({ ...schema, $async: false });
    const check: SchemaCheck = (value) => (validate(value) ? null : pathOf(validate.errors ?? []));
    // A schema that refers only to itself recurses endlessly.
    check(null);
    return check;
  } finally {
    // Another queue may have a different schema with the same `$id`.
    ajv.removeSchema();
  }
}

/** The last error is that of the outermost keyword that failed, except for `if`, whose branch says more. */
function pathOf(errors: readonly ErrorObject[]): readonly string[] {
  const error = errors.findLast(({ keyword }) => keyword !== 'if');
  const steps = (error?.instancePath ?? '').split('/').slice(1);
  const names: Readonly<Record<string, unknown>> = error?.params ?? {};
  const name =
    names['missingProperty'] ??
    names['additionalProperty'] ??
    names['unevaluatedProperty'] ??
    names['propertyName'];
  return [
    ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
    ...(name === undefined ? [] : [String(name)]),
  ];
}
