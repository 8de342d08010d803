/** Programs of the documents, run as printed in a host with the packed package. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { type Host, root } from '../package/package.ts';
import { freePort } from '../services/server-process.ts';

/** The text of a document under a heading, to its end; all of it without a heading. */
export function sectionOf(document: string, heading?: string): string {
  const text = readFileSync(path.join(root, document), 'utf8');
  if (heading === undefined) return text;
  const section = text.split(new RegExp(`\n##+ ${heading}\n`))[1];
  if (section === undefined) throw new Error(`${document} has no heading "${heading}".`);
  return section;
}

/** The packages beside Sluice that a text says to install first. */
function packagesIn(text: string): readonly string[] {
  const install = /npm i sluice ([^`\n]+)/.exec(text)?.[1];
  if (install === undefined) throw new Error('The text does not say what to install.');
  return install.trim().split(' ');
}

/** A program of a document, and the packages beside Sluice that its page says to install. */
export interface Printed {
  readonly code: string;
  readonly packages: readonly string[];
}

/** The block whose first line names the file, and the text before it. */
export function programIn(
  document: string,
  file: string,
): { readonly code: string; readonly before: string } {
  const text = sectionOf(document);
  const start = text.indexOf(`\`\`\`ts\n// ${file}\n`);
  if (start < 0) throw new Error(`${document} has no program "${file}".`);
  const code = text.slice(start + 6, text.indexOf('\n```', start) + 1);
  return { code, before: text.slice(0, start) };
}

/** The block whose first line names the file; its packages are those that the text before it names last. */
export function printedAs(document: string, file: string): Printed {
  const { code, before } = programIn(document, file);
  return { code, packages: packagesIn(before.slice(before.lastIndexOf('npm i sluice'))) };
}

/** The first TypeScript block under a heading; `use` is the line of the table of packages in docs/start.md. */
export function printedUnder(document: string, heading: string, use: string): Printed {
  const code = /```ts\n(.*?)```/s.exec(sectionOf(document, heading))?.[1];
  if (code === undefined) throw new Error(`${document} has no program under "${heading}".`);
  const table = sectionOf('docs/start.md');
  return { code, packages: packagesIn(table.slice(table.indexOf(`| ${use} |`))) };
}

/** Replaces every occurrence, because a page names another database and port; at least one must be there. */
export function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The program does not contain ${from}.`);
  return text.replaceAll(from, to);
}

/** A program in a form that Node.js runs: it runs TypeScript, except for decorators, which are compiled first. */
export async function runnable(
  name: string,
  code: string,
): Promise<{ readonly file: string; readonly text: string }> {
  if (!/^ *@[A-Z]/m.test(code)) return { file: `${name}.ts`, text: code };
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
  const compiled = await transform(code, { loader: 'ts', tsconfigRaw });
  return { file: `${name}.mjs`, text: compiled.code };
}

/** A program that listens. */
export interface Listening {
  /** The response of the program once it listens. */
  answer(route: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a program that a page shows with `listen(3000)`, or with a port from `PORT`, on a free port. */
export async function started(host: Host, name: string, code: string): Promise<Listening> {
  const port = await freePort();
  const listening = code.includes(`process.env['PORT']`)
    ? code
    : replaced(code, 'listen(3000)', `listen(${port}, '127.0.0.1')`);
  const { file, text } = await runnable(name, listening);
  const env = { ...process.env, PORT: String(port) };
  const args = [host.write(file, text)];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: host.directory, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  }
  return {
    async answer(route, init) {
      for (;;) {
        if (child.exitCode !== null) throw new Error(`The program ended: ${output}`);
        const response = await fetch(`http://127.0.0.1:${port}${route}`, init).catch(() => null);
        if (response) return response;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}
