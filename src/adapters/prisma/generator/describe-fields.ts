/** Describes the fields of a Prisma model for lists: kinds, companions and internal fields. */

import type { FieldKind, JsonPathKind } from '../../../schema/index.ts';
import {
  arrayOf,
  comparedKind,
  isArrayKind,
  isJsonPath,
  jsonPathKinds,
  kinds,
} from '../../../schema/index.ts';
import type { PrismaFieldDescription } from '../describe/description.ts';
import { heldKinds } from '../describe/held-kinds.ts';
import { type Annotations, annotationsOf } from './annotations.ts';
import { type ServedProvider, kindByNativeType, kindByType, sqlTypeOf } from './column-types.ts';
import { type DmmfEnum, type DmmfField, type DmmfModel, refuse } from './dmmf.ts';

interface Read {
  readonly field: DmmfField;
  readonly kind: FieldKind;
  readonly annotations: Annotations;
}

/** Annotation, property and naming convention of each companion, and the kinds that have one. */
const companionRoles = [
  {
    annotation: 'folded',
    property: 'foldedField',
    suffixes: ['Folded', '_folded'],
    kinds: new Set<FieldKind>(['string', 'uuid', 'enum']),
  },
  {
    annotation: 'order',
    property: 'portableOrderField',
    suffixes: ['Order', '_order'],
    kinds: new Set<FieldKind>(['uuid', 'enum', 'decimal']),
  },
] as const;

/** The fields of a model in the order of the schema. */
export function describeFields(
  provider: ServedProvider,
  model: DmmfModel,
  enums: ReadonlyMap<string, DmmfEnum>,
): { [path: string]: PrismaFieldDescription } {
  const read = new Map<string, Read>();
  for (const field of model.fields) {
    if (field.kind === 'object') continue;
    const annotations = annotationsOf('field', field.documentation, model.name, field.name);
    if (annotations.has('hidden')) continue;
    read.set(field.name, { field, kind: kindOf(provider, model, field, annotations), annotations });
  }
  const companions = new Map(
    [...read].map(([path, each]) => [path, companionsOf(model, each, read)]),
  );
  const internal = new Set([...companions.values()].flatMap((found) => Object.values(found)));
  return Object.fromEntries(
    [...read].map(([path, { field, kind: own, annotations }]): [string, PrismaFieldDescription] => {
      const { kind, ...members } = kindAndMembers(model, field, own, annotations, enums);
      return [
        path,
        {
          kind,
          type: field.type,
          sqlType: columnType(provider, field, enums),
          ...(field.dbName && field.dbName !== path && { column: field.dbName }),
          // Prisma's lists are columns that accept null.
          ...((!field.isRequired || field.isList) && { nullable: true as const }),
          ...members,
          ...companions.get(path),
          ...pathsOf(model, field, annotations),
          ...((internal.has(path) || annotations.has('internal')) && { internal: true as const }),
        },
      ];
    }),
  );
}

/** The kind, and the members of an enum; a list of those that the database names differently is opaque. */
function kindAndMembers(
  model: DmmfModel,
  field: DmmfField,
  kind: FieldKind,
  annotations: Annotations,
  enums: ReadonlyMap<string, DmmfEnum>,
): Pick<PrismaFieldDescription, 'kind' | 'enumValues' | 'stored' | 'client'> {
  if (comparedKind(kind) !== 'enum') return { kind };
  const members = membersOf(model, field, annotations, enums);
  return isArrayKind(kind) && members.stored ? { kind: 'opaque' } : { kind, ...members };
}

/** The typed paths of a json field, each written `"customer.id integer"`. */
function pathsOf(
  model: DmmfModel,
  field: DmmfField,
  annotations: Annotations,
): Pick<PrismaFieldDescription, 'paths'> {
  const said = annotations.get('paths');
  if (!said) return {};
  const paths = said.map((text): [string, JsonPathKind] => {
    const [path = '', name = '', ...more] = text.trim().split(/\s+/);
    const kind = jsonPathKinds.find((each) => each === name);
    if (kind && isJsonPath(path) && more.length === 0) return [path, kind];
    const names = jsonPathKinds.join(', ');
    return refuse(
      model.name,
      field.name,
      `@sluice.paths takes texts of a path and a kind, such as "customer.id integer"; the kinds are ${names}.`,
    );
  });
  return { paths: Object.fromEntries(paths) };
}

function kindOf(
  provider: ServedProvider,
  model: DmmfModel,
  field: DmmfField,
  annotations: Annotations,
): FieldKind {
  const [said] = annotations.get('kind') ?? [];
  if (said !== undefined) {
    const kind = kinds.get(said)?.kind;
    if (!kind) {
      const names = [...kinds.keys()].join(', ');
      refuse(
        model.name,
        field.name,
        `@sluice.kind(${said}): the kind does not exist; use one of ${names}.`,
      );
    }
    if (!heldKinds(field.type, field.kind === 'enum', field.isList).has(kind)) {
      refuse(
        model.name,
        field.name,
        `a ${field.isList ? 'list' : field.type} does not hold kind ${kind}; correct @sluice.kind.`,
      );
    }
    return kind;
  }
  if (field.isList) return arrayOf(kindOf(provider, model, { ...field, isList: false }, new Map()));
  if (field.kind === 'enum') return 'enum';
  const native = field.nativeType?.[0];
  const byNative = native === undefined ? undefined : kindByNativeType[`${field.type}.${native}`];
  if (byNative === undefined && isCharUuid(provider, field)) return 'uuid';
  return byNative ?? kindByType[field.type] ?? 'opaque';
}

/** Whether a MySQL column stores a UUID as text. */
function isCharUuid(provider: ServedProvider, { type, nativeType }: DmmfField): boolean {
  return (
    provider === 'mysql' &&
    type === 'String' &&
    nativeType?.[0] === 'Char' &&
    nativeType[1][0] === '36'
  );
}

function columnType(
  provider: ServedProvider,
  field: DmmfField,
  enums: ReadonlyMap<string, DmmfEnum>,
): string {
  if (field.isList) return `${columnType(provider, { ...field, isList: false }, enums)}[]`;
  if (field.kind !== 'enum') return sqlTypeOf(provider, field.type, field.nativeType);
  if (provider === 'sqlite') return 'text';
  const declared = enums.get(field.type);
  if (provider === 'postgresql') return `"${declared?.dbName ?? field.type}"`;
  const members = (declared?.values ?? []).map(({ name, dbName }) =>
    (dbName ?? name).replaceAll("'", "''"),
  );
  return `enum('${members.join("', '")}')`;
}

/** Members of an enum for lists: the client's names, or the stored texts where the enum declares them. */
function membersOf(
  model: DmmfModel,
  field: DmmfField,
  annotations: Annotations,
  enums: ReadonlyMap<string, DmmfEnum>,
): Pick<PrismaFieldDescription, 'enumValues' | 'stored' | 'client'> {
  const declared = enums.get(field.type);
  if (!declared) {
    const values = annotations.get('values');
    if (!values)
      refuse(model.name, field.name, 'kind enum needs its members; add @sluice.values(a, b).');
    return { enumValues: values };
  }
  if (annotations.has('values')) {
    refuse(model.name, field.name, 'the enum declares its members; drop @sluice.values.');
  }
  const mapped = annotationsOf('enum', declared.documentation, declared.name, null).has('mapped');
  const pairs = declared.values.map(({ name, dbName }) => [name, dbName ?? name] as const);
  const differing = pairs.filter(([name, stored]) => name !== stored);
  if (differing.length === 0) return { enumValues: pairs.map(([name]) => name) };
  return mapped
    ? {
        enumValues: pairs.map(([, stored]) => stored),
        client: Object.fromEntries(differing.map(([name, stored]) => [stored, name])),
      }
    : { enumValues: pairs.map(([name]) => name), stored: Object.fromEntries(differing) };
}

function companionsOf(
  model: DmmfModel,
  { field, kind, annotations }: Read,
  read: ReadonlyMap<string, Read>,
): Pick<PrismaFieldDescription, 'foldedField' | 'portableOrderField'> {
  const found: { foldedField?: string; portableOrderField?: string } = {};
  for (const { annotation, property, suffixes, kinds: companioned } of companionRoles) {
    const [said] = annotations.get(annotation) ?? [];
    if (said === 'false') continue;
    if (said === undefined) {
      const byConvention = suffixes
        .map((suffix) => field.name + suffix)
        .find((name) => read.get(name)?.kind === 'string');
      if (byConvention !== undefined && companioned.has(kind)) found[property] = byConvention;
      continue;
    }
    if (!companioned.has(kind)) {
      refuse(
        model.name,
        field.name,
        `kind ${kind} has no @sluice.${annotation} companion; drop the annotation.`,
      );
    }
    if (read.get(said)?.kind !== 'string') {
      refuse(
        model.name,
        field.name,
        `@sluice.${annotation}(${said}): ${model.name} has no text field of that name.`,
      );
    }
    found[property] = said;
  }
  return found;
}
