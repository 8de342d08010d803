/** The modules of a board under each framework. */

import { type Code, type Import, typed, variable } from '../code.ts';
import type { FrameworkName, Written } from '../lists/frameworks.ts';
import type { Style } from '../project.ts';

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
  /** Statements before the board. */
  readonly declared: string;
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

/** The module of a board; `made` is a server adapter, `exported` what the host mounts of it. */
function boardCode(parts: BoardParts, from: string, adapter?: string, exported = ''): Code {
  const { file, options, declared, imports } = parts;
  const isShared = from === 'sluice/board';
  const server = adapter === undefined ? '' : `const serverAdapter = new ${adapter}();\n`;
  return {
    file,
    doc,
    imports: [
      ...authImports,
      ...imports,
      {
        from: 'sluice/board',
        names: ['createBoard', ...(isShared && adapter !== undefined ? [adapter] : [])],
      },
      ...(isShared || adapter === undefined ? [] : [{ from, names: [adapter] }]),
    ],
    body: `${declared === '' ? '' : `${declared}\n\n`}${auth(parts)}
${server}
export const board = createBoard({
${adapter === undefined ? '' : '  serverAdapter,\n'}  auth,
${options}});
${exported}`,
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

const fastify = mounted(
  'sluice/board/fastify',
  'FastifyAdapter',
  '.registerPlugin()',
  undefined,
  (app, path) => `${app}.register(queuesBoard, { prefix: '${path}' });`,
);

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
    const { modules, mount } = fastify(parts);
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
  nest: (parts) => {
    const { file, path, options, declared, imports, registered, library } = parts;
    const feature = registered
      .map((name) =>
        library === 'bull' ? `{ name: '${name}', library: 'bull' }` : `{ name: '${name}' }`,
      )
      .join(', ');
    const own =
      options === '' ? '' : `${options.trim().replace(/,$/, '').replaceAll(/\n +/g, ' ')}, `;
    const features = feature === '' ? '' : `\n    BoardModule.forFeature(${feature}),`;
    return {
      modules: [
        {
          file,
          doc,
          imports: [
            ...authImports,
            ...imports,
            { from: '@nestjs/common', names: ['Module'] },
            { from: 'sluice/nestjs', names: ['BoardModule'] },
          ],
          body: `${declared === '' ? '' : `${declared}\n\n`}${auth(parts)}

@Module({
  imports: [
    BoardModule.forRoot({ route: '${path}', ${own}auth }),${features}
  ],
})
export class QueuesBoardModule {}`,
        },
      ],
      mount: { name: 'QueuesBoardModule', file, statement: () => 'QueuesBoardModule' },
    };
  },
};
