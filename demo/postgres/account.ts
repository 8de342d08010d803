/** The account for PostgreSQL, which refuses to run as root; containers often do. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** User and group of the PostgreSQL process; empty for those of this process. */
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
 * The account of this process or, for root, `postgres`, else `nobody`. Creates no account.
 *
 * @throws {Error} when this process runs as root and neither account exists
 */
export async function findAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (account) return account;
  throw new Error(
    'PostgreSQL refuses to run as root, and neither of the accounts "postgres" and "nobody" exists: start the demo as another user.',
  );
}

/** Whether the account may traverse a folder and all its parents. */
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
 * The folder for PostgreSQL's files: the folder itself or, if the account cannot access it (a project in a private
 * folder of root), a folder in the system's temporary folder.
 */
export async function accessibleFolder(folder: string, account: Account): Promise<string> {
  if (await canReach(folder, account)) return folder;
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 16);
  const replacement = join(tmpdir(), `sluice-demo-${name}`);
  await mkdir(replacement, { recursive: true, mode: 0o755 });
  if ((await stat(replacement)).uid !== process.getuid?.()) {
    throw new Error(
      `${replacement} belongs to another user: remove it, or set DEMO_DIR to another folder.`,
    );
  }
  return replacement;
}
