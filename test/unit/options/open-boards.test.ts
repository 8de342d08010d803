/** Options that once left all writes of a board enabled when misspelt or of a wrong type. */

import { Queue } from 'bullmq';
import { afterAll, expect, test } from 'vitest';
import {
  bullmqQueue,
  createBoard,
  ExpressAdapter,
  openApiDocument,
} from '../../../src/http/board/index.ts';
import type { KvqBoardConfig, QueueOptions } from '../../../src/http/board/index.ts';

const queue = new Queue('open', { connection: { lazyConnect: true }, skipMetasUpdate: true });
queue.on('error', () => undefined);
afterAll(() => queue.close());

const connection = 'postgres://nobody@127.0.0.1:1/none';
const board = (config: object) => () =>
  createBoard({ serverAdapter: new ExpressAdapter(), ...config } as KvqBoardConfig);
const onBoard = (options: object) => bullmqQueue(queue, options as QueueOptions);

test.each([
  [
    { options: { readonly: true } },
    '"readonly" is not an option of createBoard; did you mean "readOnly"?',
  ],
  [{ options: { readOnly: 'true' } }, '"readOnly" must be a boolean'],
  [{ options: { uiConfig: { boardTitle: 'Jobs' } } }, '"uiConfig" is called "ui"'],
  [{ options: { metrics: true } }, '"metrics" is called "exporter"'],
  [
    { engine: 'pgq', pgq: { connection, visibiltyGuard: () => false } },
    '"pgq.visibiltyGuard" is not an option of createBoard; did you mean "pgq.visibilityGuard"?',
  ],
  [
    { readOnly: true },
    '"readOnly" is not an option of createBoard; did you mean "options.readOnly"?',
  ],
  [{ pgq: { connection } }, '"pgq" needs "engine" to be "pgq"'],
  [
    { engine: 'pgq', pgq: { connection }, queues: [] },
    '"queues" is not an option of createBoard; did you mean "pgq.queues"?',
  ],
])('createBoard(%j) is refused', (config, message) => {
  expect(board(config)).toThrow(new TypeError(message));
});

test('no options are none, and no document is of an unknown engine', () => {
  expect(Reflect.apply(createBoard, undefined, [])).toMatchObject({ engine: 'kvq' });
  for (const of of [undefined, {}, { engine: 'redis' }]) {
    expect(() => Reflect.apply(openApiDocument, undefined, [of])).toThrow(
      new TypeError('"engine" must be "kvq" or "pgq"'),
    );
  }
});

test('a queue is read-only by `readOnly` and by its alias `readOnlyMode`', () => {
  expect(onBoard({}).readOnly).toBe(false);
  expect(onBoard({ readOnly: true }).readOnly).toBe(true);
  expect(onBoard({ readOnlyMode: true }).readOnly).toBe(true);
  expect(onBoard({ readOnly: true, readOnlyMode: true }).readOnly).toBe(true);
  expect(() => onBoard({ readOnly: true, readOnlyMode: false })).toThrow(
    '"readOnly" and "readOnlyMode" are one option and must not differ',
  );
  expect(() => onBoard({ readonly: true })).toThrow(
    '"readonly" is not an option of bullmqQueue; did you mean "readOnly"?',
  );
  expect(() => onBoard({ readOnly: 'true' })).toThrow('"readOnly" must be a boolean');
});

test('a guard or formatter set later is checked as well', () => {
  const shown = onBoard({});
  const call =
    (method: 'setFormatter' | 'setVisibilityGuard', ...values: unknown[]) =>
    () =>
      Reflect.apply(shown[method], shown, values);
  expect(call('setVisibilityGuard', true)).toThrow('"guard" must be a function');
  expect(call('setFormatter', 'dta', () => null)).toThrow('did you mean "data"?');
  expect(call('setFormatter', 'data', 'hidden')).toThrow('"data" must be a function');
});
