/** A client that openapi-typescript generates from the documents type checks, and works on live boards of both engines. */

import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compile } from '../../../tools/tsc.ts';
import { cells } from '../kvq/cells.ts';
import type { CellWorld } from '../kvq/cell.ts';
import { serveBoard } from '../kvq/http-board.ts';
import type { ServedBoard } from '../kvq/http-board.ts';
import { newestLibrary } from '../pgq/libraries.ts';
import { makeWorld } from '../pgq/world.ts';
import type { World } from '../pgq/world.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = fileURLToPath(new URL('generated-client-program.txt', import.meta.url));
const run = promisify(execFile);

// The generator uses the compiler as a library, which the one of this project is not any more.
const hook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5.9' : name, context),
  });
`)}`;

let folder: string;
let kvq: CellWorld | undefined;
let kvqBoard: ServedBoard | undefined;
let pgq: World;
let pgqUrl: string;

beforeAll(async () => {
  await mkdir(join(root, '.scratch'), { recursive: true });
  folder = await mkdtemp(join(root, '.scratch/generated-client-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const opened = await cells[0]?.open();
  if (opened && !('missing' in opened)) kvq = opened;
  const queue = await kvq?.queue('mail');
  if (queue) kvqBoard = await serveBoard([queue.boardQueue()]);
  pgq = await makeWorld(newestLibrary, 'pgq_generated_client');
  await pgq.boss.createQueue('mail');
  pgqUrl = (await pgq.board({ instance: pgq.boss })).origin;
});

afterAll(async () => {
  await kvqBoard?.close();
  await kvq?.close();
  await pgq?.close();
  await rm(folder, { recursive: true, force: true });
});

it('has the types of the documents, and drives boards of both engines', async (context) => {
  if (!kvqBoard) return context.skip();
  const cli = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  const generate = (engine: string) => {
    const document = join(root, `docs/openapi/${engine}.json`);
    const flags = ['--default-non-nullable', 'false', '-o', join(folder, `${engine}.d.ts`)];
    return run(process.execPath, ['--import', hook, cli, document, ...flags]);
  };
  await Promise.all([generate('kvq'), generate('pgq')]);
  await copyFile(program, join(folder, 'program.ts'));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { lib: ['es2023', 'dom'] },
    include: ['program.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(await compile(root, '-p', folder)).toBe('');
  const copied = join(folder, 'program.ts');
  const { stdout } = await run(process.execPath, [copied, kvqBoard.url, pgqUrl]);
  expect(stdout.trim()).toBe('both boards were driven');
});
