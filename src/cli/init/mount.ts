/** Mounts a new module in the host, where there is exactly one place for it; otherwise says which line to add. */

import type {
  CallExpression,
  Class,
  Expression,
  Node,
  ObjectExpression,
  Statement,
} from '@babel/types';
import path from 'node:path';
import { importOf, render } from './code.ts';
import { connectionsOf } from './connections.ts';
import type { FrameworkRow, Mount } from './lists/frameworks.ts';
import type { Edit } from './plan.ts';
import type { Project } from './project.ts';
import { type Module, dotted, plain, propertiesOf, textOf, walk } from './syntax.ts';

/** An edit of the host, or the lines that somebody has to add. */
type Mounting = { readonly edit: Edit } | { readonly lines: readonly string[] } | undefined;

/** Undefined where the host has the module already. */
export function mounting(project: Project, framework: FrameworkRow, mount: Mount): Mounting {
  const place =
    framework.name === 'nest' ? nestPlace(project, mount) : appPlace(project, framework, mount);
  if (!place) return { lines: linesOf(project, mount, 'app') };
  if (imports(place.module, mount.file)) return undefined;
  const { module, at, text } = place;
  const line = importText(project, mount, module.file);
  return { edit: { file: module.file, added: [importPlace(module, line), { at, text }] } };
}

const importText = (project: Project, mount: Mount, into: string): string => {
  const { style } = project;
  const own = importOf({ file: mount.file, name: mount.name }, mount.name, into, style);
  const text = render({ file: into, doc: '', imports: [own], body: '' }, style);
  return text.split('\n').find((line) => line.includes(mount.name)) ?? '';
};

const linesOf = (project: Project, mount: Mount, app: string): readonly string[] => [
  importText(project, mount, path.posix.join(path.posix.dirname(mount.file), '../app.ts')),
  mount.statement(app),
];

const bare = (file: string): string => file.replace(/(\/index)?\.[mc]?[jt]sx?$/, '');

/** Whether a module imports a file of the project. */
function imports(module: Module, file: string): boolean {
  return [...module.imports.values()].some(({ from }) => fileOf(module, from) === bare(file));
}

const fileOf = (module: Module, from: string): string | undefined =>
  from.startsWith('.') ? bare(path.posix.join(path.posix.dirname(module.file), from)) : undefined;

/** After the last import, or at the start of the file. */
function importPlace(
  { statements, imports: all }: Module,
  line: string,
): { readonly at: number; readonly text: string } {
  const isImport = (statement: Statement): boolean =>
    /^(Import|TSImportEquals)Declaration$/.test(statement.type) ||
    (statement.type === 'VariableDeclaration' &&
      statement.declarations.every(
        ({ init }) => init?.type === 'CallExpression' && dotted(init.callee) === 'require',
      ));
  const last = all.size > 0 ? statements.findLast((statement) => isImport(statement)) : undefined;
  return last ? { at: last.end ?? 0, text: `\n${line}` } : { at: 0, text: `${line}\n` };
}

interface Place {
  readonly module: Module;
  readonly at: number;
  readonly text: string;
}

/** The place in the only application: after its routes, and before it listens. */
function appPlace(
  project: Project,
  { app, passes }: FrameworkRow,
  mount: Mount,
): Place | undefined {
  if (!app) return undefined;
  const found = connectionsOf(project, app).filter(
    // Modules that this command wrote make routers in the same way.
    ({ module }) => ![...module.imports.values()].some(({ from }) => from.startsWith('sluice/')),
  );
  const hosts = found.filter(
    ({ module }) => !/(^|\/)(test|tests|__tests__)\/|\.(test|spec)\./.test(module.file),
  );
  const [host, second] = hosts;
  if (!host || second) return undefined;
  const { module, local } = host;
  const start = module.statements.findIndex(
    ({ start: from, end: to }) =>
      (from ?? 0) <= (host.made.start ?? 0) && (host.made.end ?? 0) <= (to ?? 0),
  );
  let last = module.statements[start];
  // An application that is exported without a name has no place.
  if (!last || /^(Expression|ExportDefault)/.test(last.type)) return undefined;
  let isRouted = false;
  for (const statement of module.statements.slice(start + 1)) {
    const call = callOf(statement, local);
    if (!call) {
      if (mentions(statement, local)) break;
      continue;
    }
    const { verb, argument, route } = call;
    if (verb === 'listen' || verb === 'ready') break;
    if (passes !== undefined && mayEnd(call, passes, isRouted)) return undefined;
    isRouted ||= route !== undefined || (argument === undefined && verb !== 'use');
    last = statement;
  }
  return { module, at: last.end ?? 0, text: `\n${mount.statement(local)}` };
}

interface AppCall {
  readonly verb: string;
  readonly route: string | undefined;
  readonly argument: Node | undefined;
}

/** `app.get('/', ...)`, also awaited or in a chain that begins with the application. */
function callOf(statement: Statement, local: string): AppCall | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  let call: Expression = plain(statement.expression);
  let found: CallExpression | undefined;
  while (call.type === 'CallExpression') {
    found = call;
    const callee: Node = call.callee;
    if (callee.type !== 'MemberExpression') return undefined;
    if (callee.object.type === 'Identifier') {
      if (callee.object.name !== local) return undefined;
      const [first, second] = found.arguments;
      const route = first && textOf(first);
      const verb = dotted(callee).split('.')[1] ?? '';
      return { verb, route, argument: route === undefined ? first : second };
    }
    call = callee.object as Expression;
  }
  return undefined;
}

/** Whether no later route may get the request: an error handler, a last handler, or one that nothing tells of. */
function mayEnd({ verb, route, argument }: AppCall, passes: number, isRouted: boolean): boolean {
  if (verb !== 'use') return route?.includes('*') === true || verb === 'all';
  const isFunction =
    argument?.type === 'ArrowFunctionExpression' || argument?.type === 'FunctionExpression';
  if (isFunction) return argument.params.length !== passes && (route ?? '*').includes('*');
  return route === undefined && isRouted;
}

function mentions(statement: Statement, local: string): boolean {
  let found = false;
  walk(statement, (node) => {
    found ||= node.type === 'Identifier' && node.name === local;
    return !found;
  });
  return found;
}

/** The place in the list of imports of the module that `NestFactory.create` starts. */
function nestPlace(project: Project, mount: Mount): Place | undefined {
  const root = rootModule(project);
  const options = root && moduleOptions(root.declared);
  if (!options) return undefined;
  const { module } = root;
  const text = mount.statement('');
  const list = propertiesOf(options).get('imports');
  if (!list) {
    const at = (options.start ?? 0) + 1;
    return { module, at, text: `\n  imports: [${text}],` };
  }
  if (list.type !== 'ArrayExpression') return undefined;
  const last = list.elements.at(-1);
  return last
    ? { module, at: last.end ?? 0, text: `, ${text}` }
    : { module, at: (list.start ?? 0) + 1, text };
}

/** The module that the application starts. */
export function rootModule(
  project: Project,
): { readonly module: Module; readonly declared: Class; readonly name: string } | undefined {
  const started = project.modules('NestFactory').flatMap((module) => {
    const names: string[] = [];
    for (const statement of module.statements) {
      walk(statement, (node) => {
        if (node.type !== 'CallExpression' || dotted(node.callee) !== 'NestFactory.create') return;
        const [argument] = node.arguments;
        if (argument?.type === 'Identifier') names.push(argument.name);
      });
    }
    return names.flatMap((name) => {
      const from = module.imports.get(name)?.from;
      const file = from === undefined ? bare(module.file) : fileOf(module, from);
      const target = project.modules('@Module').find((each) => bare(each.file) === file);
      const declared = target?.classes.get(name);
      return target && declared ? [{ module: target, declared, name }] : [];
    });
  });
  const [only, second] = started;
  return second ? undefined : only;
}

function moduleOptions({ decorators }: Class): ObjectExpression | undefined {
  for (const { expression } of decorators ?? []) {
    if (expression.type !== 'CallExpression' || dotted(expression.callee) !== 'Module') continue;
    const [argument] = expression.arguments;
    if (argument?.type === 'ObjectExpression') return argument;
  }
  return undefined;
}
