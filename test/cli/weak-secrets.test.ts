/** Passwords and tokens of the command line that can be guessed. */

import { expect, it } from 'vitest';
import { runBoard, sluice } from './run-board.ts';

const away = ['--redis', 'redis://127.0.0.1:1', '--no-open'];

it.each([
  ['password', ['--user', 'ann', '--password', 'a']],
  ['tokens', ['--token', 'a']],
])('are refused in production: %s', async (option, flags) => {
  const { code, err } = await sluice(['board', ...away, ...flags], { NODE_ENV: 'production' });
  expect([code, err]).toEqual([2, expect.stringContaining(`"${option}" must have 16 characters`)]);
});

it.each([
  ['password', ['--user', 'ann', '--password', 'a']],
  ['tokens', ['--token', 'a']],
])('are warned of elsewhere: %s', async (option, flags) => {
  const board = await runBoard([...away, ...flags]);
  await expect.poll(() => board.printed.err).toContain(`"${option}" is weak`);
  await board.stop();
});
