/** UUIDs that a column holds as 16 bytes: how they are bound and shown. */

import type { PlanValue } from '../../../rules/index.ts';
import type { PhysicalColumn } from '../physical.ts';
import type { Sql } from '../sql-text.ts';

/** Whether the column holds UUIDs as bytes. */
export const isUuidBytes = ({ storage }: Pick<PhysicalColumn, 'storage'>): boolean =>
  storage === 'uuid-bytes';

/** The bytes of a UUID. */
export const uuidBytes = (value: PlanValue): Buffer =>
  Buffer.from(String(value).replaceAll('-', ''), 'hex');

/** The text of 16 bytes; of another number of bytes, their hexadecimal digits in the same groups. */
export function uuidText(value: unknown): string {
  const hex = Buffer.from(value as Uint8Array).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The groups of a UUID's text, of the text of its 32 digits, with the dashes between them. */
export function uuidGroups(digits: Sql): readonly Sql[] {
  const group = (at: number, length: number): Sql => ['substr(', digits, `, ${at}, ${length})`];
  return [
    group(1, 8),
    "'-'",
    group(9, 4),
    "'-'",
    group(13, 4),
    "'-'",
    group(17, 4),
    "'-'",
    group(21, 12),
  ];
}
