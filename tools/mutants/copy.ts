/** A copy of the checkout in which one mutant at a time is tried: its sources are its own, its packages are shared. */

import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutate, root } from './mutant.ts';

const checkout = fileURLToPath(root);

/** Files of the checkout that git knows or would add, and those that tools have generated. */
function files(): string[] {
  const list = (...options: string[]): string[] => {
    const { stdout } = spawnSync('git', ['ls-files', '-z', ...options], {
      cwd: checkout,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    return stdout.split('\0').filter(Boolean);
  };
  const deleted = new Set(list('--deleted'));
  const own = list('--cached', '--others', '--exclude-standard').filter(
    (file) => !deleted.has(file),
  );
  const generated = list('--others', '--ignored', '--exclude-standard', '--', 'src', 'test');
  return [...own, ...generated];
}

/** The end of a run of tests. */
export interface Tried {
  readonly outcome: 'killed' | 'survived';
  /** The first test file that failed; undefined where the run failed without one. */
  readonly by?: string | undefined;
  readonly seconds: number;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Whether a test of the file failed, or the file itself: those that the end of the run cut off have no message. */
const hasFailed = ({ status, message, assertionResults }: Report['testResults'][number]): boolean =>
  status === 'failed' &&
  (message !== '' || assertionResults.some((result) => result.status === 'failed'));

/** Milliseconds after which a run counts as failed: a mutant may wait for ever. */
const limitMs = 900_000;

export class Copy {
  readonly #directory: string;

  constructor(number: number) {
    this.#directory = `${checkout}.scratch/mutants/${number}/`;
    rmSync(this.#directory, { recursive: true, force: true });
    mkdirSync(this.#directory, { recursive: true });
    for (const file of files()) cpSync(`${checkout}${file}`, `${this.#directory}${file}`);
    symlinkSync(`${checkout}node_modules`, `${this.#directory}node_modules`);
  }

  /** Runs tests until one fails, on the sources with the change, or without one. */
  async try(mutant: Mutant | null, tests: readonly string[]): Promise<Tried> {
    const path = mutant && `${this.#directory}${mutant.file}`;
    const source = path && readFileSync(path, 'utf8');
    if (path && source) writeFileSync(path, mutate(mutant, source));
    const began = performance.now();
    try {
      const failed = await this.#run(tests);
      const seconds = Math.round((performance.now() - began) / 1000);
      return failed === null
        ? { outcome: 'survived', seconds }
        : { outcome: 'killed', by: failed[0], seconds };
    } finally {
      if (path && source) writeFileSync(path, source);
    }
  }

  /** The test files that failed; null where all have passed. */
  async #run(tests: readonly string[]): Promise<readonly string[] | null> {
    const report = `${this.#directory}.scratch/report.json`;
    rmSync(report, { force: true });
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--bail=1',
        '--reporter=json',
        `--outputFile=${report}`,
        ...tests,
      ],
      { cwd: this.#directory, stdio: 'ignore', detached: true },
    );
    const kill = (): void => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(kill, limitMs);
    process.once('exit', kill);
    const [code] = (await once(child, 'close')) as [number | null];
    process.removeListener('exit', kill);
    clearTimeout(timer);
    if (code === 0) return null;
    try {
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
      return testResults.filter(hasFailed).map(({ name }) => name.slice(this.#directory.length));
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
