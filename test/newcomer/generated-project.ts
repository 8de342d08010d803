/** The files that generators of projects write, as npm has them. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export type Files = Readonly<Record<string, string>>;

/** The packages of a template that most tests do not need. */
const forEditors = /eslint|prettier|oxlint|coverage|mau$/;

/**
 * The files that a generator writes for a project `app`.
 *
 * @param left the packages for development that are left out of `package.json`
 */
export async function generatedProject(
  generator: string,
  args: readonly string[],
  left = forEditors,
): Promise<Files> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'sluice-template-'));
  try {
    const { NODE_ENV: _, VITEST: __, ...env } = process.env;
    await promisify(execFile)('npx', ['--yes', '--prefer-offline', generator, ...args], {
      cwd,
      env,
    });
    const app = path.join(cwd, 'app');
    const names = readdirSync(app, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => statSync(path.join(app, name)).isFile())
      .map((name) => [name, readFileSync(path.join(app, name), 'utf8')] as const);
    const files = Object.fromEntries(texts);
    const project = JSON.parse(files['package.json'] ?? '') as { devDependencies?: object };
    const kept = Object.entries(project.devDependencies ?? {}).filter(([name]) => !left.test(name));
    const devDependencies = Object.fromEntries(kept);
    return { ...files, 'package.json': JSON.stringify({ ...project, devDependencies }) };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
