/** Work of one process at a time: no two run it together, and neither a failure nor an ended process keeps it. */

import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const directory = mkdtempSync(path.join(tmpdir(), 'sluice-one-process-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const module = pathToFileURL(path.join(import.meta.dirname, 'one-process.ts')).href;
const name = `one-process-${randomUUID()}`;
const lock = path.join(import.meta.dirname, '../../.scratch', `${name}.lock`);

/** A program that has `inOneProcess`, the name of the work, and a file with a number. */
function program(body: string): string {
  const file = path.join(directory, `${randomUUID()}.mts`);
  writeFileSync(
    file,
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    import { inOneProcess } from '${module}';
    const name = '${name}';
    const at = (file: string) => '${directory}/' + file;
    ${body}`,
  );
  return file;
}

it('runs the work of one process after that of another', async () => {
  const number = path.join(directory, 'number');
  writeFileSync(number, '0');
  const counting = program(`
    process.stdout.write('ready');
    while (!existsSync(at('begin'))) continue;
    for (let round = 0; round < 300; round += 1) {
      inOneProcess(name, () => {
        writeFileSync(at('number'), String(Number(readFileSync(at('number'), 'utf8')) + 1));
      });
    }`);
  const running = Array.from({ length: 3 }, () =>
    // Those that wait for ever are ended.
    promisify(execFile)(process.execPath, [counting], { timeout: 200_000 }),
  );
  await Promise.all(
    running.map(
      ({ child }) => new Promise<void>((resolve) => child.stdout?.once('data', () => resolve())),
    ),
  );
  writeFileSync(path.join(directory, 'begin'), '');
  await Promise.all(running);
  expect(readFileSync(number, 'utf8')).toBe('900');
});

it('runs work after a failure, and after a process that has ended within its own', () => {
  const working = program(`
    try {
      inOneProcess(name, () => { throw new Error('of the work'); });
    } catch (error) {
      process.stdout.write((error as Error).message);
    }
    inOneProcess(name, () => process.stdout.write(', again'));`);
  const { pid } = spawnSync(process.execPath, ['--eval', '']);
  writeFileSync(lock, String(pid));
  // A program that waits for ever is ended.
  const { stdout } = spawnSync(process.execPath, [working], { encoding: 'utf8', timeout: 60_000 });
  rmSync(lock, { force: true });
  expect(stdout).toBe('of the work, again');
});
