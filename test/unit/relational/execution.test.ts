/** Statements of a request: their time limit, and that they end before their connection is used again. */

import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { families, plainStatement } from '../../../src/relational/index.ts';
import { Execution, Stop, inTurn } from '../../../src/relational/read/execution.ts';
import type { Executor } from '../../../src/relational/read/executor.ts';

/** A promise that is settled from outside. */
function held<T>() {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, settle };
}

/** An executor that notes the texts of statements. */
function noting(texts: string[]): Executor {
  const executor: Executor = {
    concurrent: false,
    server: {},
    run: ({ text }) => {
      texts.push(text);
      return [];
    },
    transaction: (body) => body(executor),
  };
  return executor;
}

const inputs = {
  conditions: [],
  children: [],
  scopes: {},
  position: [],
  keys: [],
  parts: [],
  offset: 0,
};

it('a statement that begins in the last millisecond has a time limit of one', async () => {
  const texts: string[] = [];
  const executor = noting(texts);
  const statement = plainStatement('select 1 as c0', []);
  // The time may be over before the statement begins.
  for (let attempt = 0; texts.length === 0 && attempt < 1000; attempt += 1) {
    const { mysql } = families;
    const execution = new Execution(mysql, { timeoutMs: 0.99 });
    await execution.run(executor, statement, inputs).catch(() => undefined);
  }
  expect(texts[0]).toContain('MAX_EXECUTION_TIME(1)');
});

it('a statement has the limit of its own request, whichever it had before', async () => {
  const texts: string[] = [];
  const executor = noting(texts);
  const statement = plainStatement('select 1 as c0', []);
  const limits = [60_000, 90_000, 90_000, 60_000];
  for (const timeoutMs of limits) {
    await new Execution(families.mysql, { timeoutMs }).run(executor, statement, inputs);
  }
  const told = texts.map((text) => Number(/MAX_EXECUTION_TIME\((\d+)\)/.exec(text)?.[1]));
  expect(told).toEqual(limits);
});

it('a statement that has ended is waited for until its cancel request has, too', async () => {
  const stop = new Stop();
  const [canceling, canceled, statement] = [held<void>(), held<void>(), held<string>()];
  let isSettled = false;
  const running = stop
    .during(
      () => {
        canceling.settle();
        return canceled.promise;
      },
      () => statement.promise,
    )
    .finally(() => (isSettled = true));
  stop.stop();
  await canceling.promise;
  statement.settle('rows');
  for (let at = 0; at < 20; at += 1) await turn();
  expect(isSettled).toBe(false);
  canceled.settle();
  expect(await running).toBe('rows');
});

it('a statement runs after one that has failed on its connection', async () => {
  const connection = {};
  const begun: string[] = [];
  const first = held<void>();
  const failed = inTurn(connection, async () => {
    begun.push('first');
    await first.promise;
    throw new Error('failed');
  });
  const second = inTurn(connection, async () => {
    begun.push('second');
    return 2;
  });
  await turn();
  expect(begun).toEqual(['first']);
  first.settle();
  await expect(failed).rejects.toThrow('failed');
  expect(await second).toBe(2);
});
