/**
 * Runs the first example of the README and of each guide, and the application with Express of each, as printed, from the
 * packed package: with the packages that the page says to install, on tables without a column for Sluice. Counts the
 * lines, which docs/start.md tells.
 */

import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type Host, installedWith, manifest, root } from '../package/package.ts';
import { type Listening, printedAs, runnable, started } from './printed-program.ts';

/** The first example of a document. */
interface QuickStart {
  readonly document: string;
  /** The link in the table of lines of docs/start.md. */
  readonly link: string;
  readonly code: string;
  /** The Prisma schema before the code. */
  readonly schema: string;
  /** The `json` block after the code. */
  readonly output: string;
  /** The packages that the page says to install beside Sluice. */
  readonly packages: readonly string[];
}

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const start = readFileSync(path.join(root, 'docs/start.md'), 'utf8');

function quickStart(document: string): QuickStart {
  const text = readFileSync(path.join(root, document), 'utf8');
  const [before = '', after = ''] = text.split(/^```ts\n(.*)/ms);
  const install = /npm i sluice ([^`\n]+)/.exec(before || text)?.[1];
  if (install === undefined) throw new Error(`${document} does not say what to install.`);
  return {
    document,
    link:
      document === 'README.md'
        ? 'https://github.com/sluicejs/sluice#a-list'
        : path.basename(document),
    code: after.slice(0, after.indexOf('\n```\n') + 1),
    schema: /^```prisma\n(.*?)^```/ms.exec(before)?.[1] ?? '',
    output: /^```json\n(.*?)^```/ms.exec(after)?.[1] ?? '',
    packages: install.trim().split(' '),
  };
}

const guides = ['drizzle', 'typeorm', 'prisma', 'sql'].map((name) => quickStart(`docs/${name}.md`));
const nest = quickStart('docs/nestjs.md');
const express = quickStart('README.md');
/** The applications with Express of the guides, on the file `app.db`. */
const applications: readonly QuickStart[] = guides.map((guide) => ({
  ...guide,
  ...printedAs(guide.document, 'server.ts'),
  link: `${guide.link}#with-express`,
}));
const all = [express, ...guides, nest, ...applications];

let host: Host;
const servers: Listening[] = [];

beforeAll(() => {
  host = installedWith(...new Set(all.flatMap(({ packages }) => packages)));
  // npm links the commands of packages and makes them executable.
  const bin = path.join(host.directory, 'node_modules/.bin');
  mkdirSync(bin);
  for (const [name, file] of Object.entries(manifest.bin)) {
    chmodSync(path.join(host.installed, file), 0o755);
    symlinkSync(path.join(host.installed, file), path.join(bin, name));
  }
  // The README makes the database of its example.
  const script = /^node <<'end'\n(.*?)^end\n/ms.exec(readme)?.[1] ?? '';
  execFileSync(process.execPath, { cwd: host.directory, input: script });
  const database = new Database(path.join(host.directory, 'app.db'));
  database.exec(`create table city (id integer primary key, name text not null, population integer);
    insert into city values (1, 'Lima', 10092000), (2, 'Cusco', 428000), (3, 'Puno', null)`);
  database.close();
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  host?.remove();
});

/** Prisma's output for a schema, written once. */
const generated = new Map<string, Promise<unknown>>();

/** The program of an example. */
async function program({ document, code, schema }: QuickStart): Promise<string> {
  const name = path.basename(document, '.md');
  if (schema !== '') await prismaOutput(schema);
  const { file, text } = await runnable(name, code);
  return host.write(file, text);
}

function prismaOutput(schema: string): Promise<unknown> {
  const output =
    generated.get(schema) ??
    runPrisma(
      host.write('schema.prisma', schema),
      7,
      path.join(host.directory, 'node_modules/.bin'),
    );
  generated.set(schema, output);
  return output;
}

/** Starts a server and returns its answers. */
async function serve({ document, code, schema }: QuickStart) {
  if (schema !== '') await prismaOutput(schema);
  const server = await started(host, `${path.basename(document, '.md')}-server`, code);
  servers.push(server);
  return async (route: string): Promise<unknown> => (await server.answer(route)).json();
}

describe.each(all)('the first example at $link', ({ link, code, schema, packages }) => {
  it('imports what the page says to install', () => {
    const imported = [...code.matchAll(/(?:from|import) '([^.'][^']*)'/g)].map(([, name = '']) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
    expect(imported.filter((name) => name !== 'sluice' && !packages.includes(name))).toEqual([]);
  });

  it('needs no companion, and searches', () => {
    expect(code).not.toMatch(/fold/i);
    expect(code).toContain('search: [');
  });

  it('is as short as the page of the start says', () => {
    const lines = `${schema}${code}`.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line));
    const told = start
      .split(`](${link})`)
      .flatMap((after) => /^[^|\n]*\| (\d+) \|$/m.exec(after.split('\n')[0] ?? '')?.[1] ?? []);
    expect(told).toEqual([String(lines.length)]);
  });
});

it.concurrent.each(guides)('the first example of $document prints what it says', async (guide) => {
  const file = await program(guide);
  const run = promisify(execFile)(process.execPath, [file], { cwd: host.directory });
  expect(guide.output).not.toBe('');
  expect((await run).stdout).toBe(guide.output);
});

it('the application of the NestJS guide answers what it says', async () => {
  const answer = await serve(nest);
  const expected: unknown = JSON.parse(nest.output);
  expect(await answer('/books?filter[year][gte]=1970')).toEqual(expected);
  expect(await answer('/books?search=FIAS')).toEqual(expected);
});

it('the application of the README answers on a database nobody has changed', async () => {
  const answer = await serve(express);
  const request = /^curl -g 'localhost:3000(\S+)'$/m.exec(readme)?.[1] ?? '';
  expect(JSON.stringify(await answer(request))).toBe(express.output.trim());
  expect(await answer('/users?search=AN')).toMatchObject({ data: [{ id: 1, name: 'Ann' }] });
  expect(await answer('/users?sort=salary')).toMatchObject({ code: 'FIELD_NOT_ALLOWED' });
});

it.concurrent.each(applications)('the application of $document answers', async (application) => {
  const answer = await serve(application);
  const request = /^GET (\S+)$/m.exec(
    readFileSync(path.join(root, application.document), 'utf8'),
  )?.[1];
  expect(await answer(request ?? '')).toEqual({
    data: [
      { name: 'Lima', population: 10_092_000 },
      { name: 'Cusco', population: 428_000 },
    ],
    page: 1,
    perPage: 10,
    total: 2,
    lastPage: 1,
  });
  expect(await answer('/cities?search=LIM&fields=name')).toMatchObject({
    data: [{ name: 'Lima' }],
  });
  expect(await answer('/cities?sort=mayor')).toMatchObject({ code: 'FIELD_NOT_ALLOWED' });
});
