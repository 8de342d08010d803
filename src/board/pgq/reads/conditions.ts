/** The jobs that a sender may see as the text of a condition, for statements that no listing can say. */

import type { ReadSession } from '../connect/read-channel.ts';
import { runQuery } from '../../../rules/index.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { inQueues } from './job-rows.ts';

/** A text with its values. */
export interface Condition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statement that a read of ids sends, which is not sent. */
export async function statementOf(
  { connection, query }: ReadSession,
  read: (session: ReadSession) => Promise<unknown>,
): Promise<Condition> {
  const sent: Condition[] = [];
  const run = async ({ text }: { text: string }, values: readonly unknown[]) => {
    sent.push({ text, values });
    return [];
  };
  await read({ query, connection: { ...connection, run } });
  const [statement] = sent;
  if (!statement || sent.length > 1) throw new TypeError('A read of ids must be one statement.');
  return statement;
}

/** The jobs that the sender may see among those of some queues, which a statement limits by itself. */
export async function scopedJobs(
  { listings, jobOptions }: JobSchema,
  session: ReadSession,
  queueNames: readonly string[],
): Promise<Condition> {
  if (!jobOptions.scope) return { text: 'true', values: [] };
  const { rules, conditions } = listings.search({ data: {}, output: {} });
  return statementOf(session, (asking) =>
    runQuery(conditions(asking), { fields: 'id', sort: 'id', perPage: '1' }, rules, {
      ...jobOptions,
      customize: () => undefined,
      transformPlan: inQueues(queueNames),
    }),
  );
}

/** The jobs of a queue that the sender may see; the queue is also a condition of its own, which an index serves. */
export async function jobsOf(
  schema: JobSchema,
  session: ReadSession,
  queueName: string,
): Promise<Condition> {
  const { text, values } = await scopedJobs(schema, session, [queueName]);
  return { text: `name = $${values.length + 1} and (${text})`, values: [...values, queueName] };
}
