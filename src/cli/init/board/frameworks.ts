/** The modules of a board under each framework. */

import { type Code, type Import, typed, variable } from '../code.ts';
import type { FrameworkName, Written } from '../lists/frameworks.ts';
import type { Style } from '../project.ts';

/** A queue that a new module opens. */
export interface OpenedQueue {
  readonly local: string;
  /** The expression that makes it. */
  readonly made: string;
}

/** The values of the templates of a board. */
export interface BoardParts {
  /** Path of the board, such as `/admin/queues`. */
  readonly path: string;
  /** The module that makes it. */
  readonly file: string;
  readonly style: Style;
  /** Folder of routes that the framework mounts itself, ending in a slash. */
  readonly routes: string | undefined;
  /** Lines of the options of `createBoard`. */
  readonly options: string;
  /** The queues that the module opens, and therefore closes. */
  readonly opened: readonly OpenedQueue[];
  readonly imports: readonly Import[];
  /** Names of queues that NestJS has registered. */
  readonly registered: readonly string[];
  readonly library: string;
  readonly own: (file: string, name: string, into: string) => Import;
}

const doc =
  'The board of the queues. It asks for the token of BOARD_TOKEN; without it, nobody may enter.';

const authImports: readonly Import[] = [
  { from: 'node:crypto', names: ['randomUUID'] },
  { from: 'sluice/auth', names: ['createAuthMiddleware'] },
];

const auth = ({ style, path }: BoardParts): string => `const auth = createAuthMiddleware(
  {
    strategy: 'token',
    tokens: [${variable('BOARD_TOKEN', style)} ?? randomUUID()],
    cookie: {
      secret: ${variable('BOARD_SESSION_SECRET', style)} ?? randomUUID(),
    },
  },
  { basePath: '${path}' },
);`;

const declared = (opened: readonly OpenedQueue[], word: string): string =>
  opened.map(({ local, made }) => `${word} ${local} = ${made};\n`).join('');

/** The end of the queues of the module. A queue of BullMQ 5 that is closed while it connects rejects where nobody catches. */
function closing({ opened, library }: BoardParts, owner = ''): string {
  const all = (call: string): string =>
    `([${opened.map(({ local }) => `${owner}${local}.${call}()`).join(', ')}])`;
  const close = `await Promise.all${all('close')};`;
  if (library === 'bull') return close;
  return `// A queue that is closed while it connects may reject later.
const connected = Promise.allSettled${all('waitUntilReady')};
await Promise.race([connected, setTimeout(1_000, undefined, { ref: false })]);
${close}`;
}

const closingImports = ({ opened, library }: BoardParts): readonly Import[] =>
  opened.length === 0 || library === 'bull'
    ? []
    : [{ from: 'node:timers/promises', names: ['setTimeout'] }];

const indented = (text: string, blanks: string): string => text.replaceAll(/^(?=.)/gm, blanks);

/** Frameworks without an end of the application have a function that the host calls. */
const closer = (parts: BoardParts): string =>
  parts.opened.length === 0
    ? ''
    : `
/** Closes the board and the queues of this module: for the end of the application, and for its tests. */
export const closeQueuesBoard = async () => {
  await board.close();
${indented(closing(parts), '  ')}
};
`;

/** The module of a board; `made` is a server adapter, `exported` what the host mounts of it. */
function boardCode(parts: BoardParts, from: string, adapter?: string, exported = ''): Code {
  const { file, options, opened, imports } = parts;
  const isShared = from === 'sluice/board';
  const server = adapter === undefined ? '' : `const serverAdapter = new ${adapter}();\n`;
  return {
    file,
    doc,
    imports: [
      ...authImports,
      ...closingImports(parts),
      ...imports,
      {
        from: 'sluice/board',
        names: ['createBoard', ...(isShared && adapter !== undefined ? [adapter] : [])],
      },
      ...(isShared || adapter === undefined ? [] : [{ from, names: [adapter] }]),
    ],
    body: `${opened.length === 0 ? '' : `${declared(opened, 'export const')}\n`}${auth(parts)}
${server}
export const board = createBoard({
${adapter === undefined ? '' : '  serverAdapter,\n'}  auth,
${options}});
${closer(parts)}${exported}`,
  };
}

/** A board under a framework whose application is given a handler. */
const mounted =
  (
    from: string,
    adapter: string,
    handler: string,
    type: Import | undefined,
    statement: (app: string, path: string) => string,
  ) =>
  (parts: BoardParts): Written => {
    const annotation = type?.types?.[0];
    const exported = `\nexport const queuesBoard${annotation === undefined ? '' : typed(`: ${annotation}`)} = serverAdapter${handler};`;
    const code = boardCode(parts, from, adapter, exported.replaceAll('$path', parts.path));
    return {
      modules: [{ ...code, imports: [...code.imports, ...(type ? [type] : [])] }],
      mount: {
        name: 'queuesBoard',
        file: parts.file,
        statement: (app) => statement(app, parts.path),
      },
    };
  };

/** A plugin: each application has a board and queues of its own, which end with it. */
function fastifyBoard(parts: BoardParts): Written {
  const { file, path, options, opened, imports } = parts;
  const end = indented(closing(parts), '    ');
  const queues =
    opened.length === 0 ? '' : `\n  app.addHook('onClose', async () => {\n${end}\n  });`;
  return {
    modules: [
      {
        file,
        doc,
        imports: [
          ...authImports,
          ...closingImports(parts),
          ...imports,
          { from: 'fastify', types: ['FastifyPluginAsync'] },
          { from: 'sluice/board', names: ['createBoard'] },
          { from: 'sluice/board/fastify', names: ['FastifyAdapter'] },
        ],
        body: `${auth(parts)}

export const queuesBoard${typed(': FastifyPluginAsync')} = async (app) => {
${indented(declared(opened, 'const'), '  ')}  const serverAdapter = new FastifyAdapter();
  const board = createBoard({
    serverAdapter,
    auth,
${indented(options, '  ')}  });
  // Its streams end first: the server waits for them.
  app.addHook('preClose', () => board.close());${queues}
  await app.register(serverAdapter.registerPlugin());
};`,
      },
    ],
    mount: {
      name: 'queuesBoard',
      file,
      statement: (app) => `${app}.register(queuesBoard, { prefix: '${path}' });`,
    },
  };
}

/** A route that the framework mounts itself. */
function withRoute(
  parts: BoardParts,
  code: Code,
  route: string,
  body: string,
  name: string,
  imports: readonly Import[],
): Written {
  const file = `${parts.routes ?? ''}${parts.path.slice(1)}/${route}${parts.style.extension}`;
  return {
    modules: [
      code,
      {
        file,
        doc: `The board at ${parts.path}.`,
        imports: [...imports, parts.own(parts.file, name, file)],
        body,
      },
    ],
  };
}

export const boardTemplates: Readonly<Record<FrameworkName, (parts: BoardParts) => Written>> = {
  express: mounted(
    'sluice/board',
    'ExpressAdapter',
    '.getRouter()',
    undefined,
    (app, path) => `${app}.use('${path}', queuesBoard);`,
  ),
  koa: mounted(
    'sluice/board/koa',
    'KoaAdapter',
    ".setBasePath('$path').registerPlugin()",
    undefined,
    (app) => `${app}.use(queuesBoard);`,
  ),
  hono: mounted(
    'sluice/board/hono',
    'HonoAdapter',
    '.registerPlugin()',
    undefined,
    (app, path) => `${app}.route('${path}', queuesBoard);`,
  ),
  fastify: (parts) => {
    const { modules, mount } = fastifyBoard(parts);
    const [code] = modules;
    if (parts.routes === undefined || !code) return { modules, ...(mount && { mount }) };
    return withRoute(parts, code, 'index', 'export default queuesBoard;', 'queuesBoard', []);
  },
  next: (parts) =>
    withRoute(
      parts,
      boardCode(parts, 'sluice/board'),
      '[[...path]]/route',
      'export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =\n  nextBoard(board);',
      'board',
      [{ from: 'sluice/board/next', names: ['nextBoard'] }],
    ),
  nest: nestBoard,
};

/** A module. It opens queues with each application and closes them after it. */
function nestBoard(parts: BoardParts): Written {
  const { file, path, options, opened, imports, registered, library } = parts;
  const isOpening = opened.length > 0;
  const features = registered.map((name) =>
    library === 'bull' ? `{ name: '${name}', library: 'bull' }` : `{ name: '${name}' }`,
  );
  const feature =
    features.length === 0 ? '' : `\n    BoardModule.forFeature(${features.join(', ')}),`;
  // Queues that the module opens are added once there is an application.
  const own =
    options === '' || isOpening
      ? ''
      : `${options.trim().replace(/,$/, '').replaceAll(/\n +/g, ' ')}, `;
  const wrap = library === 'bull' ? 'bullQueue' : 'bullmqQueue';
  const members = `{
${indented(declared(opened, 'private readonly'), '  ')}
  constructor(@InjectBoard() private readonly board: KvqBoard) {}

  onModuleInit() {
${opened.map(({ local }) => `    this.board.addQueue(${wrap}(this.${local}));\n`).join('')}  }

  async onApplicationShutdown() {
${indented(closing(parts, 'this.'), '    ')}
  }
}`;
  return {
    modules: [
      {
        file,
        doc,
        imports: [
          ...authImports,
          ...closingImports(parts),
          ...imports,
          {
            from: '@nestjs/common',
            names: ['Module'],
            types: isOpening ? ['OnApplicationShutdown', 'OnModuleInit'] : [],
          },
          { from: 'sluice/nestjs', names: ['BoardModule', ...(isOpening ? ['InjectBoard'] : [])] },
          { from: 'sluice/board', types: isOpening ? ['KvqBoard'] : [] },
        ],
        body: `${auth(parts)}

@Module({
  imports: [
    BoardModule.forRoot({ route: '${path}', ${own}auth }),${feature}
  ],
})
export class QueuesBoardModule ${isOpening ? `implements OnModuleInit, OnApplicationShutdown ${members}` : '{}'}`,
      },
    ],
    mount: { name: 'QueuesBoardModule', file, statement: () => 'QueuesBoardModule' },
  };
}
