/** A JSON Schema as a list of its members, with their types and meanings. */

import { t } from '../i18n/index.ts';
import { componentOf, resolve } from './document.ts';
import type { OpenApiDocument, Schema } from './document.ts';
import { Words } from './words.tsx';
import style from './reference.module.css';

/** Members within members that are shown; deeper ones are named only. */
const mostDepth = 5;

/** Values of an enumeration that are listed. */
const mostValues = 40;

/** The type in a few words, such as `array of PgqJob`. */
export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const name = schema.$ref === undefined ? undefined : componentOf(schema.$ref);
  const { type, items, anyOf, oneOf, allOf, format, const: fixed } = resolve(document, schema);
  if (name !== undefined) return name;
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (type === 'array')
    return t('reference.arrayOf', { type: items ? typeOf(document, items) : '' });
  const kinds = anyOf ?? oneOf;
  if (kinds) return [...new Set(kinds.map((each) => typeOf(document, each)))].join(' | ');
  if (allOf) return typeOf(document, allOf[0] ?? {});
  const plain =
    (Array.isArray(type) ? type.join(' | ') : (type as string | undefined)) ?? t('reference.any');
  return format === undefined ? plain : `${plain} (${format})`;
}

/** The object whose members are to be shown: itself, those of an array, or the only kind that is one. */
function objectOf(document: OpenApiDocument, given: Schema): Schema | undefined {
  const schema = resolve(document, given);
  if (schema.properties) return schema;
  if (schema.items) return objectOf(document, schema.items);
  const kinds = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).flatMap(
    (each) => objectOf(document, each) ?? [],
  );
  return kinds[0];
}

function Values({ schema }: { readonly schema: Schema }) {
  const values = schema.enum ?? schema.items?.enum;
  const { minimum, maximum, default: standard } = schema;
  const parts = [
    standard === undefined
      ? undefined
      : t('reference.default', { value: JSON.stringify(standard) }),
    minimum === undefined ? undefined : `≥ ${minimum}`,
    maximum === undefined ? undefined : `≤ ${maximum}`,
  ].filter((part) => part !== undefined);
  return (
    <>
      {values && (
        <span className={style['values']}>
          {values.slice(0, mostValues).map((value) => (
            <code key={String(value)}>{String(value)}</code>
          ))}
          {values.length > mostValues && '…'}
        </span>
      )}
      {parts.length > 0 && <span className={style['limits']}>{parts.join(', ')}</span>}
    </>
  );
}

/** A member or parameter: name, type, meaning. */
export function Member({
  document,
  name,
  schema,
  required,
  description,
  within = [],
}: {
  readonly document: OpenApiDocument;
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description?: string | undefined;
  /** The components that this is a part of: one of them is not shown again. */
  readonly within?: readonly string[];
}) {
  const whole = resolve(document, schema);
  const text = description ?? whole.description;
  return (
    <li>
      <code className={style['name']}>{name}</code>{' '}
      <span className={style['type']}>{typeOf(document, schema)}</span>
      {required && <span className={style['required']}>{t('reference.required')}</span>}
      {text !== undefined && (
        <span className={style['meaning']}>
          <Words text={text} />
        </span>
      )}
      <Values schema={whole} />
      <Members document={document} schema={schema} within={within} />
    </li>
  );
}

/** The members of a schema, as deep as is worth showing. */
export function Members({
  document,
  schema,
  within = [],
}: {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
  readonly within?: readonly string[];
}) {
  const name = schema.$ref ?? schema.items?.$ref;
  const object = objectOf(document, schema);
  const entries = Object.entries(object?.properties ?? {});
  if (!object || entries.length === 0 || within.length >= mostDepth) return null;
  if (name !== undefined && within.includes(name)) return null;
  const inside = [...within, name ?? ''];
  return (
    <ul className={style['members']}>
      {entries.map(([key, each]) => (
        <Member
          key={key}
          document={document}
          name={key}
          schema={each}
          required={object.required?.includes(key) ?? false}
          within={inside}
        />
      ))}
    </ul>
  );
}
