/**
 * `node test/existing/minutes.ts`: the steps of docs/existing.md in empty folders, with the packed package and npm, and the
 * seconds that each takes; writes the table of that page.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import pg from 'pg';
import { packInto } from '../../tools/package/pack.ts';
import { scratchDatabase } from '../services/index.ts';
import { chinook } from './chinook.ts';
import { programOf } from './first-answer.ts';
import { northwind } from './northwind.ts';
import { pagila } from './pagila.ts';
import { models, tables } from './ten-models.ts';

const run = promisify(execFile);
const page = fileURLToPath(new URL('../../docs/existing.md', import.meta.url));

/** The parts that a project has before its first list: its database, and files that are not counted. */
interface Application {
  readonly name: string;
  readonly title: string;
  readonly database: string;
  readonly files?: () => Promise<Readonly<Record<string, string>>>;
}

const applications: readonly Application[] = [
  { name: 'chinook', title: 'Chinook, drizzle-kit pull', database: chinook('postgresql') },
  { name: 'northwind', title: 'Northwind, the catalogue', database: northwind },
  {
    name: 'pagila',
    title: 'Pagila, TypeORM entities',
    database: pagila,
    files: async () => ({ 'entities.ts': await compiledEntities() }),
  },
  {
    name: 'shop',
    title: 'a web shop, Prisma schema',
    database: tables,
    files: async () => ({ 'schema.prisma': `${prismaHead}\n${models}` }),
  },
];

const prismaHead = `generator client {
  provider = "prisma-client"
  output   = "./generated/client"
}
generator sluice {
  provider = "sluice-prisma"
  output   = "./generated/sluice.ts"
}
datasource db {
  provider = "postgresql"
}`;

/** The entities as the compiler of a project leaves them: Node.js runs no decorators. */
async function compiledEntities(): Promise<string> {
  const source = readFileSync(new URL('pagila-entities.ts', import.meta.url), 'utf8');
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
  return (await transform(source, { loader: 'ts', tsconfigRaw })).code;
}

/** The command that the page prints after the program of an application. */
function startOf(application: string): readonly string[] {
  const text = readFileSync(page, 'utf8');
  const after = text.slice(text.indexOf(`\`\`\`js\n// ${application}.js`));
  const line = /\n```\n+```sh\n(.*)\n```/.exec(after)?.[1];
  if (line === undefined) throw new Error(`The page does not start ${application}.`);
  return line.split(' ');
}

/** The commands that the page prints before the program of an application, without the name of the package. */
function commandsOf(application: string): readonly (readonly string[])[] {
  const text = readFileSync(page, 'utf8');
  const before = text.slice(0, text.indexOf(`\`\`\`js\n// ${application}.js`));
  const block = /```sh\n([^`]*)```[^`]*$/.exec(before.slice(before.lastIndexOf('\n## ')))?.[1];
  if (block === undefined) throw new Error(`The page prints no commands for ${application}.`);
  return block
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Seconds that a step takes. */
async function seconds(step: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await step();
  return (performance.now() - start) / 1000;
}

const withFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-minutes-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The figures of an application: installing, pulling or generating, and from the start to the first answer. */
async function measured(
  { name, title, database, files }: Application,
  tarball: string,
): Promise<string> {
  const scratch = await scratchDatabase('postgresql', `minutes_${name}`);
  if ('missing' in scratch) throw new Error(scratch.advice);
  // Prisma downloads an engine that these commands do not run, unless it is told of one.
  const env = {
    ...process.env,
    DATABASE_URL: scratch.url,
    CHECKPOINT_DISABLE: '1',
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  };
  const client = new pg.Client(scratch.url);
  await client.connect();
  await client.query(database).finally(() => client.end());
  const [install, ...pulls] = commandsOf(name).map(([command = '', ...words]) => ({
    command,
    words: words.map((word) =>
      word === 'sluice' ? tarball : word.replace('$DATABASE_URL', scratch.url),
    ),
  }));
  if (!install) throw new Error(`The page does not say what to install for ${name}.`);
  const [start = '', ...program] = startOf(name);
  // Once before, so that the packages are in npm's cache.
  await withFolder((cwd) => run(install.command, install.words, { cwd, env }));
  try {
    return await withFolder(async (cwd) => {
      const installed = await seconds(async () => {
        await run('npm', ['init', '-y'], { cwd, env });
        await run('npm', ['pkg', 'set', 'type=module'], { cwd, env });
        await run(install.command, install.words, { cwd, env });
      });
      for (const [file, text] of Object.entries((await files?.()) ?? {})) {
        writeFileSync(path.join(cwd, file), text);
      }
      const pulled = await seconds(async () => {
        for (const { command, words } of pulls) await run(command, words, { cwd, env });
      });
      writeFileSync(path.join(cwd, `${name}.js`), programOf(name));
      let printed = '';
      const answered = await seconds(async () => {
        printed = (await run(start, program, { cwd, env })).stdout;
      });
      const { data } = JSON.parse(printed) as { readonly data: readonly object[] };
      if (data.length === 0) throw new Error(`The program of ${name} found no rows.`);
      const cells = [installed, pulls.length > 0 ? pulled : undefined, answered].map(
        (value) => value?.toFixed(1) ?? '',
      );
      return `| ${[title, ...cells].join(' | ')} |`;
    });
  } finally {
    await scratch.drop();
  }
}

const rows = await withFolder(async (folder) => {
  const { tarball } = packInto(folder);
  const lines: string[] = [];
  for (const application of applications) lines.push(await measured(application, tarball));
  return lines;
});
const table = [
  `| seconds on ${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(0)} | install | pull or generate | start to first answer |`,
  '| --- | --- | --- | --- |',
  ...rows,
].join('\n');
const text = readFileSync(page, 'utf8');
const old = /^\| seconds on .*\n(?:\|.*\n)+/m;
if (!old.test(text)) throw new Error('The page has no table of seconds.');
writeFileSync(page, text.replace(old, `${table}\n`));
console.log(table);
