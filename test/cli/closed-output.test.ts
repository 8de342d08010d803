/** A reader that goes away, as `head` does, ends no command with an error. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const main = path.join(import.meta.dirname, '../../src/cli/main.ts');

it('prints for a reader that takes the first bytes only', async () => {
  const child = spawn(process.execPath, [main, 'openapi']);
  child.stdout.once('data', () => child.stdout.destroy());
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, err]).toEqual([0, '']);
});
