/** The test that comes with a new list or board, for the runner of the project. */

import path from 'node:path';
import type { Code, Import } from './code.ts';
import type { Project } from './project.ts';

/** One test: `before` are statements, `actual` and `expected` expressions that are equal. */
export interface Check {
  readonly name: string;
  readonly before?: string;
  readonly actual: string;
  readonly expected: string;
  readonly isAsync?: boolean;
  /** Whether it starts the application, which may take longer than the five seconds that runners wait. */
  readonly startsApplication?: boolean;
}

/** A runner of tests. */
interface Runner {
  readonly packages: readonly string[];
  readonly imports: readonly Import[];
  readonly test: string;
  equal(actual: string, expected: string): string;
  /** The command that runs a file. */
  command(file: string, project: Project): string;
}

const expected = (actual: string, value: string): string => `expect(${actual}).toEqual(${value});`;

const nodeTest: Runner = {
  packages: [],
  imports: [
    { from: 'node:test', names: ['test'] },
    { from: 'node:assert/strict', default: 'assert' },
  ],
  test: 'test',
  equal: (actual, value) => `assert.deepEqual(${actual}, ${value});`,
  command: (file, { style, packages }) =>
    style.language === 'js'
      ? `node --test ${file}`
      : packages.has('ts-node') && !packages.has('tsx')
        ? `node --test -r ts-node/register ${file}`
        : `npx tsx --test ${file}`,
};

const runners: readonly Runner[] = [
  {
    packages: ['vitest'],
    imports: [{ from: 'vitest', names: ['expect', 'test'] }],
    test: 'test',
    equal: expected,
    command: (file) => `npx vitest run ${file}`,
  },
  {
    packages: ['jest'],
    imports: [],
    test: 'test',
    equal: expected,
    command: (file) => `npx jest ${file}`,
  },
  nodeTest,
];

const runnerOf = ({ packages }: Project): Runner =>
  runners.find((runner) => runner.packages.some((name) => packages.has(name))) ?? nodeTest;

/** Path of the test of a module: where the other tests are, and named as they are. */
export function testFile(project: Project, module: string): string {
  const extension = path.posix.extname(module);
  const tests = project.files.filter((file) => /\.(test|spec)\.[mc]?[jt]sx?$/.test(file));
  const isSpec =
    tests.filter((file) => file.includes('.spec.')).length > tests.length / 2 ||
    project.packages.has('@nestjs/core');
  const name = `${module.slice(0, -extension.length)}.${isSpec ? 'spec' : 'test'}${extension}`;
  const isApart =
    runnerOf(project) === nodeTest &&
    tests.length > 0 &&
    tests.every((file) => file.startsWith('test/'));
  return isApart ? `test/${name.replace(/^src\//, '')}` : name;
}

/** The module of a test. */
export function testCode(
  project: Project,
  file: string,
  doc: string,
  imports: readonly Import[],
  declared: string,
  checks: readonly Check[],
): Code {
  const runner = runnerOf(project);
  const { imports: own, test, equal } = runner;
  const tests = checks.map(
    ({ name, before, actual, expected: value, isAsync, startsApplication }) => {
      const lines = [before, equal(actual, value)].filter((line) => line !== undefined);
      const body = lines.join('\n').replaceAll(/^/gm, '  ');
      const limit = startsApplication && runner !== nodeTest ? ', 60_000' : '';
      return `${test}('${name}', ${isAsync ? 'async ' : ''}() => {\n${body}\n}${limit});`;
    },
  );
  return {
    file,
    doc,
    imports: [...own, ...imports],
    body: [declared, ...tests].filter((part) => part !== '').join('\n\n'),
  };
}

/** The command that runs a test of the project. */
export const testCommand = (project: Project, file: string): string =>
  runnerOf(project).command(file, project);
