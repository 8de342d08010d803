/** A read as telemetry and the host's `onTimings` see it. */

import { inSpan, isTraced } from '../../lib/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { QuerySource } from './source.ts';
import { RequestTimer, type QueryTimings, type Timed } from './timings.ts';

interface Observable {
  readonly onTimings?: ((timings: QueryTimings) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a read, in a span where the host has OpenTelemetry. The span knows the database system, the model and the number
 * of rows; it has no value, no filter and no error message, which may contain what a client sent.
 *
 * @param read takes the options with a timer, where the host asks for timings
 */
export function observed<Options extends Observable, Answer>(
  operation: 'list' | 'row',
  source: Pick<QuerySource, 'family' | 'model'>,
  options: Options,
  read: (options: Options & Timed) => Promise<Answer>,
): Promise<Answer> {
  if (!isTraced()) return options.onTimings ? timed(options, read) : read(options);
  const { family, model } = source;
  const name = `${operation} ${model}`;
  const attributes = { 'db.system.name': family, 'db.query.summary': name, 'sluice.model': model };
  return inSpan(name, attributes, async (span) => {
    try {
      const answer = await timed(options, read);
      span.set({ 'db.response.returned_rows': operation === 'row' ? 1 : rowsOf(answer) });
      return answer;
    } catch (error) {
      // A refusal and a client that left are not failures of the server.
      const isOwn =
        !(error instanceof QueryError && error.status < 500) && !options.signal?.aborted;
      const type = typeOf(error);
      if (isOwn) span.fail(type);
      else span.set({ 'error.type': type });
      throw error;
    }
  });
}

const rowsOf = (answer: unknown): number => (answer as { data: readonly unknown[] }).data.length;

const typeOf = (error: unknown): string =>
  error instanceof QueryError ? error.code : error instanceof Error ? error.name : '_OTHER';

async function timed<Options extends Observable, Answer>(
  options: Options,
  read: (options: Options & Timed) => Promise<Answer>,
): Promise<Answer> {
  if (!options.onTimings) return read(options);
  const timer = new RequestTimer();
  const answer = await read({ ...options, timer });
  options.onTimings(timer.timings);
  return answer;
}
