/** Errors in one line for people. */

import { codeOf, errorCauses } from '../../lib/index.ts';

/** The first message among an error and its causes; drivers put several attempts into one error without a message. */
export function describeError(error: unknown): string {
  const all = errorCauses(error);
  const message = all.map((each) => each.message).find((text) => text !== '');
  const code = all.map(codeOf).find((each) => each !== undefined);
  return (message ?? code ?? 'unknown error').split('\n', 1)[0]?.trim() ?? '';
}
