/** The account PostgreSQL runs under: it refuses to run as root, and root is what a container often is. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** User and group to hand over to; empty for the account of this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const run = promisify(execFile);

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(user.stdout), gid: Number(group.stdout) };
  } catch {
    return null;
  }
}

/**
 * The account of this process or, for root, the system's `postgres` and failing that `nobody`. No
 * account is created.
 *
 * @throws Error where root finds neither
 */
export async function findAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (account) return account;
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no account "postgres" or "nobody" to hand it to: start the demo as another user.',
  );
}

/** Whether the account may pass through a folder and every folder above it. */
export async function canReach(path: string, account: Account): Promise<boolean> {
  if (account.uid === undefined) return true;
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Where PostgreSQL may keep its files: the folder itself, or one of the same purpose under the system's
 * temporary folder where the account cannot reach it (root's project in a private folder).
 */
export async function placeFor(folder: string, account: Account): Promise<string> {
  if (await canReach(folder, account)) return folder;
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 16);
  const place = join(tmpdir(), `sluice-demo-${name}`);
  await mkdir(place, { recursive: true, mode: 0o755 });
  if ((await stat(place)).uid !== process.getuid?.()) {
    throw new Error(
      `${place} belongs to somebody else: remove it, or name another folder in DEMO_DIR.`,
    );
  }
  return place;
}
