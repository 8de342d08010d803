/** Source files of a project as syntax: what a module imports, declares and exports. Nothing of a project is run. */

import type { ParserPlugin } from '@babel/parser';
import type { Class, Expression, Node, ObjectExpression, Statement } from '@babel/types';
import { parse } from './parser.cjs';

/** A name that a module exports: its own, `default`, or `=` for the whole of a CommonJS module. */
export interface ExportRef {
  /** Path of the module below the project, with slashes. */
  readonly file: string;
  readonly name: string;
}

/** The origin of a name that a module imports. */
interface Origin {
  readonly from: string;
  /** Exported name; `default`, or `*` for all of the module. */
  readonly name: string;
}

/** A module and the names in it. */
export interface Module {
  readonly file: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly imports: ReadonlyMap<string, Origin>;
  /** Variables of the module itself, with what they begin as. */
  readonly variables: ReadonlyMap<string, Expression>;
  readonly classes: ReadonlyMap<string, Class>;
  /** Exported names by the names in the module. */
  readonly exports: ReadonlyMap<string, string>;
}

/** The module of a file; undefined where it cannot be parsed. */
export function readModule(file: string, text: string): Module | undefined {
  const isTyped = /\.[mc]?tsx?$/.test(file);
  const plugins: ParserPlugin[] = ['decorators-legacy'];
  if (isTyped) plugins.push('typescript');
  if (!/\.[mc]?ts$/.test(file)) plugins.push('jsx');
  try {
    const { program } = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      plugins,
    });
    return { file, text, statements: program.body, ...namesOf(program.body, nameOf(file)) };
  } catch {
    return undefined;
  }
}

/** The name for what a module exports without one: `mailQueue` of `mail-queue.js`. */
const nameOf = (file: string): string =>
  file
    .replace(/^.*\//, '')
    .replace(/\..*$/, '')
    .replaceAll(/\W+(\w?)/g, (_, next: string) => next.toUpperCase())
    .replace(/^(?=\d)/, '_');

type Names = Pick<Module, 'imports' | 'variables' | 'classes' | 'exports'>;

function namesOf(statements: readonly Statement[], unnamed: string): Names {
  const imports = new Map<string, Origin>();
  const variables = new Map<string, Expression>();
  const classes = new Map<string, Class>();
  const exports = new Map<string, string>();
  const declare = (statement: Statement | Expression): readonly string[] => {
    if (statement.type === 'ClassDeclaration' && statement.id) {
      classes.set(statement.id.name, statement);
      return [statement.id.name];
    }
    if (statement.type === 'FunctionDeclaration' && statement.id) return [statement.id.name];
    if (statement.type !== 'VariableDeclaration') return [];
    return statement.declarations.flatMap(({ id, init }) => {
      if (!init) return [];
      const origin = required(init);
      if (id.type === 'Identifier') {
        if (origin !== undefined) imports.set(id.name, { from: origin, name: '*' });
        variables.set(id.name, plain(init));
        return [id.name];
      }
      if (id.type !== 'ObjectPattern' || origin === undefined) return [];
      for (const property of id.properties) {
        if (property.type !== 'ObjectProperty' || property.value.type !== 'Identifier') continue;
        imports.set(property.value.name, { from: origin, name: keyOf(property.key) ?? '' });
      }
      return [];
    });
  };
  const exportUnnamed = (value: Expression, exported: string): void => {
    if (imports.has(unnamed) || variables.has(unnamed)) return;
    variables.set(unnamed, plain(value));
    exports.set(unnamed, exported);
  };
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration') {
      for (const each of statement.specifiers) {
        const name =
          each.type === 'ImportSpecifier'
            ? (keyOf(each.imported) ?? '')
            : each.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*';
        imports.set(each.local.name, { from: statement.source.value, name });
      }
    } else if (statement.type === 'TSImportEqualsDeclaration') {
      if (statement.moduleReference.type !== 'TSExternalModuleReference') continue;
      const from = textOf(statement.moduleReference.expression) ?? '';
      imports.set(statement.id.name, { from, name: '*' });
    } else if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration) {
        for (const name of declare(statement.declaration)) exports.set(name, name);
      }
      for (const each of statement.source ? [] : statement.specifiers) {
        if (each.type !== 'ExportSpecifier') continue;
        exports.set(keyOf(each.local) ?? '', keyOf(each.exported) ?? '');
      }
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      if (declaration.type === 'Identifier') exports.set(declaration.name, 'default');
      else if (isMade(declaration)) exportUnnamed(declaration, 'default');
      else if (declaration.type !== 'TSDeclareFunction') {
        for (const name of declare(declaration)) exports.set(name, 'default');
      }
    } else if (statement.type === 'ExpressionStatement') {
      for (const [local, exported] of commonExports(statement.expression)) {
        exports.set(local, exported);
      }
      const { expression } = statement;
      if (expression.type !== 'AssignmentExpression') continue;
      const { left, right } = expression;
      if (dotted(left) === 'module.exports' && isMade(right)) exportUnnamed(right, '=');
    } else declare(statement);
  }
  return { imports, variables, classes, exports };
}

/** Whether a value is what a call or `new` returns. */
const isMade = (value: Node): value is Expression =>
  value.type === 'CallExpression' ||
  value.type === 'NewExpression' ||
  (value.type === 'AwaitExpression' && isMade(value.argument));

/** Names of `module.exports = ...` and `exports.name = ...`. */
function commonExports(expression: Expression): readonly (readonly [string, string])[] {
  if (expression.type !== 'AssignmentExpression') return [];
  const target = dotted(expression.left);
  const value = expression.right;
  if (target === 'module.exports') {
    if (value.type === 'Identifier') return [[value.name, '=']];
    return value.type === 'ObjectExpression'
      ? [...propertiesOf(value)].flatMap(([name, each]) =>
          each.type === 'Identifier' ? [[each.name, name] as const] : [],
        )
      : [];
  }
  const own = /^(?:module\.)?exports\.(\w+)$/.exec(target);
  return own?.[1] !== undefined && value.type === 'Identifier' ? [[value.name, own[1]]] : [];
}

/** The module of `require('...')`. */
function required(expression: Expression): string | undefined {
  if (expression.type !== 'CallExpression' || dotted(expression.callee) !== 'require') return;
  const [from] = expression.arguments;
  return from && textOf(from);
}

/** An expression without the types around it. */
export function plain(expression: Expression): Expression {
  if (
    expression.type === 'TSAsExpression' ||
    expression.type === 'TSSatisfiesExpression' ||
    expression.type === 'TSNonNullExpression' ||
    expression.type === 'ParenthesizedExpression'
  ) {
    return plain(expression.expression);
  }
  return expression.type === 'AwaitExpression' ? plain(expression.argument) : expression;
}

/** The text of a literal. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The name of a property or specifier. */
export function keyOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : textOf(node);
}

/** `a.b.c` of member accesses; empty where an expression is another. */
export function dotted(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return '';
  const [object, property] = [dotted(node.object), keyOf(node.property)];
  return object === '' || property === undefined ? '' : `${object}.${property}`;
}

/** The properties of an object by name, as far as they are expressions with a name. */
export function propertiesOf(object: ObjectExpression): ReadonlyMap<string, Expression> {
  const entries = object.properties.flatMap((property): [string, Expression][] => {
    if (property.type !== 'ObjectProperty' || property.computed) return [];
    const name = keyOf(property.key);
    return name === undefined ? [] : [[name, plain(property.value as Expression)]];
  });
  return new Map(entries);
}

/** Calls `visit` for a node and all that it contains, until it returns false. */
export function walk(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return;
  for (const value of Object.values(node) as unknown[]) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(each)) walk(each, visit);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value;

/** The origin of what a call or `new` names: of `Pool` and of `pg.Pool` alike. */
export function originOf({ imports }: Module, callee: Node): Origin | undefined {
  const [local = '', member] = dotted(callee).split('.');
  const origin = imports.get(local);
  if (!origin || member === undefined) return origin && { ...origin };
  return { from: origin.from, name: member };
}
