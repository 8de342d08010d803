/** `sluice init`: looks at a project, and writes a list over one of its tables or a board over its queues. */

import { createInterface } from 'node:readline/promises';
import path from 'node:path';
import { UsageError, readArguments } from '../command.ts';
import type { Command, CommandOutput, ExitCode } from '../command.ts';
import { boardPlan } from './board/plan.ts';
import { partsOf } from './detect.ts';
import { frameworkRows } from './lists/frameworks.ts';
import { listPlan } from './lists/plan.ts';
import { sourceRows } from './lists/sources.ts';
import { mounting } from './mount.ts';
import type { InitOptions, InitPlan } from './plan.ts';
import { type Project, readProject } from './project.ts';
import { serverOf } from './server.ts';
import { changesOf, patchOf, writeChanges } from './write.ts';

const usage = `Usage: sluice init lists [options]
       sluice init board [options]

Looks at the project of this folder, says what it found, and shows as a patch what it would write:
a list endpoint over one of its tables, with rules that allow keys and plain columns to be seen and
what has an index to be filtered and sorted, or a board over its queues behind a token; and a test.
It asks before it writes, and writes over no file that differs.

What the project does not tell by itself
  --framework <name>   express, fastify, koa, hono, nest, next
  --source <name>      lists: drizzle, typeorm, prisma, knex, kysely, pg, mysql2, better-sqlite3,
                       node:sqlite
  --table <name>       lists: the table, where there are several
  --database <url>     lists without an ORM: where the tables are read; default: DATABASE_URL
  --connection <file#export>  lists: the connection, where none or several are exported
  --library <name>     board: bullmq, bull, pg-boss
  --queues <a,b>       board: names of queues, where no module exports them
Further
  --path </path>       path of the list or the board
  --file <file>        the new module; its rules and its test go beside it
  -y, --yes            write without asking, as scripts need it
  --help               show this help

Exit codes: 0 written, or nothing to do; 1 not written: somebody said no, nobody was there to ask, or
a file differs; 2 invalid usage, or something is missing that an option names.
`;

const flags = {
  framework: { type: 'string' },
  source: { type: 'string' },
  table: { type: 'string' },
  database: { type: 'string' },
  connection: { type: 'string' },
  library: { type: 'string' },
  queues: { type: 'string' },
  path: { type: 'string' },
  file: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const;

/** The options that belong to one of the two. */
const only = {
  lists: ['source', 'table', 'database', 'connection'],
  board: ['library', 'queues'],
} as const;

export const initCommand: Command = { usage, run };

async function run(
  args: readonly string[],
  output: CommandOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, flags);
  const [what, ...more] = positionals;
  if ((what !== 'lists' && what !== 'board') || more.length > 0) {
    throw new UsageError('write init lists, or init board.');
  }
  const other = what === 'lists' ? 'board' : 'lists';
  const foreign = only[other].find((name) => values[name] !== undefined);
  if (foreign !== undefined) throw new UsageError(`--${foreign} is of init ${other}.`);
  checkPaths(values);
  const project = readProject(process.cwd());
  checkEnding(project, values);
  output.out(foundText(project));
  const plan = withServer(
    project,
    what === 'lists' ? await listPlan(project, values) : boardPlan(project, values),
  );
  for (const line of plan.found) output.out(`  ${line}\n`);
  return carryOut(project, plan, values.yes === true, output, signal);
}

/** A project without any source gets an application, too. */
function withServer(project: Project, { mount, ...plan }: InitPlan): InitPlan {
  const server = serverOf(project, plan.framework, mount);
  if (!server) return { ...plan, ...(mount && { mount }) };
  const { language } = project.style;
  return {
    ...plan,
    modules: [...plan.modules, server],
    next: [...plan.next, ...(language === 'js' ? [`node ${server.file}`] : [])],
  };
}

function checkPaths({ path: route, file }: InitOptions): void {
  if (route !== undefined && !/^(\/[\w.-]+)+$/.test(route)) {
    throw new UsageError('--path must be a path such as /admin/users.');
  }
  if (file === undefined) return;
  const isInside =
    !path.isAbsolute(file) && path.posix.normalize(file) === file && !file.startsWith('..');
  if (!isInside || !/\.[mc]?[jt]s$/.test(file)) {
    throw new UsageError('--file must be a module of the project, such as src/users.ts.');
  }
}

/** A module of another language, or of another kind of modules, would not run beside those of the project. */
function checkEnding({ style }: Project, { file = '' }: InitOptions): void {
  const { language, modules, extension } = style;
  const foreign = modules === 'import' ? 'c' : 'm';
  const [, kind, of] = /\.([mc]?)([jt])s$/.exec(file) ?? [];
  if (of === undefined) return;
  if (`${of}s` !== language || (language === 'js' && kind === foreign)) {
    throw new UsageError(`--file must end in ${extension}, as the modules of this project do.`);
  }
}

function foundText(project: Project): string {
  const { style, packages } = project;
  const names = (rows: readonly { readonly name: string }[]): string =>
    rows.map(({ name }) => name).join(', ') || 'none';
  const queues = ['bullmq', 'bull', 'pg-boss'].filter((name) => packages.has(name));
  return `Found in ${project.root}:
  language: ${style.language === 'ts' ? 'TypeScript' : 'JavaScript'}, ${style.modules === 'import' ? 'ES modules' : 'CommonJS'}
  framework: ${names(partsOf(frameworkRows, project))}
  source of lists: ${names(partsOf(sourceRows, project))}
  queues: ${queues.join(', ') || 'none'}
`;
}

async function carryOut(
  project: Project,
  plan: InitPlan,
  yes: boolean,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const mounted = plan.mount && mounting(project, plan.framework, plan.mount);
  const edits = [...plan.edits, ...(mounted && 'edit' in mounted ? [mounted.edit] : [])];
  const { written, taken } = await changesOf(project, plan, edits);
  if (taken.length > 0) {
    const names = taken.map(({ file }) => file).join(', ');
    output.out(`\n${patchOf(taken)}\n`);
    output.err(
      `These files differ and are left as they are, so that nothing is written: ${names}. Add by hand what the patch above shows, or choose another place with --file.\n`,
    );
    return 1;
  }
  const lines = mounted && 'lines' in mounted ? mounted.lines : [];
  if (written.length === 0) {
    output.out('\nNothing to do: all files are there.\n');
    if (lines.length > 0) output.out(mountText(lines));
    return 0;
  }
  output.out(`\n${patchOf(written)}\n`);
  if (!yes && !(await isAgreed(output, signal))) return 1;
  await writeChanges(project, written);
  output.out(`Written: ${written.map(({ file }) => file).join(', ')}.\n`);
  if (lines.length > 0) output.out(mountText(lines));
  if (plan.next.length > 0) output.out(`Next:\n${plan.next.map((line) => `  ${line}\n`).join('')}`);
  return 0;
}

const mountText = (lines: readonly string[]): string =>
  `No single place to mount it was found. Add to the application, behind its authentication:\n${lines.map((line) => `  ${line}\n`).join('')}`;

async function isAgreed({ err }: CommandOutput, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    err('Nothing is written: --yes writes without asking.\n');
    return false;
  }
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await asked.question('Write these files? [y/N] ', { signal });
    if (/^y(es)?$/i.test(answer.trim())) return true;
    err('Nothing is written.\n');
    return false;
  } finally {
    asked.close();
  }
}
