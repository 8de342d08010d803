/** The modules of a list under each framework, beside that of its rules. */

import { posix } from 'node:path';
import { type Code, type Import, typed } from '../code.ts';
import type { Maker } from '../connections.ts';
import type { Part } from '../detect.ts';
import type { ListNames } from '../names.ts';
import type { Snippet } from './sources.ts';

export type FrameworkName = 'nest' | 'next' | 'express' | 'fastify' | 'koa' | 'hono';

/** The values of the templates of a framework. */
export interface ListParts {
  readonly names: ListNames;
  /** Path of the list, such as `/users`. */
  readonly path: string;
  /** Path of the only column of the key; absent where there are several. */
  readonly key: string | undefined;
  /** Imports the rules and what the source needs into a module. */
  readonly rules: (into: string) => readonly Import[];
  readonly source: (into: string) => Snippet;
  /** The provider that NestJS injects, as the parameter of a constructor, and the modules that provide it. */
  readonly injected?: (into: string) => Injected;
  /** Imports an export of one new module into another. */
  readonly own: (file: string, name: string, into: string) => Import;
}

/** A connection that NestJS injects. */
export interface Injected {
  /** The parameter of a constructor: `dataSource: DataSource`. */
  readonly parameter: string;
  readonly imports: readonly Import[];
  /** Members of the module of the list, such as `imports: [PrismaModule], `. */
  readonly metadata: string;
  readonly providers: readonly Import[];
}

/** Folders of the project. */
export interface Places {
  /** The module of the list, its path without an ending, and whether it is the caller's choice. */
  readonly file: string;
  readonly stem: string;
  readonly isNamed: boolean;
  /** Folder of routes that the framework mounts itself, ending in a slash. */
  readonly routes: string | undefined;
  readonly extension: string;
}

/** The files to write, and how the host mounts them. */
export interface Written {
  readonly modules: readonly Code[];
  /** Absent where the framework mounts the module by itself. */
  readonly mount?: Mount;
}

/** The line that mounts a module in the host. */
export interface Mount {
  /** The export that is mounted. */
  readonly name: string;
  readonly file: string;
  /** The statement, with `app` for the application. */
  readonly statement: (app: string) => string;
}

export interface FrameworkRow extends Part<FrameworkName> {
  /** The call that makes the application. */
  readonly app?: Maker;
  /** Parameters of a middleware that passes requests on; absent where the order of routes and middleware is free. */
  readonly passes?: number;
  /** The module of a new application: what it mounts, and the expression of its port. Absent where a command starts it. */
  readonly server?: (mounted: string, port: string) => Pick<Code, 'imports' | 'body'>;
  list(parts: ListParts, places: Places): Written;
}

/** The endpoint's options in the module of a list. */
function endpointOf({ names, rules, source }: ListParts, file: string): Snippet {
  const { imports, text } = source(file);
  return {
    imports: [...rules(file), ...imports],
    text: `const source = ${text};
const endpoint = { source, rules: ${names.camel}Rules };`,
  };
}

const docOf = ({ path }: ListParts): string =>
  `The list at ${path}. It asks nobody who they are: put it behind the authentication of the application.`;

/** Modules with routers of one form. */
const routed =
  (
    from: string,
    imports: readonly Import[],
    body: (parts: ListParts, endpoint: string) => string,
    name: (names: ListNames) => string,
    statement: (app: string, name: string, path: string) => string,
  ) =>
  (parts: ListParts, { file }: Places): Written => {
    const { imports: own, text } = endpointOf(parts, file);
    const used = ['listEndpoint', 'queryErrorHandler'];
    if (parts.key !== undefined && from !== 'sluice/koa') used.push('itemEndpoint');
    return {
      modules: [
        {
          file,
          doc: docOf(parts),
          imports: [...imports, ...own, { from, names: used }],
          body: `${text}\n\n${body(parts, name(parts.names))}`,
        },
      ],
      mount: {
        file,
        name: name(parts.names),
        statement: (app) => statement(app, name(parts.names), parts.path),
      },
    };
  };

const item = ({ key }: ListParts, line: (route: string) => string): string =>
  key === undefined ? '' : `\n${line(`/:${key}`)}`;

const fastifyRoutes = (
  parts: ListParts,
  name: string,
): string => `export const ${name}${typed(': FastifyPluginAsync')} = async (app) => {
  app.setErrorHandler(queryErrorHandler());
  app.get('/', listEndpoint(endpoint));${item(parts, (route) => `  app.get('${route}', itemEndpoint(endpoint));`)}
};`;

const fastify = routed(
  'sluice/fastify',
  [{ from: 'fastify', types: ['FastifyPluginAsync'] }],
  fastifyRoutes,
  ({ camel }) => `${camel}Routes`,
  (app, name, path) => `${app}.register(${name}, { prefix: '${path}' });`,
);

const nest = { hidden: ['nest', 'next'] };

export const frameworkRows: readonly FrameworkRow[] = [
  { name: 'nest', packages: ['@nestjs/core'], list: nestList },
  { name: 'next', packages: ['next'], list: nextList },
  {
    name: 'express',
    packages: ['express'],
    hiddenBy: nest.hidden,
    app: { from: /^express$/, names: ['express', 'default'] },
    passes: 3,
    server: (mounted, port) => ({
      imports: [{ from: 'express', default: 'express' }],
      body: `const app = express();\n${mounted}\napp.listen(${port});`,
    }),
    list: routed(
      'sluice/express',
      [{ from: 'express', names: ['Router'] }],
      (parts, name) => `export const ${name}${typed(': Router')} = Router();
${name}.get('/', listEndpoint(endpoint));${item(parts, (route) => `${name}.get('${route}', itemEndpoint(endpoint));`)}
${name}.use(queryErrorHandler());`,
      ({ camel }) => `${camel}Router`,
      (app, name, path) => `${app}.use('${path}', ${name});`,
    ),
  },
  {
    name: 'fastify',
    packages: ['fastify'],
    hiddenBy: nest.hidden,
    app: { from: /^fastify$/, names: ['fastify', 'Fastify', 'default'] },
    server: (mounted, port) => ({
      imports: [{ from: 'fastify', names: ['fastify'] }],
      body: `const app = fastify();\n${mounted}\napp.listen({ port: ${port} });`,
    }),
    list: (parts, places) => {
      const { routes, extension } = places;
      if (routes === undefined) return fastify(parts, places);
      // The folder of a route that is loaded by itself gives the prefix.
      const file = `${routes}${parts.path.slice(1)}/index${extension}`;
      const { imports, text } = endpointOf(parts, file);
      const used = [
        'listEndpoint',
        'queryErrorHandler',
        ...(parts.key === undefined ? [] : ['itemEndpoint']),
      ];
      const name = `${parts.names.camel}Routes`;
      const body = `${text}\n\n${fastifyRoutes(parts, name).replace('export ', '')}\n\nexport default ${name};`;
      const own: readonly Import[] = [
        { from: 'sluice/fastify', names: used },
        { from: 'fastify', types: ['FastifyPluginAsync'] },
      ];
      return { modules: [{ file, doc: docOf(parts), imports: [...imports, ...own], body }] };
    },
  },
  {
    name: 'koa',
    packages: ['koa'],
    hiddenBy: nest.hidden,
    app: { from: /^koa$/, names: ['Koa', 'default'] },
    passes: 2,
    server: (mounted, port) => ({
      imports: [{ from: 'koa', default: 'Koa' }],
      body: `const app = new Koa();\n${mounted}\napp.listen(${port});`,
    }),
    list: routed(
      'sluice/koa',
      [{ from: 'koa', types: ['Middleware'] }],
      ({ path }, name) => `const errors = queryErrorHandler();
const list = listEndpoint(endpoint);

export const ${name}${typed(': Middleware')} = (context, next) =>
  context.path === '${path}' && ['GET', 'HEAD'].includes(context.method)
    ? errors(context, () => list(context))
    : next();`,
      ({ camel }) => `${camel}List`,
      (app, name) => `${app}.use(${name});`,
    ),
  },
  {
    name: 'hono',
    packages: ['hono'],
    hiddenBy: nest.hidden,
    app: { from: /^hono$/, names: ['Hono'] },
    passes: 2,
    server: (mounted, port) => ({
      imports: [
        { from: '@hono/node-server', names: ['serve'] },
        { from: 'hono', names: ['Hono'] },
      ],
      body: `const app = new Hono();\n${mounted}\nserve({ fetch: app.fetch, port: ${port} });`,
    }),
    list: routed(
      'sluice/hono',
      [{ from: 'hono', names: ['Hono'] }],
      (parts, name) => `export const ${name} = new Hono();
${name}.onError(queryErrorHandler());
${name}.get('/', listEndpoint(endpoint));${item(parts, (route) => `${name}.get('${route}', itemEndpoint(endpoint));`)}`,
      ({ camel }) => `${camel}Routes`,
      (app, name, path) => `${app}.route('${path}', ${name});`,
    ),
  },
];

function nextList(parts: ListParts, { file, routes = 'app/', extension }: Places): Written {
  const { names, path, key, rules, source, own } = parts;
  const { imports, text } = source(file);
  const shared = `${names.camel}Endpoint`;
  const route = (at: string, name: string, doc: string): Code => {
    const into = `${routes}${path.slice(1)}${at}/route${extension}`;
    return {
      file: into,
      doc,
      imports: [{ from: 'sluice/next', names: [name] }, own(file, shared, into)],
      body: `export const GET = ${name}(${shared});`,
    };
  };
  return {
    modules: [
      {
        file,
        doc: `The source and the rules of the list at ${path}, which its routes share.`,
        imports: [...imports, ...rules(file)],
        body: `const source = ${text};\n\nexport const ${shared} = { source, rules: ${names.camel}Rules };`,
      },
      route('', 'listEndpoint', docOf(parts)),
      ...(key === undefined
        ? []
        : [route(`/[${key}]`, 'itemEndpoint', `One row of the list at ${path}.`)]),
    ],
  };
}

function nestList(parts: ListParts, places: Places): Written {
  const { names, path, key, rules, source, injected, own } = parts;
  const { stem, isNamed } = places;
  const extension = posix.extname(places.file);
  const file = `${stem}.controller${extension}`;
  const module = isNamed && places.file !== file ? places.file : `${stem}.module${extension}`;
  const { imports, text } = source(file);
  const given = injected?.(file);
  const provided = injected?.(module);
  // Without what NestJS injects, there is one source for all requests.
  const before = given ? '' : `const source = ${text};\n\n`;
  const from = given ? text : 'source';
  const call = (name: string, more: string): string =>
    `return ${name}(${from}, ${more}query, ${names.camel}Rules, { signal });`;
  const controller = `${names.pascal}ListController`;
  const one =
    key === undefined
      ? ''
      : `

  @Get(':${key}')
  one(
    @Param('${key}') key: string,
    @ItemQuery(${names.camel}Rules) query: string,
    @QuerySignal() signal: AbortSignal,
  ) {
    ${call('runOne', 'key, ')}
  }`;
  const constructor = given ? `  constructor(private readonly ${given.parameter}) {}\n\n` : '';
  return {
    modules: [
      {
        file,
        doc: docOf(parts),
        imports: [
          ...imports,
          ...rules(file),
          ...(given?.imports ?? []),
          {
            from: '@nestjs/common',
            names: ['Controller', 'Get', 'UseFilters', ...(key === undefined ? [] : ['Param'])],
          },
          { from: 'sluice', names: ['runQuery', ...(key === undefined ? [] : ['runOne'])] },
          {
            from: 'sluice/nestjs',
            names: [
              'ListQuery',
              'QueryErrorFilter',
              'QuerySignal',
              ...(key === undefined ? [] : ['ItemQuery']),
            ],
          },
        ],
        body: `${before}@Controller('${path.slice(1)}')
@UseFilters(new QueryErrorFilter())
export class ${controller} {
${constructor}  @Get()
  list(
    @ListQuery(${names.camel}Rules) query: string,
    @QuerySignal() signal: AbortSignal,
  ) {
    ${call('runQuery', '')}
  }${one}
}`,
      },
      {
        file: module,
        doc: `The module of the list at ${path}.`,
        imports: [
          { from: '@nestjs/common', names: ['Module'] },
          own(file, controller, module),
          ...(provided?.providers ?? []),
        ],
        body: `@Module({ ${provided?.metadata ?? ''}controllers: [${controller}] })
export class ${names.pascal}ListModule {}`,
      },
    ],
    mount: {
      file: module,
      name: `${names.pascal}ListModule`,
      statement: () => `${names.pascal}ListModule`,
    },
  };
}
