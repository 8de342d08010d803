/** Cursors at rows whose time no condition can name: `infinity`, and years outside 0001 to 9999, as PostgreSQL writes them. */

import type { QuerySource } from '../../../rules/index.ts';
import { kindRow } from '../../../schema/index.ts';

const written =
  /^(\d{4,6})-(\d\d)-(\d\d)[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?([+-])(?:0\d|1[0-5])(?::[0-5]\d){0,2}( BC)?$/;

/** The last year, and the first one that is complete. */
const [lastYear, firstYearBefore] = [294_276, 4_713];

/** The text, if PostgreSQL reads it as a time. Clients can forge cursors. */
function storedTime(text: string): string | undefined {
  if (text === 'infinity' || text === '-infinity') return text;
  const [, digits = '', month = '', day = '', sign, before] = written.exec(text) ?? [];
  const year = Number(digits);
  if (year < 1 || year > (before ? firstYearBefore : lastYear)) return undefined;
  // In UTC it would be in the next year.
  if (year === lastYear && sign === '-') return undefined;
  // Years have the same days every four centuries; 1 BC is the year 0.
  const date = new Date(0);
  date.setUTCFullYear(
    2_000 + ((before ? 8_001 - year : year) % 400),
    Number(month) - 1,
    Number(day),
  );
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isDay ? text : undefined;
}

const { coerce } = kindRow('datetime');

/** Accepts the times of rows in cursors. */
export const storedTimes: NonNullable<QuerySource['storedPosition']> = ({ target: { field } }) =>
  field?.kind === 'datetime' ? (text) => coerce(text) ?? storedTime(text) : undefined;
