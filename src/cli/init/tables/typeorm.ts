/** Entities of TypeORM: exported classes with `@Entity`, and what they inherit. */

import type { ClassProperty, Class, Decorator, Expression, TSType } from '@babel/types';
import { familyNamed, kindOfType } from '../../../relational/index.ts';
import type { DatabaseFamily } from '../../../rules/index.ts';
import type { FieldKind } from '../../../schema/index.ts';
import type { Project } from '../project.ts';
import { type Module, dotted, keyOf, originOf, propertiesOf, textOf, walk } from '../syntax.ts';
import type { FoundColumn, FoundTable } from './table.ts';

/** Decorators of columns, and the kind where the decorator alone tells it. */
const columnDecorators: Readonly<Record<string, FieldKind | undefined>> = {
  Column: undefined,
  PrimaryColumn: undefined,
  PrimaryGeneratedColumn: 'integer',
  CreateDateColumn: 'datetime',
  UpdateDateColumn: 'datetime',
  DeleteDateColumn: 'datetime',
  VersionColumn: 'integer',
};

/** Kinds of the types of TypeScript. */
const propertyKinds: Readonly<Record<string, FieldKind>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'integer',
  TSBooleanKeyword: 'boolean',
  Date: 'datetime',
};

/** The types of data sources by family. */
const sourceTypes = {
  postgresql: ['postgres'],
  mysql: ['mysql', 'mariadb'],
  sqlite: ['better-sqlite3', 'sqlite', 'sqljs'],
} as const;

/** Drivers by family, where no data source tells. */
const drivers = {
  postgresql: ['pg'],
  mysql: ['mysql2', 'mysql', 'mariadb'],
  sqlite: ['better-sqlite3', 'sqlite3', 'sql.js'],
} as const;

interface Parts {
  readonly columns: readonly FoundColumn[];
  readonly key: readonly string[];
  readonly indexed: readonly string[];
}

export function typeormTables(project: Project): readonly FoundTable[] {
  const modules = project.modules('typeorm');
  const family = familyOf(project, modules);
  return modules.flatMap((module) =>
    [...module.classes].flatMap(([name, declared]): FoundTable[] => {
      const entity = decoratorsOf(module, declared).get('Entity');
      const exported = module.exports.get(name);
      if (!entity || exported === undefined || exported === '=') return [];
      const { columns, key, indexed } = partsOf(modules, module, declared);
      const [argument] = entity;
      const table = argument && (textOf(argument) ?? optionOf(argument, 'name'));
      return [
        {
          model: name.charAt(0).toLowerCase() + name.slice(1),
          name: table ?? name,
          declared: { file: module.file, name: exported },
          columns,
          key,
          indexed: new Set(indexed),
          ...(family && { family }),
        },
      ];
    }),
  );
}

/** The columns of a class, after those of the classes that it extends. */
function partsOf(modules: readonly Module[], module: Module, declared: Class): Parts {
  const { superClass } = declared;
  const parent = superClass?.type === 'Identifier' ? superClass.name : undefined;
  const found = modules.find(({ classes }) => parent !== undefined && classes.has(parent));
  const base = parent === undefined ? undefined : found?.classes.get(parent);
  const inherited = found && base && base !== declared ? partsOf(modules, found, base) : undefined;
  const own = declared.body.body.flatMap((member) =>
    member.type === 'ClassProperty' ? propertyOf(module, member) : [],
  );
  return {
    columns: [...(inherited?.columns ?? []), ...own.map(({ column }) => column)],
    key: [
      ...(inherited?.key ?? []),
      ...own.filter(({ isKey }) => isKey).map(({ column }) => column.path),
    ],
    indexed: [
      ...(inherited?.indexed ?? []),
      ...own.filter(({ isIndexed }) => isIndexed).map(({ column }) => column.path),
      ...indexesOf(module, declared),
    ],
  };
}

/** The first columns of `@Index(['state', 'createdAt'])` and `@Unique(['email'])` on a class. */
function indexesOf(module: Module, { decorators }: Class): readonly string[] {
  return (decorators ?? []).flatMap((decorator) => {
    const [name, parts] = calledOf(module, decorator);
    if (name !== 'Index' && name !== 'Unique') return [];
    if (parts.some((part) => optionOf(part, 'where') !== undefined)) return [];
    const list = parts.find((part) => part.type === 'ArrayExpression');
    const first = list?.type === 'ArrayExpression' ? list.elements[0] : undefined;
    return (first && textOf(first)) ?? [];
  });
}

function propertyOf(
  module: Module,
  property: ClassProperty,
): readonly {
  readonly column: FoundColumn;
  readonly isKey: boolean;
  readonly isIndexed: boolean;
}[] {
  const path = keyOf(property.key);
  const decorators = decoratorsOf(module, property);
  const name = Object.keys(columnDecorators).find((each) => decorators.has(each));
  if (path === undefined || name === undefined) return [];
  const parts = decorators.get(name) ?? [];
  const isKey = name.startsWith('Primary');
  const options = parts.find((part) => part.type === 'ObjectExpression');
  const flag = (option: string): boolean =>
    options !== undefined && booleanOf(options, option) === true;
  const type = parts.map((part) => textOf(part)).find((each) => each !== undefined);
  const sqlType = type ?? (options && optionOf(options, 'type'));
  const annotation =
    property.typeAnnotation?.type === 'TSTypeAnnotation'
      ? property.typeAnnotation.typeAnnotation
      : undefined;
  const column: FoundColumn = {
    path,
    kind: flag('array') || hasTransformer(options) ? 'opaque' : kindOf(name, sqlType, annotation),
    nullable: !isKey && (flag('nullable') || name === 'DeleteDateColumn'),
    hidden:
      (options !== undefined && booleanOf(options, 'select') === false) ||
      decorators.has('QueryHidden'),
  };
  const isIndexed = flag('unique') || decorators.has('Index');
  return [{ column, isKey, isIndexed }];
}

const hasTransformer = (options: Expression | undefined): boolean =>
  options?.type === 'ObjectExpression' && propertiesOf(options).has('transformer');

function kindOf(
  decorator: string,
  type: string | undefined,
  annotation: TSType | undefined,
): FieldKind {
  if (decorator === 'PrimaryGeneratedColumn') {
    return type === 'uuid' ? 'uuid' : type === 'rowid' ? 'bigint' : 'integer';
  }
  const own = columnDecorators[decorator];
  if (own) return own;
  if (type === 'enum' || type === 'simple-enum') return 'enum';
  if (type !== undefined) return kindOfType(type) ?? 'opaque';
  return (annotation && propertyKinds[nameOf(annotation)]) ?? 'opaque';
}

/** The name of a type, without `| null`. */
function nameOf(type: TSType): string {
  if (type.type === 'TSUnionType') {
    const rest = type.types.filter(({ type: each }) => !/Null|Undefined/.test(each));
    return rest.length === 1 && rest[0] ? nameOf(rest[0]) : '';
  }
  return type.type === 'TSTypeReference' ? dotted(type.typeName) : type.type;
}

type Decorated = { readonly decorators?: readonly Decorator[] | null | undefined };

/** The arguments of the decorators of TypeORM and Sluice by name. */
function decoratorsOf(
  module: Module,
  { decorators }: Decorated,
): ReadonlyMap<string, readonly Expression[]> {
  return new Map((decorators ?? []).map((decorator) => calledOf(module, decorator)));
}

function calledOf(module: Module, { expression }: Decorator): [string, readonly Expression[]] {
  if (expression.type !== 'CallExpression') return ['', []];
  const origin = originOf(module, expression.callee);
  const isKnown = origin !== undefined && /^(?:typeorm|sluice\/typeorm)$/.test(origin.from);
  return [isKnown ? origin.name : '', expression.arguments as Expression[]];
}

function optionOf(argument: Expression, name: string): string | undefined {
  const value = argument.type === 'ObjectExpression' ? propertiesOf(argument).get(name) : undefined;
  return value && textOf(value);
}

function booleanOf(argument: Expression, name: string): boolean | undefined {
  const value = argument.type === 'ObjectExpression' ? propertiesOf(argument).get(name) : undefined;
  return value?.type === 'BooleanLiteral' ? value.value : undefined;
}

/** The family of `type: 'postgres'` in the options of a data source, else that of the only driver. */
function familyOf(project: Project, modules: readonly Module[]): DatabaseFamily | undefined {
  const told = new Set<DatabaseFamily>();
  for (const { statements } of [...modules, ...project.modules('TypeOrmModule')]) {
    for (const statement of statements) {
      walk(statement, (node) => {
        if (node.type !== 'ObjectExpression') return;
        const type = optionOf(node, 'type');
        const options = propertiesOf(node);
        const isSource = ['entities', 'database', 'url', 'autoLoadEntities'].some((name) =>
          options.has(name),
        );
        const family = isSource && type !== undefined && familyNamed(sourceTypes, type);
        if (family) told.add(family);
      });
    }
  }
  if (told.size === 0) {
    for (const name of project.packages) {
      const family = familyNamed(drivers, name);
      if (family) told.add(family);
    }
  }
  const [only, second] = told;
  return second ? undefined : only;
}
