/** The files of `sluice init board`: a board over the queues of a project, behind a token, and a test that it asks for it. */

import { UsageError } from '../../command.ts';
import { type Import, importOf, variable } from '../code.ts';
import { type Maker, connectionsOf } from '../connections.ts';
import { type Part, thePart } from '../detect.ts';
import { type FrameworkName, frameworkRows } from '../lists/frameworks.ts';
import { rootModule } from '../mount.ts';
import type { InitOptions, InitPlan } from '../plan.ts';
import { routesFolder, sourceFolder } from '../places.ts';
import type { Project } from '../project.ts';
import { type ExportRef, keyOf, propertiesOf, textOf, walk } from '../syntax.ts';
import { testCode, testCommand, testFile } from '../testing.ts';
import { type BoardParts, type OpenedQueue, boardTemplates } from './frameworks.ts';

type LibraryName = 'bullmq' | 'bull' | 'pg-boss';

/** A library of queues. */
interface LibraryRow extends Part<LibraryName> {
  readonly maker: Maker;
  /** The function of `sluice/board` that takes a queue; absent for an instance of pg-boss. */
  readonly wrap?: string;
  /** The package with which NestJS registers queues. */
  readonly nest?: string;
  /** Makes a queue of a name. */
  made?(name: string, url: string): string;
  readonly imports?: Import;
}

const libraries: readonly LibraryRow[] = [
  {
    name: 'bullmq',
    packages: ['bullmq'],
    maker: { from: /^bullmq$/, names: ['Queue'] },
    wrap: 'bullmqQueue',
    nest: '@nestjs/bullmq',
    made: (name, url) =>
      `new Queue('${name}', {\n  connection: { url: ${url} ?? 'redis://localhost:6379' },\n})`,
    imports: { from: 'bullmq', names: ['Queue'] },
  },
  {
    name: 'bull',
    packages: ['bull'],
    maker: { from: /^bull$/, names: ['Bull', 'Queue', 'default'] },
    wrap: 'bullQueue',
    nest: '@nestjs/bull',
    made: (name, url) => `new Bull('${name}', ${url} ?? 'redis://localhost:6379')`,
    imports: { from: 'bull', default: 'Bull' },
  },
  {
    name: 'pg-boss',
    packages: ['pg-boss'],
    maker: { from: /^pg-boss$/, names: ['PgBoss', 'default'] },
  },
];

/** The queues of a board. */
interface Queues {
  readonly found: readonly string[];
  /** The options of `createBoard` beside `auth` and `serverAdapter`. */
  readonly options: string;
  /** The queues that the module of the board opens. */
  readonly opened: readonly OpenedQueue[];
  readonly imports: (into: string) => readonly Import[];
  /** Names of queues of the project that a test closes. */
  readonly closed: readonly string[];
  readonly closedImports: (into: string) => readonly Import[];
  /** Names of queues that NestJS has registered. */
  readonly registered: readonly string[];
}

/** Frameworks whose applications have an end, with which the board closes by itself. */
const hasEnd: readonly FrameworkName[] = ['fastify', 'nest'];

/** The plan of a board. */
export function boardPlan(project: Project, options: InitOptions): InitPlan {
  const framework = thePart(frameworkRows, project, 'framework', options.framework);
  const library = thePart<LibraryName, LibraryRow>(libraries, project, 'library', options.library);
  const { style } = project;
  const path = options.path ?? '/admin/queues';
  const isNest = framework.name === 'nest';
  const named = `${isNest ? 'queues-board.module' : 'queues-board'}${style.extension}`;
  const file = options.file ?? sourceFolder(project, framework.name) + named;
  const queues = queuesOf(project, library, isNest, options.queues, file);
  const parts: BoardParts = {
    path,
    file,
    style,
    routes: routesFolder(project, framework.name),
    options: queues.options,
    opened: queues.opened,
    imports: queues.imports(file),
    registered: queues.registered,
    own: (from, name, into) => importOf({ file: from, name }, name, into, style),
    library: library.name,
  };
  const written = boardTemplates[framework.name](parts);
  const test = isNest
    ? nestTest(project, parts)
    : boardTest(project, framework.name, parts, queues);
  return {
    found: queues.found,
    framework,
    modules: [...written.modules, ...(test ? [test] : [])],
    ...(written.mount && { mount: written.mount }),
    edits: [],
    next: [
      ...(test ? [testCommand(project, test.file)] : []),
      ...(hasEnd.includes(framework.name) || queues.opened.length === 0
        ? []
        : ['call closeQueuesBoard() where the application ends, and in tests that import it']),
      `BOARD_TOKEN=<at least 16 characters>, then open ${path}: without it nobody may enter`,
    ],
  };
}

function queuesOf(
  project: Project,
  library: LibraryRow,
  isNest: boolean,
  names: string | undefined,
  file: string,
): Queues {
  const none = {
    opened: [],
    imports: () => [],
    closed: [],
    closedImports: () => [],
    registered: [],
  };
  const url = (name: string): string => variable(name, project.style);
  if (isNest && library.nest !== undefined && project.packages.has(library.nest)) {
    const registered = names?.split(',') ?? registeredQueues(project);
    if (registered.length > 0) {
      return { ...none, found: [`queues: ${registered.join(', ')}`], options: '', registered };
    }
  }
  const { wrap, made, imports } = library;
  if (names !== undefined && wrap !== undefined && made && imports) {
    const list = [...new Set(names.split(','))];
    if (list.some((name) => !/^[\w.-]+$/.test(name))) {
      throw new UsageError('--queues must be names of queues, separated by commas.');
    }
    const variables = distinct(list.map((name) => camel(name)));
    const opened = list.map((name, at) => ({
      local: `${variables[at] ?? ''}Queue`,
      made: made(name, url('REDIS_URL')),
    }));
    return {
      ...none,
      found: [`queues: ${names}, on the Redis of REDIS_URL`],
      opened,
      options: queueList(
        wrap,
        opened.map(({ local }) => local),
      ),
      imports: () => [imports, { from: 'sluice/board', names: [wrap] }],
    };
  }
  const all = connectionsOf(project, library.maker).filter(({ module }) => module.file !== file);
  const found = all.flatMap(({ ref, local }) => (ref ? [{ ref, local: localOf(ref, local) }] : []));
  const variables = distinct(found.map(({ local }) => local));
  const exported = found.map(({ ref, local }, at) => ({ ref, local: variables[at] ?? local }));
  const refs = (into: string): readonly Import[] =>
    exported.map(({ ref, local }) => importOf(ref, local, into, project.style));
  if (wrap === undefined) {
    const [boss] = exported;
    return {
      ...none,
      found: [boss ? `pg-boss: ${boss.ref.file}` : 'pg-boss: on the PostgreSQL of DATABASE_URL'],
      options: `  engine: 'pgq',\n  pgq: { ${boss ? `instance: ${boss.local}` : `connection: ${url('DATABASE_URL')} ?? ''`} },\n`,
      imports: boss ? refs : none.imports,
    };
  }
  if (exported.length === 0) {
    const [hidden] = all;
    throw new UsageError(
      hidden
        ? `${hidden.module.file} makes a queue and does not export it: export it, or name the queues with --queues.`
        : 'no module of the project exports a queue: name the queues with --queues a,b.',
    );
  }
  const locals = exported.map(({ local }) => local);
  return {
    ...none,
    found: [`queues: ${exported.map(({ ref, local }) => `${local} of ${ref.file}`).join(', ')}`],
    options: queueList(wrap, locals),
    imports: (into) => [...refs(into), { from: 'sluice/board', names: [wrap] }],
    closed: locals,
    closedImports: refs,
  };
}

const localOf = (ref: ExportRef, local: string): string =>
  ref.name === 'default' || ref.name === '=' ? local : ref.name;

const queueList = (wrap: string, locals: readonly string[]): string =>
  `  queues: [${locals.map((local) => `${wrap}(${local})`).join(', ')}],\n`;

const camel = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, next: string) => next.toUpperCase())
    .replace(/^[^a-z]/i, '_$&');

/** Variables of these names, with a number where one is taken: by `a-b` and `a.b`, or by another module. */
const distinct = (names: readonly string[]): readonly string[] =>
  names.map((name, at) => (names.indexOf(name) === at ? name : `${name}_${at + 1}`));

/** Names of `BullModule.registerQueue({ name })`. */
function registeredQueues(project: Project): readonly string[] {
  const names = new Set<string>();
  for (const { statements } of project.modules('registerQueue')) {
    for (const statement of statements) {
      walk(statement, (node) => {
        if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
        if (!keyOf(node.callee.property)?.startsWith('registerQueue')) return;
        for (const argument of node.arguments) {
          const name = argument.type === 'ObjectExpression' && propertiesOf(argument).get('name');
          const text = name ? textOf(name) : undefined;
          if (text !== undefined) names.add(text);
        }
      });
    }
  }
  return [...names];
}

/** The test of a board; it closes what it has opened before it compares. */
function boardTest(
  project: Project,
  framework: FrameworkName,
  { file, path, own }: BoardParts,
  { opened, closed, closedImports }: Queues,
) {
  const test = testFile(project, file);
  const isFastify = framework === 'fastify';
  const end = isFastify
    ? 'await app.close();'
    : opened.length > 0
      ? 'await closeQueuesBoard();'
      : 'await board.close();';
  const used = isFastify
    ? ['queuesBoard']
    : opened.length > 0
      ? ['board', 'closeQueuesBoard']
      : ['board'];
  const asked = isFastify
    ? `const app = fastify();
await app.register(queuesBoard, { prefix: '${path}' });
const answer = await app.inject('${path}/api/queues');`
    : `const request = new Request('http://localhost${path}/api/queues');
const answer = await board.fetch(request, { basePath: '${path}' });`;
  const all = closed.map((name) => `${name}.close()`).join(', ');
  return testCode(
    project,
    test,
    'Holds the board against requests without a token.',
    [
      ...used.map((name) => own(file, name, test)),
      ...(isFastify ? [{ from: 'fastify', names: ['fastify'] }] : []),
      ...closedImports(test),
    ],
    '',
    [
      {
        name: 'asks for a token',
        isAsync: true,
        before: `${asked}\n${end}${closed.length > 0 ? `\nawait Promise.all([${all}]);` : ''}`,
        actual: isFastify ? 'answer.statusCode' : 'answer.status',
        expected: '401',
      },
    ],
  );
}

/** The test of a board of NestJS, in the application: that is where its queues are registered. */
function nestTest(project: Project, { file, path }: BoardParts) {
  const root = rootModule(project);
  const name = root?.module.exports.get(root.name);
  if (!root || name === undefined || !project.packages.has('@nestjs/testing')) return undefined;
  const test = testFile(project, file);
  const app = importOf({ file: root.module.file, name }, root.name, test, project.style);
  return testCode(
    project,
    test,
    'Holds the board against requests without a token.',
    [{ from: '@nestjs/testing', names: ['Test'] }, app],
    '',
    [
      {
        name: 'asks for a token',
        isAsync: true,
        startsApplication: true,
        before: `const module = await Test.createTestingModule({ imports: [${root.name}] }).compile();
const app = module.createNestApplication();
await app.listen(0);
const answer = await fetch(\`\${await app.getUrl()}${path}/api/queues\`);
await app.close();`,
        actual: 'answer.status',
        expected: '401',
      },
    ],
  );
}
