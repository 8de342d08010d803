/** Computes a companion value from the source value, which the database has converted to text. */

import { foldText } from '../../schema/index.ts';
import { portableOrderKey } from '../../schema/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { CompanionColumn } from './plan.ts';

const instantForm = /^([0-9-]{10})[T ]([0-9:.]+)(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?$/;

/** The companion value, or `undefined` if the source value does not fit the field's kind. */
export function companionValue(companion: CompanionColumn, text: string): string | undefined {
  if (companion.role === 'folded') return foldText(text);
  const { field } = companion;
  try {
    return portableOrderKey(field, field.kind === 'datetime' ? isoInstant(text) : text);
  } catch (error) {
    if (error instanceof QueryError && error.code === 'FILTER_VALUE_INVALID') return undefined;
    throw error;
  }
}

/** Converts a database's form of an instant (a space for `T`, `+00` for `+00:00`, no offset for UTC) to ISO 8601. */
function isoInstant(text: string): string {
  const parts = instantForm.exec(text);
  if (parts === null) return text;
  const [, day, time, zone = 'Z'] = parts;
  const offset =
    zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  return `${day}T${time}${offset}`;
}
