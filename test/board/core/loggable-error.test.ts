/** Errors in the log carry no values of statements, in any of their members and causes. */

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { BoardError } from '../../../src/board/core/index.ts';
import { errorLog } from '../../../src/board/core/error-log.ts';

function logged(cause: unknown): Error {
  const entries: unknown[] = [];
  const log = errorLog({ error: (_text, error) => entries.push(error), warn: () => undefined });
  log('sendPgqJob', new BoardError('INTERNAL_SERVER_ERROR', { cause }));
  return entries[0] as Error;
}

const made = (message: string, members: object, cause?: unknown): Error =>
  Object.assign(new TypeError(message, cause === undefined ? undefined : { cause }), members);

describe('an error in the log', () => {
  it.each([
    ['of pg', made('duplicate key value', { code: '23505', detail: 'Key (a)=(hunter2) exists' })],
    [
      'of pg about a value',
      made('invalid input syntax: "hunter2"', { code: '22P02', where: 'hunter2' }),
    ],
    [
      'of Drizzle',
      made('Failed query: insert\nparams: 1,hunter2', { query: 'q', params: ['hunter2'] }),
    ],
    ['of TypeORM', made('failed', { query: 'insert', parameters: ['hunter2'] })],
    ['of Knex or Prisma', made('Key (name)=(hunter2) already exists.', { meta: { a: 'hunter2' } })],
    ['of Redis', made('ERR', { command: { name: 'set', args: ['hunter2'] } })],
    ['in a cause', made('outer', {}, made('inner', { values: ['hunter2'] }))],
    ['in a list', new AggregateError([made('x', { bindings: ['hunter2'] })], 'several')],
  ])('%s has its stack, code and class, and no values', (_name, error) => {
    const copy = logged(error);
    expect(inspect(copy, { depth: 9, showHidden: true })).not.toContain('hunter2');
    expect(copy).toBeInstanceOf(error.constructor);
    expect(copy.stack).toContain('loggable-error.test.ts');
    expect(Reflect.get(copy, 'code')).toBe(Reflect.get(error, 'code'));
    expect(inspect(error, { depth: 9 })).toContain('hunter2');
  });

  it('that refers to itself ends', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(logged(error).message).toBe('loop');
  });
});
