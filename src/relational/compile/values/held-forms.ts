/** Storage classes of column types, and the kinds that each class can hold. */

import type { FieldKind } from '../../../schema/index.ts';
import type { StorageForm } from '../physical.ts';

type Forms = { readonly [K in FieldKind]?: StorageForm };

/** `other`: a dedicated type such as `uuid` or `timestamp`, which holds its own kind natively. */
export type StorageClass = 'text' | 'integer' | 'blob' | 'other';

/** Storage form by kind; kinds that are absent cannot be stored. */
export const heldForms: Readonly<Record<Exclude<StorageClass, 'other'>, Forms>> = {
  text: {
    string: 'native',
    uuid: 'native',
    enum: 'native',
    date: 'native',
    datetime: 'iso-text',
    decimal: 'numeric-text',
    json: 'json-text',
  },
  integer: { integer: 'native', bigint: 'native', boolean: 'native', decimal: 'native' },
  blob: { binary: 'native', json: 'json-blob', uuid: 'uuid-bytes' },
};

/** The storage class of a type in a database with typed columns. */
export function storageClassOf(sqlType: string): StorageClass {
  const type = sqlType.toLowerCase();
  if (/\[|^enum\b/.test(type)) return 'other';
  if (/^(?:tiny|medium|long)?text\b|char\b|character\b|^citext\b/.test(type)) return 'text';
  if (/^(?:tiny|medium|long)?blob\b|^(?:var)?binary\b|^bytea\b/.test(type)) return 'blob';
  return /^(?:tiny|small|medium|big)?(?:int(?:eger)?\d?|serial)\b/.test(type) ? 'integer' : 'other';
}
