/**
 * Prints the lines and files of TypeScript per room of `src`, without generated files, and those of an earlier commit
 * beside them. Usage: `node tools/count-lines.ts [commit]`
 */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { table } from '../bench/markdown.ts';

interface Size {
  files: number;
  lines: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...given: readonly string[]): string =>
  execFileSync('git', given, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

/** The room of a file: a folder of `src`, or one of the board's. */
function roomOf(file: string): string {
  const [, room = '', inner = ''] = file.split('/');
  return room === 'board' && !inner.endsWith('.ts') ? `board/${inner}` : room;
}

/** The rooms of a commit, or of the files that git knows here. */
function sizes(commit?: string): Map<string, Size> {
  const empty = git('hash-object', '-t', 'tree', '/dev/null').trim();
  const found = new Map<string, Size>();
  const changes = git('diff', '--numstat', empty, ...(commit ? [commit] : []), '--', 'src');
  for (const line of changes.split('\n')) {
    const [lines = '', , file = ''] = line.split('\t');
    if (!/\.tsx?$/.test(file) || file.includes('.generated.')) continue;
    for (const room of [roomOf(file), 'all']) {
      const size = found.get(room) ?? { files: 0, lines: 0 };
      found.set(room, { files: size.files + 1, lines: size.lines + Number(lines) });
    }
  }
  return found;
}

const now = sizes();
const before = process.argv[2] === undefined ? undefined : sizes(process.argv[2]);
const rooms = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].toSorted(
  (left, right) => (now.get(left)?.lines ?? 0) - (now.get(right)?.lines ?? 0),
);
const rows = rooms.map((room) => {
  const [{ files, lines }, earlier] = [now.get(room) ?? { files: 0, lines: 0 }, before?.get(room)];
  return [room, `${files}`, `${lines}`, ...(before ? [`${earlier?.lines ?? 0}`] : [])];
});
console.log(table(['room', 'files', 'lines', ...(before ? ['lines before'] : [])], rows));
