/**
 * Runs the first example of the README and of each guide, as printed, from the packed package: with the packages that the
 * page says to install, on tables without a column for Sluice. Counts its lines, which the README tells.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type Host, installedWith, manifest, root } from '../package/package.ts';
import { freePort } from '../services/server-process.ts';

/** The first example of a document. */
interface QuickStart {
  readonly document: string;
  readonly code: string;
  /** The Prisma schema before the code. */
  readonly schema: string;
  /** The `json` block after the code. */
  readonly output: string;
  /** What the page says to install beside Sluice. */
  readonly packages: readonly string[];
}

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

function quickStart(document: string): QuickStart {
  const text = readFileSync(path.join(root, document), 'utf8');
  const [before = '', after = ''] = text.split(/^```ts\n(.*)/ms);
  const install = /npm i sluice ([^`\n]+)/.exec(before || text)?.[1];
  if (install === undefined) throw new Error(`${document} does not say what to install.`);
  return {
    document,
    code: after.slice(0, after.indexOf('\n```\n') + 1),
    schema: /^```prisma\n(.*?)^```/ms.exec(before)?.[1] ?? '',
    output: /^```json\n(.*?)^```/ms.exec(after)?.[1] ?? '',
    packages: install.trim().split(' '),
  };
}

const guides = ['drizzle', 'typeorm', 'prisma', 'sql'].map((name) => quickStart(`docs/${name}.md`));
const nest = quickStart('docs/nestjs.md');
const express = quickStart('README.md');
const all = [express, ...guides, nest];

let host: Host;
const servers: ChildProcess[] = [];

beforeAll(() => {
  host = installedWith(...new Set(all.flatMap(({ packages }) => packages)));
  // npm links the commands of packages and makes them executable.
  const bin = path.join(host.directory, 'node_modules/.bin');
  mkdirSync(bin);
  for (const [name, file] of Object.entries(manifest.bin)) {
    chmodSync(path.join(host.installed, file), 0o755);
    symlinkSync(path.join(host.installed, file), path.join(bin, name));
  }
});

afterAll(async () => {
  const running = servers.filter((server) => server.exitCode === null);
  await Promise.all(
    running.map((server) => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      return ended;
    }),
  );
  host?.remove();
});

/** The program of an example. Node runs TypeScript except for decorators, which are compiled first. */
async function program({ document, code, schema }: QuickStart): Promise<string> {
  const name = path.basename(document, '.md');
  if (schema !== '') {
    const bin = path.join(host.directory, 'node_modules/.bin');
    await runPrisma(host.write('schema.prisma', schema), 7, bin);
  }
  if (!/^ *@[A-Z]/m.test(code)) return host.write(`${name}.ts`, code);
  const options = { experimentalDecorators: true };
  const compiled = await transform(code, {
    loader: 'ts',
    tsconfigRaw: { compilerOptions: options },
  });
  return host.write(`${name}.mjs`, compiled.code);
}

/** Starts a server and returns its answers. */
async function serve(example: QuickStart, port: number) {
  const env = { ...process.env, PORT: String(port) };
  const server = spawn(process.execPath, [await program(example)], { cwd: host.directory, env });
  servers.push(server);
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()));
  }
  return async (route: string): Promise<unknown> => {
    for (;;) {
      if (server.exitCode !== null) throw new Error(`The server ended: ${output}`);
      const response = await fetch(`http://127.0.0.1:${port}${route}`).catch(() => undefined);
      if (response) return response.json();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}

describe.each(all)('the first example of $document', ({ document, code, schema, packages }) => {
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

  it('is as short as the README says', () => {
    const lines = `${schema}${code}`.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line));
    const link = document === 'README.md' ? '#list-endpoints' : document;
    const told = readme
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
  const answer = await serve(nest, await freePort());
  const expected: unknown = JSON.parse(nest.output);
  expect(await answer('/books?filter[year][gte]=1970')).toEqual(expected);
  expect(await answer('/books?search=FIAS')).toEqual(expected);
});

it('the application of the README answers on a database nobody has changed', async () => {
  const database = new Database(path.join(host.directory, 'app.db'));
  database.exec(`create table companies (id integer primary key, name text not null);
    create table users (id integer primary key, name text not null, age integer, company_id integer);
    insert into companies values (1, 'Acme');
    insert into users values (1, 'Ann', 30, 1), (2, 'Ben', 40, 1), (3, 'Cy', 17, 1), (4, 'Di', 50, null)`);
  database.close();
  const port = await freePort();
  expect(express.code).toContain('.listen(3000)');
  const code = express.code.replace('.listen(3000)', `.listen(${port})`);
  const answer = await serve({ ...express, code }, port);
  const request = /^GET (\S+)&page=2$/m.exec(readme)?.[1] ?? '';
  expect(await answer(request)).toMatchObject({
    data: [
      { id: 2, name: 'Ben', company: { name: 'Acme' } },
      { id: 1, name: 'Ann', company: { name: 'Acme' } },
    ],
    total: 2,
  });
  expect(await answer('/users?search=AN')).toMatchObject({ data: [{ id: 1, name: 'Ann' }] });
  expect(await answer('/users?sort=salary')).toMatchObject({ code: 'FIELD_NOT_ALLOWED' });
});
