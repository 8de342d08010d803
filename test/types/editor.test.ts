/** Editors offer the names of a typed registry inside a rules literal, and show rows and pages without generics. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRecord } from '../../src/lib/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const program = `
import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import type { Relation, Repository } from 'typeorm';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
@Entity() class Country {
  @PrimaryColumn() name!: string;
  @OneToMany(() => City, (city) => city.country) cities!: Relation<City>[];
}
@Entity() class City {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
  @ManyToOne(() => Country) country!: Relation<Country>;
}
const registry = typeormRegistry({ city: City, country: Country });
defineQueryRules(registry, 'city', {
  filters: [{ path: '', operators: ['eq'] }],
  sorts: [''],
  search: [''],
  includes: [''],
  fields: { root: { allowed: [''], default: ['id'] } },
});
const rules = defineQueryRules(registry, 'city', { fields: { root: { allowed: ['id', 'name'], default: ['id'] } } });
export const result = await runQuery(typeormSource({} as Repository<City>), '', rules);
`;
const programLines = program.split('\n');

/** The position of a text in the program, in the form of the protocol. */
function positionOf(text: string, offset: number) {
  const line = programLines.findIndex((each) => each.includes(text));
  return { line, character: (programLines[line] ?? '').indexOf(text) + offset };
}

let folder: string;
let server: ChildProcess;
let uri: string;
let lastId = 0;
const answers = new Map<unknown, (result: unknown) => void>();

function send(message: object): void {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function request(method: string, params: object): Promise<unknown> {
  lastId += 1;
  send({ id: lastId, method, params });
  const id = lastId;
  return new Promise((resolve) => answers.set(id, resolve));
}

/** Handles a message of the server: an answer, or a request of its own, which is declined. */
function receive(message: { readonly [key: string]: unknown }): void {
  if (message['method'] === undefined) answers.get(message['id'])?.(message['result']);
  else if (message['id'] !== undefined) send({ id: message['id'], result: null });
}

beforeAll(async () => {
  await mkdir(join(root, '.scratch'), { recursive: true });
  folder = await mkdtemp(join(root, '.scratch/editor-'));
  await writeFile(join(folder, 'rules.ts'), program);
  const config = { extends: join(root, 'tsconfig.json'), include: ['rules.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let received = Buffer.alloc(0);
  server.stdout?.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1'))?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      const message: unknown = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
      received = received.subarray(end + 4 + length);
      if (isRecord(message)) receive(message);
    }
  });
  uri = pathToFileURL(join(folder, 'rules.ts')).href;
  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
  });
  send({ method: 'initialized', params: {} });
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'typescript', version: 1, text: program } },
  });
}, 120_000);

afterAll(async () => {
  server.kill();
  await rm(folder, { recursive: true, force: true });
});

/** The names that the editor offers between the quotes that follow a text. */
async function offeredAfter(text: string): Promise<string[]> {
  const position = positionOf(`${text}''`, text.length + 1);
  const found = await request('textDocument/completion', { textDocument: { uri }, position });
  const items: unknown = isRecord(found) ? found['items'] : found;
  return (items as readonly { readonly label: string }[]).map(({ label }) => label).toSorted();
}

it.each([
  ['path: ', ['country', 'country.name', 'id', 'name']],
  ['sorts: [', ['country.name', 'id', 'name']],
  ['search: [', ['country.name', 'id', 'name']],
  ['includes: [', ['country']],
  ['allowed: [', ['id', 'name']],
] as const)('offers names after %s', { timeout: 120_000 }, async (text, names) => {
  expect(await offeredAfter(text)).toEqual(names);
});

it('shows the pages and the fields of a result', { timeout: 120_000 }, async () => {
  const position = positionOf('result = await', 1);
  const hover = await request('textDocument/hover', { textDocument: { uri }, position });
  const text = JSON.stringify(hover).replaceAll(/(?:\\n|\s)+/g, ' ');
  expect(text).toContain(
    'result: CountedResult<{ id?: number; name?: string; }> | UnpaginatedResult<{ id?: number; name?: string; }>',
  );
});
