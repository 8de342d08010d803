/** The fields of a form over a JSON text: which members it offers, and what each shows and writes. */

import { memberAt, membersOf } from './members.ts';
import type { Path } from './members.ts';
import { resolved, typesOf } from './schema.ts';
import type { Schema } from './schema.ts';

export interface DataField {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly kind: 'text' | 'number' | 'choice';
  /** JSON texts to choose from. */
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  /** Shows and reads a number that people write in another form. */
  readonly form?: NumberForm | undefined;
}

export interface NumberForm {
  /** The text of a number as JSON. */
  readonly print: (raw: string) => string;
  /** The number as JSON; undefined for a text that is none. */
  readonly parse: (text: string) => string | undefined;
  /** The text for one that cannot be read. */
  readonly problem: string;
}

/** A field for a member as it was when the form was shown. */
export interface OfferedField extends DataField {
  readonly id: string;
  /** The JSON of an emptied field; undefined leaves the member out. */
  readonly empty: string | undefined;
  readonly isLong: boolean;
}

/** Fields of a form, nesting of their members, and characters of data that a form is made for. */
const [mostFields, deepest, longest] = [40, 3, 200_000];

/** A number as JSON writes it. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The field for a member that a schema describes; undefined for one that is left to the text. */
function fieldOf(schema: Schema, path: Path): DataField | undefined {
  const { types, isNullable } = typesOf(schema);
  const [type] = types;
  const members = schema.const === undefined ? schema.enum : [schema.const];
  const { isRequired = false } = path.at(-1) ?? {};
  const field = {
    path,
    label: schema.title ?? path.map(({ name }) => name).join('.'),
    hint: schema.description,
    isRequired,
    choices: [],
  };
  const chosen = members ?? (types.length === 1 && type === 'boolean' ? [true, false] : undefined);
  if (chosen?.every(isScalar)) {
    const all = isNullable ? [...chosen, null] : chosen;
    return {
      ...field,
      kind: 'choice',
      choices: [...new Set(all.map((each) => JSON.stringify(each)))],
    };
  }
  if (types.length === 1 && type === 'string') return { ...field, kind: 'text' };
  const isNumber =
    types.length > 0 && types.every((each) => each === 'number' || each === 'integer');
  return isNumber ? { ...field, kind: 'number' } : undefined;
}

/** The fields for the plain members that a schema describes, also for those of objects in it. */
export function fieldsOf(document: Schema, part = document, path: Path = []): readonly DataField[] {
  const { properties = {}, required = [] } = resolved(document, part);
  return Object.entries(properties)
    .flatMap(([name, inner]) => {
      const at = [...path, { name, isRequired: required.includes(name) }];
      const schema = resolved(document, inner);
      if (schema.properties) return at.length < deepest ? fieldsOf(document, inner, at) : [];
      return fieldOf(schema, at) ?? [];
    })
    .slice(0, mostFields);
}

/** Whether a field shows the member whole, so that what it writes is what was shown. */
function fits({ kind }: DataField, raw: string): boolean {
  if (kind === 'choice') return !/^[[{]/.test(raw);
  if (raw === 'null') return true;
  if (kind === 'number') return number.test(raw);
  // A text area writes each of them as a line feed.
  return raw.startsWith('"') && !String(JSON.parse(raw)).includes('\r');
}

/** The fields that a form offers for a text; undefined where it has to be edited as text. */
export function offer(
  fields: readonly DataField[],
  text: string,
): readonly OfferedField[] | undefined {
  const whole = text.trim() === '' ? '{}' : text;
  if (fields.length === 0 || text.length > longest || !membersOf(whole)) return undefined;
  const offered = fields.flatMap((field): OfferedField[] => {
    const raw = memberAt(whole, field.path);
    if (raw === null || (raw !== undefined && !fits(field, raw))) return [];
    const isText = field.kind === 'text' && (raw !== undefined || field.isRequired);
    return [
      {
        ...field,
        id: JSON.stringify(field.path.map(({ name }) => name)),
        empty: raw === 'null' ? raw : isText ? '""' : undefined,
        isLong: shownText(field, raw).includes('\n'),
      },
    ];
  });
  return offered.length > 0 ? offered : undefined;
}

/** The members that no field shows, by their paths. */
export function keptMembers(
  fields: readonly DataField[],
  text: string,
  path: readonly string[] = [],
): readonly string[] {
  const at = path.length;
  return [...(membersOf(text) ?? [])].flatMap(([name, raw]) => {
    const within = fields.filter((field) => field.path[at]?.name === name);
    if (within.some((field) => field.path.length === at + 1)) return [];
    const label = [...path, name];
    return within.length > 0 && raw.startsWith('{')
      ? keptMembers(within, raw, label)
      : [label.join('.')];
  });
}

/** The text of a member in its field. */
export function shownText({ form }: DataField, raw: string | undefined): string {
  if (raw === undefined || raw === 'null') return '';
  if (raw.startsWith('"')) return String(JSON.parse(raw));
  return form ? form.print(raw) : raw;
}

/** The member for what was written; a text that is not a number is kept as one, and not sent. */
export function writtenMember(
  { kind, form, empty }: OfferedField,
  text: string,
): string | undefined {
  if (text === '') return empty;
  if (kind === 'choice') return text;
  const read = form ? form.parse(text) : number.test(text) ? text : undefined;
  return kind === 'number' && read !== undefined ? read : JSON.stringify(text);
}

/** The first field whose text is not a number yet. */
export const unread = (fields: readonly OfferedField[], text: string): OfferedField | undefined =>
  fields.find(
    ({ kind, path }) =>
      kind === 'number' && memberAt(text.trim() === '' ? '{}' : text, path)?.startsWith('"'),
  );
