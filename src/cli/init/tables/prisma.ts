/** Models of a Prisma schema, and the generator that writes their registry. */

import path from 'node:path';
import { UsageError } from '../../command.ts';
import type { FieldKind } from '../../../schema/index.ts';
import type { Project } from '../project.ts';
import type { FoundColumn, FoundTable } from './table.ts';

/** Kinds of the scalar types. */
const scalars: Readonly<Record<string, FieldKind>> = {
  String: 'string',
  Int: 'integer',
  BigInt: 'bigint',
  Decimal: 'decimal',
  Float: 'float',
  Boolean: 'boolean',
  DateTime: 'datetime',
  Json: 'json',
  Bytes: 'binary',
};

/** A block of a schema, such as a model. */
interface Block {
  readonly file: string;
  readonly type: string;
  readonly name: string;
  readonly lines: readonly string[];
  /** Comments with annotations stand before a block. */
  readonly isHidden: boolean;
}

/** The blocks of the schema: of `prisma/schema.prisma`, `schema.prisma`, or a folder of such files. */
export function schemaBlocks(project: Project): readonly Block[] {
  return project.files
    .filter((file) => file.endsWith('.prisma'))
    .flatMap((file) => {
      const text = project.text(file) ?? '';
      const blocks = text.matchAll(/((?:^[ \t]*\/\/\/.*\n)*)^(\w+)\s+(\w+)\s*\{\n?([^]*?)^\}/gm);
      return [...blocks].map(([, comments = '', type = '', name = '', body = '']) => ({
        file,
        type,
        name,
        lines: body.split('\n'),
        isHidden: comments.includes('@sluice.hidden'),
      }));
    });
}

export function prismaTables(project: Project): readonly FoundTable[] {
  const blocks = schemaBlocks(project);
  const enums = new Set(blocks.filter(({ type }) => type === 'enum').map(({ name }) => name));
  return blocks
    .filter(({ type, isHidden }) => type === 'model' && !isHidden)
    .map(({ name, lines }) => tableOf(name, lines, enums));
}

function tableOf(name: string, lines: readonly string[], enums: ReadonlySet<string>): FoundTable {
  const columns: FoundColumn[] = [];
  const key: string[] = [];
  const indexed = new Set<string>();
  let comments = '';
  for (const line of lines.map((each) => each.trim())) {
    if (line.startsWith('///')) {
      comments += line;
      continue;
    }
    const list = /^@@(id|unique|index)\(\s*(?:fields:\s*)?\[\s*([^\]]*)\]/.exec(line);
    const paths = list?.[2]?.split(',').map((each) => each.trim().replace(/\W.*$/, '')) ?? [];
    if (list?.[1] === 'id') key.push(...paths);
    else if (list && paths[0]) indexed.add(paths[0]);
    const field = /^(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/.exec(line);
    if (field && !line.startsWith('@@')) {
      const [, path = '', type = '', many, optional, rest = ''] = field;
      const kind = enums.has(type) ? 'enum' : scalars[type];
      if (/@id\b/.test(rest)) key.push(path);
      if (/@unique\b/.test(rest)) indexed.add(path);
      if (kind) {
        columns.push({
          path,
          kind: many === undefined ? kindOf(kind, rest) : 'opaque',
          nullable: optional !== undefined,
          hidden: /@sluice\.(hidden|internal)/.test(comments),
        });
      }
    }
    comments = '';
  }
  const mapped = lines
    .map((line) => /^\s*@@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(line)?.[1])
    .find((each) => each !== undefined);
  const model = name.charAt(0).toLowerCase() + name.slice(1);
  return { model, name: mapped ?? name, columns, key, indexed };
}

function kindOf(kind: FieldKind, rest: string): FieldKind {
  if (/@db\.(Uuid|UniqueIdentifier)\b/.test(rest)) return 'uuid';
  if (/@db\.Date\b/.test(rest)) return 'date';
  return /@db\.(Time|Timetz|Bit|VarBit|Inet|Xml|Money)\b/.test(rest) ? 'opaque' : kind;
}

/** The module with the registry, and the lines that let Prisma write it. */
export interface RegistryModule {
  /** Path of the module below the project. */
  readonly file: string;
  /** The schema file to which the generator is added; absent where it is there. */
  readonly added?: { readonly file: string; readonly text: string };
}

/**
 * The module that `sluice-prisma` writes: that of the schema's generator, else one beside the client.
 *
 * @throws {UsageError} when the schema has no client
 */
export function registryModule(project: Project): RegistryModule {
  const generators = schemaBlocks(project).filter(({ type }) => type === 'generator');
  const settingOf = (block: Block, setting: string): string | undefined =>
    block.lines
      .map((line) => new RegExp(`^\\s*${setting}\\s*=\\s*"([^"]*)"`).exec(line)?.[1])
      .find((value) => value !== undefined);
  const own = generators.find((block) => settingOf(block, 'provider') === 'sluice-prisma');
  const below = (block: Block, output: string): string =>
    path.posix.join(path.posix.dirname(block.file), output);
  if (own) return { file: below(own, settingOf(own, 'output') ?? './sluice.ts') };
  const client = generators.find((block) =>
    settingOf(block, 'provider')?.startsWith('prisma-client'),
  );
  if (!client) throw new UsageError('the Prisma schema has no generator of a client.');
  const folder = path.posix.dirname(client.file);
  const beside = settingOf(client, 'output');
  const source = project.files.some((file) => file.startsWith('src/')) ? '../src' : '..';
  const from = folder === '.' ? source.slice(1) || '.' : source;
  const output = `${beside === undefined ? `${from}/generated` : path.posix.dirname(beside)}/sluice.ts`;
  const text = `\ngenerator sluice {\n  provider = "sluice-prisma"\n  output   = "${output}"\n}\n`;
  return { file: below(client, output), added: { file: client.file, text } };
}
