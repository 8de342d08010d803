/**
 * Sends a job once for all requests with an `Idempotency-Key`. The id of the job is made of the key and the options, and
 * its data is in its row: both tell whether a later request has the same body, as long as the job is stored.
 */

import { BoardError, digestOf } from '../../core/index.ts';
import type { CommandStep } from './writable-schemas.ts';

const uuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The digits of ids that are equal for all jobs of a key, and those that the options decide. */
const [keyDigits, optionDigits] = [15, 15];

/** An id, the first and the last of those of the same key: UUIDs of version 8, whose content is free. */
function idsOf(queueName: string, key: string, options: object) {
  const ofKey = digestOf([queueName, key]).slice(0, keyDigits);
  const start = `${ofKey.slice(0, 12)}8${ofKey.slice(12)}8`;
  return {
    id: uuid(start + digestOf(options).slice(0, optionDigits)),
    first: uuid(start + '0'.repeat(optionDigits)),
    last: uuid(start + 'f'.repeat(optionDigits)),
  };
}

/**
 * Locks the key until the transaction ends.
 *
 * @returns the id for the job, and whether it is stored already
 * @throws {BoardError} IDEMPOTENCY_KEY_REUSED when a job of another body has the key
 */
export async function lockKey(
  { schema }: CommandStep,
  queueName: string,
  key: string,
  data: unknown,
  options: object,
): Promise<{ readonly id: string; readonly isSent: boolean }> {
  const { id, first, last } = idsOf(queueName, key, options);
  const ask = (text: string, values: unknown[]) =>
    schema.read((session) => session.query(text, values));
  await ask(`select pg_advisory_xact_lock(hashtext('sluice:idempotency'), hashtext($1))`, [
    `${schema.name} ${first}`,
  ]);
  // A statement of its own, so that it sees what was committed before the lock.
  const [sent] = await ask(
    `select id = $4::uuid and coalesce(data, 'null') = $5::jsonb as same from "${schema.name}".job
      where name = $1 and id between $2::uuid and $3::uuid`,
    [queueName, first, last, id, JSON.stringify(data ?? null)],
  );
  if (sent && sent['same'] !== true) throw new BoardError('IDEMPOTENCY_KEY_REUSED');
  return { id, isSent: sent !== undefined };
}
