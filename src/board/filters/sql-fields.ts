/** Values in JSON columns of PostgreSQL as computed fields, by the paths that a filter names. */

import type { ComputedFields } from '../../schema/index.ts';
import { partOf } from './values-in-json.ts';

/** Computed fields by name. */
type Computed = ComputedFields[string];

/** Fields that conditions alone may name. */
export const hidden = { nullable: true, internal: true } as const;

/** The value at a path whose names of letters, digits, `_` and single `-` stand in quotes. */
function expressionsOf(path: string): { readonly text: string; readonly number: string } {
  const [column = '', ...members] = path.split('.');
  const at = `({${column}}, ${members.map((member) => `'${member}'`).join(', ')})`;
  const [type, text] = [`jsonb_typeof(jsonb_extract_path${at})`, `jsonb_extract_path_text${at}`];
  return {
    text: `case when ${type} not in ('object', 'array') then ${text} end`,
    number: `case when ${type} = 'number' then (${text})::numeric end`,
  };
}

/** The computed fields for paths into JSON, and the name of the one that a path of a condition means. */
export function fieldsInJson(paths: readonly string[]): {
  readonly computed: Computed;
  readonly nameOf: (path: string) => string | undefined;
} {
  const fields = paths.flatMap((path, at) => {
    const { text, number } = expressionsOf(path);
    return [
      [`jsonText${at}`, { kind: 'string', sql: text, ...hidden }],
      [`jsonNumber${at}`, { kind: 'decimal', sql: number, ...hidden }],
    ] as const;
  });
  return {
    computed: Object.fromEntries(fields),
    nameOf(path) {
      const part = partOf(path);
      if (!part) return undefined;
      return `json${part.as === 'text' ? 'Text' : 'Number'}${paths.indexOf(part.path)}`;
    },
  };
}
