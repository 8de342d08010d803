/** Tables that are declared with Drizzle: exported results of `pgTable`, `mysqlTable` and `sqliteTable`. */

import type { CallExpression, Expression, Node } from '@babel/types';
import { familyNamed, kindOfType } from '../../../relational/index.ts';
import type { FieldKind } from '../../../schema/index.ts';
import type { Project } from '../project.ts';
import {
  type Module,
  dotted,
  keyOf,
  originOf,
  plain,
  propertiesOf,
  textOf,
  walk,
} from '../syntax.ts';
import type { FoundColumn, FoundTable } from './table.ts';

const core = /^drizzle-orm\/(?:pg|mysql|sqlite)-core$/;

/** The family of each function that makes a table. */
const makers = {
  postgresql: ['pgTable'],
  mysql: ['mysqlTable'],
  sqlite: ['sqliteTable'],
} as const;

/** SQL types of the functions that have another name than the type. */
const typeNames: Readonly<Record<string, string>> = {
  doublePrecision: 'double precision',
  timestamp: 'timestamptz',
  pgEnum: 'enum',
  mysqlEnum: 'enum',
  singlestoreEnum: 'enum',
};

export function drizzleTables(project: Project): readonly FoundTable[] {
  return project.modules('drizzle-orm').flatMap((module) =>
    [...module.variables].flatMap(([local, value]) => {
      const name = module.exports.get(local);
      const table = name === undefined || name === '=' ? undefined : tableOf(module, local, value);
      return table ? [{ ...table, declared: { file: module.file, name: name ?? local } }] : [];
    }),
  );
}

function tableOf(module: Module, local: string, value: Expression): FoundTable | undefined {
  if (value.type !== 'CallExpression') return;
  const origin = originOf(module, value.callee);
  const family = origin && core.test(origin.from) ? familyNamed(makers, origin.name) : undefined;
  const [name, columns, extras] = value.arguments;
  if (!family || !name || !columns) return;
  const object = returned(columns);
  if (object?.type !== 'ObjectExpression') return;
  const found = [...propertiesOf(object)].map(([path, each]) => columnOf(module, path, each));
  const indexed = new Set(
    found.filter(({ isUnique }) => isUnique).map(({ column }) => column.path),
  );
  const keys = found.filter(({ isKey }) => isKey).map(({ column }) => column.path);
  if (extras) {
    for (const { call, paths } of indexesIn(extras)) {
      const [first] = paths;
      if (call === 'primaryKey' && keys.length === 0) keys.push(...paths);
      else if (first !== undefined) indexed.add(first);
    }
  }
  return {
    model: local,
    name: textOf(name) ?? local,
    columns: found.map(({ column }) => column),
    key: keys,
    indexed,
    family,
  };
}

/** The expression itself, or that which an arrow function returns. */
function returned(node: Node): Expression | undefined {
  if (node.type !== 'ArrowFunctionExpression') return plain(node as Expression);
  if (node.body.type !== 'BlockStatement') return plain(node.body);
  const [last] = node.body.body.toReversed();
  return last?.type === 'ReturnStatement' && last.argument ? plain(last.argument) : undefined;
}

/** The calls of `integer('id').notNull().primaryKey()`: the first, and the names of the others. */
function chainOf(expression: Expression): {
  readonly first?: CallExpression;
  readonly names: readonly string[];
} {
  const names: string[] = [];
  let at: Expression = expression;
  while (at.type === 'CallExpression') {
    const callee: Node = at.callee;
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'CallExpression') {
      return { first: at, names };
    }
    if (callee.property.type === 'Identifier') names.push(callee.property.name);
    at = callee.object;
  }
  return { names };
}

interface ColumnParts {
  readonly column: FoundColumn;
  readonly isKey: boolean;
  readonly isUnique: boolean;
}

function columnOf(module: Module, path: string, expression: Expression): ColumnParts {
  const { first, names } = chainOf(expression);
  const has = (name: string): boolean => names.includes(name);
  const kind = !first || has('array') ? 'opaque' : kindOf(module, first);
  const isKey = has('primaryKey');
  const nullable = !isKey && !has('notNull');
  return { column: { path, kind, nullable }, isKey, isUnique: has('unique') };
}

function kindOf(module: Module, call: CallExpression): FieldKind {
  const callee = dotted(call.callee);
  const name = callee.split('.').at(-1) ?? '';
  const own = module.variables.get(name);
  // An enum is declared first, as `pgEnum('mood', [...])`.
  if (own?.type === 'CallExpression' && dotted(own.callee).endsWith('pgEnum')) return 'enum';
  const origin = originOf(module, call.callee);
  // A function of the project may make a column of any type.
  if (!callee.includes('.') && !(origin && core.test(origin.from))) return 'opaque';
  const mode = modeOf(call);
  if (mode === 'json') return 'json';
  if (mode === 'boolean') return 'boolean';
  if (mode?.startsWith('timestamp')) return 'datetime';
  const type = typeNames[name] ?? name;
  return type === 'enum' ? 'enum' : (kindOfType(type) ?? 'opaque');
}

function modeOf(call: CallExpression): string | undefined {
  const options = call.arguments.find((each) => each.type === 'ObjectExpression');
  const mode = options && propertiesOf(options).get('mode');
  return mode && textOf(mode);
}

/** Calls such as `index('name').on(table.state, table.createdAt)`, with the paths of their columns. */
function indexesIn(
  extras: Node,
): readonly { readonly call: string; readonly paths: readonly string[] }[] {
  const found: { call: string; paths: readonly string[] }[] = [];
  walk(extras, (node) => {
    if (node.type !== 'CallExpression') return true;
    const { callee } = node;
    // A partial index does not serve every request.
    if (callee.type === 'MemberExpression' && keyOf(callee.property) === 'where') return false;
    if (callee.type === 'Identifier' && callee.name === 'primaryKey') {
      const [options] = node.arguments;
      const columns =
        options?.type === 'ObjectExpression' ? propertiesOf(options).get('columns') : undefined;
      if (columns?.type === 'ArrayExpression') {
        found.push({ call: 'primaryKey', paths: columns.elements.flatMap((each) => pathOf(each)) });
      }
    }
    if (callee.type !== 'MemberExpression' || keyOf(callee.property) !== 'on') {
      return true;
    }
    const { first } = chainOf(callee.object as Expression);
    const call = first && dotted(first.callee).split('.').at(-1);
    if (call === 'index' || call === 'uniqueIndex' || call === 'unique') {
      const [leading] = node.arguments;
      found.push({ call, paths: leading ? pathOf(leading) : [] });
    }
    return true;
  });
  return found;
}

function pathOf(node: Node | null): readonly string[] {
  const [, path, more] = node ? dotted(node).split('.') : [];
  return path === undefined || more !== undefined ? [] : [path];
}
