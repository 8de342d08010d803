/** Access to data folders for a PostgreSQL that runs under another account than the demo. */

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { canReach } from '../../demo/postgres/account.ts';
import { scratchFolder } from './start-demo.ts';

const stranger = { uid: 61_234, gid: 61_234 };

it('another account can reach a public folder, but nothing inside a private one', async () => {
  const scratch = await scratchFolder();
  try {
    const below = join(scratch.path, 'private', 'data');
    await mkdir(below, { recursive: true });
    expect(await canReach(below, stranger)).toBe(true);
    await chmod(join(scratch.path, 'private'), 0o700);
    expect(await canReach(below, stranger)).toBe(false);
    expect(await canReach(below, {})).toBe(true);
  } finally {
    await scratch.remove();
  }
});
