/**
 * Tries mutants on copies of the checkout: first with the test that each names, then with those of its room. Prints the
 * survivors and the rate of each room, and ends with 1 where one survives that gives no reason.
 *
 *     npm run mutants                    all rooms
 *     npm run mutants -- kvq pgq         some rooms; `kvq:17` for one mutant
 *     npm run mutants -- --changed main  mutants of the files that differ from a commit, HEAD by default
 *     --workers 2    copies side by side; 1 by default
 *     --expected     only the tests that are named: quick, and enough for mutants that died before
 *     --record       writes the tests that failed into the rooms
 *     --no-baseline  does not run the tests without a mutant before
 */

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Copy, type Tried } from './copy.ts';
import { type Mutant, type Room, readRooms, root, roomFile } from './mutant.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    baseline: { type: 'boolean', default: true },
    changed: { type: 'boolean', default: false },
    expected: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
  },
});
const cwd = fileURLToPath(root);
const rooms = readRooms();

/** The mutants that the arguments name. */
function chosen(): Mutant[] {
  const all = rooms.flatMap(({ mutants }) => mutants).filter(({ equal }) => equal === undefined);
  if (values.changed) {
    const since = positionals[0] ?? 'HEAD';
    const changed = execFileSync('git', ['diff', '--name-only', since], { cwd, encoding: 'utf8' });
    const files = new Set(changed.split('\n'));
    return all.filter(({ file }) => files.has(file));
  }
  const names = new Set(positionals);
  const known = (name: string): boolean =>
    all.some(({ room, number }) => name === room || name === `${room}:${number}`);
  const unknown = positionals.find((name) => !known(name));
  if (unknown !== undefined) throw new Error(`No mutant has the name ${unknown}.`);
  return all.filter(
    ({ room, number }) => names.size === 0 || names.has(room) || names.has(`${room}:${number}`),
  );
}

/** The test of the rooms themselves, which fails with every mutant. */
const ofRooms = 'test/unit/mutants.test.ts';

/** The tests of a room, as files: vitest takes no patterns. */
const testsOf = ({ tests }: Room): string[] =>
  globSync([...tests], { cwd }).filter((file) => file.endsWith('.test.ts') && file !== ofRooms);

/** The tests of a mutant's room. */
const roomOf = (mutant: Mutant): string[] =>
  rooms.flatMap((room) => (room.name === mutant.room ? testsOf(room) : []));

async function attempt(copy: Copy, mutant: Mutant): Promise<Tried> {
  const { dies } = mutant;
  if (dies.length > 0) {
    const tried = await copy.try(mutant, dies);
    if (tried.outcome === 'killed' || values.expected) return tried;
  }
  return copy.try(mutant, roomOf(mutant));
}

/** A test that fails by itself would kill every mutant. */
async function requireBaseline(copy: Copy, mutants: readonly Mutant[]): Promise<void> {
  const tests = mutants.flatMap((mutant) =>
    values.expected && mutant.dies.length > 0 ? mutant.dies : roomOf(mutant),
  );
  const { outcome, by } = await copy.try(null, [...new Set(tests)]);
  if (outcome === 'killed') throw new Error(`${by ?? 'A test'} fails without a mutant.`);
}

/** Writes the test that failed below the mutant. */
function record({ room, number }: Mutant, by: string): void {
  const file = roomFile(room);
  let at = 0;
  const lines = readFileSync(file, 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('@') && ++at === number);
  const length = lines.slice(begin).findIndex((line) => line === '');
  const end = length < 0 ? lines.length : begin + length;
  const block = lines.slice(begin, end).filter((line) => !line.startsWith('>'));
  lines.splice(begin, end - begin, ...block, `> ${by}`);
  writeFileSync(file, lines.join('\n'));
}

const queue = chosen();
const counts = new Map<string, { killed: number; survived: number }>();
const survivors: Mutant[] = [];
const copies = Array.from({ length: Number(values.workers) }, (_none, at) => new Copy(at));
const [first] = copies;
if (first && values.baseline && queue.length > 0) await requireBaseline(first, queue);
await Promise.all(
  copies.map(async (copy) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { room, number, title } = mutant;
      const { outcome, by, seconds } = await attempt(copy, mutant);
      const count = counts.get(room) ?? { killed: 0, survived: 0 };
      count[outcome] += 1;
      counts.set(room, count);
      if (outcome === 'survived') survivors.push(mutant);
      if (values.record && by !== undefined) record(mutant, by);
      console.log(`${outcome} ${room}:${number} ${title} (${by ?? 'no test'}, ${seconds} s)`);
    }
    copy.remove();
  }),
);
for (const [room, { killed, survived }] of counts) {
  console.log(`${room}: ${killed} of ${killed + survived} killed`);
}
for (const { room, number, file, title } of survivors) {
  console.log(`survived: ${room}:${number} ${file}: ${title}`);
}
process.exitCode = survivors.length === 0 ? 0 : 1;
