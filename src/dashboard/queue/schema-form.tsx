/** Fields for the plain members of data that a JSON Schema describes; the text of the data is what counts. */

import { t } from '../i18n/index.ts';
import { Field, inputClass, TextField } from '../kit/dialogs/form.tsx';
import { layOut } from '../kit/json-text.ts';
import style from './queue.module.css';

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The members of the object by name, as texts; undefined for a text that is not one object. */
function membersOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let raw = '';
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (depth === 1 && token === ':' && raw === '') continue;
    if ((depth === 1 && token === ',') || depth === 0) {
      if (name !== undefined) members.set(name, raw);
      name = undefined;
      raw = '';
    } else if (name === undefined) name = JSON.parse(token) as string;
    else raw += token;
    if (token === '{' || token === '[') depth += 1;
  }
  return members;
}

/** The text with a member set, or left out where `raw` is undefined. */
function withMember(text: string, name: string, raw: string | undefined): string {
  const members = new Map(membersOf(text));
  if (raw === undefined) members.delete(name);
  else members.set(name, raw);
  const parts = Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`);
  return layOut(`{${parts.join(',')}}`);
}

interface Property {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

interface Described {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** A number as JSON writes it. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const typeOf = ({ type }: Property): string | undefined =>
  typeof type === 'string' ? type : type?.find((each) => each !== 'null');

const isPlain = (property: Property): boolean =>
  property.enum !== undefined ||
  ['string', 'number', 'integer', 'boolean'].includes(typeOf(property) ?? '');

export function SchemaForm({
  schema,
  data,
  onChange,
}: {
  readonly schema: unknown;
  readonly data: string;
  readonly onChange: (data: string) => void;
}) {
  const { properties = {}, required = [] } = (schema ?? {}) as Described;
  const fields = Object.entries(properties).filter(([, property]) => isPlain(property));
  const members = membersOf(data.trim() === '' ? '{}' : data);
  // A text that cannot be read is mended as text.
  if (fields.length === 0 || !members) return null;
  const set = (name: string, raw: string | undefined) => onChange(withMember(data, name, raw));
  return (
    <fieldset className={style['fields']}>
      <legend className="visually-hidden">{t('add.fields')}</legend>
      {fields.map(([name, property]) => {
        const raw = members.get(name);
        const label = `${property.title ?? name}${required.includes(name) ? ' *' : ''}`;
        const choices =
          property.enum ?? (typeOf(property) === 'boolean' ? [true, false] : undefined);
        if (choices) {
          return (
            <Field key={name} label={label} hint={property.description}>
              {(props) => (
                <select
                  {...props}
                  className={inputClass}
                  value={raw ?? ''}
                  onChange={({ target }) => set(name, target.value || undefined)}
                >
                  <option value="">–</option>
                  {choices.map((choice) => (
                    <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
                      {String(choice)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          );
        }
        const isText = typeOf(property) === 'string';
        const shown = raw?.startsWith('"') ? String(JSON.parse(raw)) : (raw ?? '');
        return (
          <TextField
            key={name}
            label={label}
            hint={property.description}
            value={shown}
            inputMode={isText ? 'text' : 'decimal'}
            error={!isText && shown !== '' && !number.test(shown) ? t('add.number') : undefined}
            onChange={({ target: { value } }) =>
              set(
                name,
                // A text that is not a number yet is kept, and the board refuses it.
                isText || (value !== '' && !number.test(value))
                  ? JSON.stringify(value)
                  : value || undefined,
              )
            }
          />
        );
      })}
    </fieldset>
  );
}
