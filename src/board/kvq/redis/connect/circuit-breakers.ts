/**
 * Asks a server for an answer within a time, and remembers whether it gives any. A connection answers in the order it
 * was asked in: behind a question that was not answered in time there is nothing to be had, and more questions would
 * only pile up until the server comes back to all of them at once.
 */

import { StoreTimeout, within } from '../../time-limit.ts';
import { StoreAway } from './ready-client.ts';

/** What went unanswered, by what was asked: a connection, or a queue's part of a cluster. */
const unanswered = new WeakMap<object, Promise<unknown>>();

/** When something last answered; milliseconds of the process's own clock. */
const heard = new WeakMap<object, number>();

function remember(whom: object, question: Promise<unknown>): void {
  unanswered.set(whom, question);
  const forget = (): void => {
    if (unanswered.get(whom) === question) unanswered.delete(whom);
  };
  question.then(forget, forget);
}

/** Whether a question of it is still open after its time. */
export function isSilent(whom: object): boolean {
  return unanswered.has(whom);
}

/** Whether it has answered within so many milliseconds. */
export function hasAnswered(whom: object, milliseconds: number): boolean {
  return performance.now() - (heard.get(whom) ?? -Infinity) <= milliseconds;
}

/**
 * The answer to a question. Rejects with `StoreTimeout` when there was none in time, and with {@link StoreAway} at
 * once while an earlier question is open.
 */
export async function ask<Answer>(
  whom: object,
  milliseconds: number,
  question: () => Promise<Answer>,
): Promise<Answer> {
  if (isSilent(whom)) throw new StoreAway('The server does not answer.');
  const asked = question();
  try {
    const answer = await within(milliseconds, asked);
    heard.set(whom, performance.now());
    return answer;
  } catch (error) {
    if (error instanceof StoreTimeout) remember(whom, asked);
    throw error;
  }
}
