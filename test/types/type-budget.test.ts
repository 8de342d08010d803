/**
 * Registries of a hundred models, each model with rules, type-check within a budget. An ordinary run compares one form,
 * by the seed, with half as many models.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../tools/tsc.ts';
import { inTurn } from '../seed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/sluice-type-budget');

/** The names of a model and its neighbours in a ring: every model has the next one as parent. */
interface Ring {
  readonly name: string;
  readonly next: string;
  readonly before: string;
}

/** One way to declare the models: the lines before them, the lines of each, and those of the registry. */
interface Form {
  readonly imports: readonly string[];
  model(ring: Ring): string;
  registry(names: readonly string[]): string;
  /** The type of a model's rows in its source. */
  row(name: string): string;
  /** The most instantiations for each model; the ORM's own types need most of them. */
  readonly instantiations: number;
}

const forms: { readonly [name: string]: Form } = {
  drizzle: {
    imports: [
      `import { relations } from 'drizzle-orm';`,
      `import * as pg from 'drizzle-orm/pg-core';`,
      `import { type DrizzleRow, drizzleRegistry } from '../../../src/adapters/drizzle/index.ts';`,
    ],
    model: ({ name, next, before }) => `
const ${name} = pg.pgTable('${name}', { id: pg.integer().primaryKey(), name: pg.text().notNull(), nameFolded: pg.text().notNull(), size: pg.text({ enum: ['s', 'm'] }), price: pg.numeric(), at: pg.timestamp().notNull(), parentId: pg.integer().notNull() });
const ${name}Relations = relations(${name}, ({ one, many }) => ({ parent: one(${next}, { fields: [${name}.parentId], references: [${next}.id] }), children: many(${before}) }));`,
    registry: (names) =>
      `const tables = { ${names.join(', ')} };
const registry = drizzleRegistry(tables, { ${names.map((name) => `${name}Relations`).join(', ')} });`,
    row: (name) => `DrizzleRow<typeof tables, '${name}', Shape>`,
    instantiations: 17_700,
  },
  typeorm: {
    imports: [
      `import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';`,
      `import type { Relation } from 'typeorm';`,
      `import { type TypeormRow, typeormRegistry } from '../../../src/adapters/typeorm/index.ts';`,
    ],
    model: ({ name, next, before }) => `
@Entity() class ${name.toUpperCase()} {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
  @Column() name_folded!: string;
  @Column('simple-enum', { enum: ['s', 'm'] }) size!: 's' | 'm' | null;
  @Column('decimal') price!: string | null;
  @Column() at!: Date;
  @Column() parentId!: number;
  @ManyToOne(() => ${next.toUpperCase()}) parent!: Relation<${next.toUpperCase()}>;
  @OneToMany(() => ${before.toUpperCase()}, (child) => child.parent) children!: Relation<${before.toUpperCase()}>[];
}`,
    registry: (names) =>
      `const registry = typeormRegistry({ ${names.map((name) => `${name}: ${name.toUpperCase()}`).join(', ')} });`,
    row: (name) => `TypeormRow<${name.toUpperCase()}>`,
    instantiations: 13_700,
  },
  prisma: {
    imports: [`import { prismaRegistry } from '../../../src/adapters/prisma/index.ts';`],
    model: () => '',
    registry: (names) =>
      `const registry = prismaRegistry({ provider: 'postgresql', models: { ${names.map((name, index) => prismaModel(name, at(names, index + 1), at(names, index - 1))).join(', ')} } });`,
    row: (name) => `RowOf<Shape, '${name}'>`,
    instantiations: 7_200,
  },
  sql: {
    imports: [
      `import { type SqlRow, sqlRegistry, sqlTables } from '../../../src/adapters/sql/index.ts';`,
    ],
    model: () => '',
    registry: (names) =>
      `const tables = sqlTables({ ${names
        .map(
          (name, index) =>
            `${name}: { table: '${name}', primaryKey: 'id', columns: { id: 'int', name: 'text', nameFolded: 'text', size: { type: 'text', enumValues: ['s', 'm'], nullable: true }, price: { type: 'numeric(10, 2)', nullable: true }, at: 'timestamptz', parentId: 'int' }, relations: { parent: { one: '${at(names, index + 1)}', from: 'parentId' }, children: { many: '${at(names, index - 1)}', to: 'parentId' } } }`,
        )
        .join(', ')} });
const registry = sqlRegistry(tables);`,
    row: (name) => `SqlRow<typeof tables, '${name}'>`,
    instantiations: 7_500,
  },
};

const at = (names: readonly string[], index: number) =>
  names[(index + names.length) % names.length] ?? '';

const prismaModel = (name: string, next: string, before: string) =>
  `${name}: { name: '${name}', table: '${name}', primaryKey: ['id'], fields: { id: { kind: 'integer', type: 'Int', sqlType: 'int4' }, name: { kind: 'string', type: 'String', sqlType: 'text', foldedField: 'nameFolded' }, nameFolded: { kind: 'string', type: 'String', sqlType: 'text', internal: true }, size: { kind: 'enum', type: 'Size', sqlType: '"Size"', enumValues: ['s', 'm'], nullable: true }, price: { kind: 'decimal', type: 'Decimal', sqlType: 'numeric', nullable: true }, at: { kind: 'datetime', type: 'DateTime', sqlType: 'timestamptz' }, parentId: { kind: 'integer', type: 'Int', sqlType: 'int4' } }, relations: { parent: { target: '${next}', cardinality: 'one', hops: [{ table: '${next}', from: ['parentId'], to: ['id'] }] }, children: { target: '${before}', cardinality: 'many', hops: [{ table: '${before}', from: ['id'], to: ['parentId'] }] } } }`;

/** A program with this many models; each has rules with a filter on `path`, a typed request and a typed result. */
function source(form: Form, models: number, path: string): string {
  const names = Array.from({ length: models }, (_, index) => `m${index}`);
  return [
    ...form.imports,
    `import { buildQuery, defineQueryRules } from '../../../src/index.ts';`,
    `import type { QuerySource, ResultOf${form.row('m0').startsWith('RowOf') ? ', RowOf' : ''}, SchemaRegistry } from '../../../src/index.ts';`,
    ...names.map((name, index) =>
      form.model({ name, next: at(names, index + 1), before: at(names, index - 1) }),
    ),
    form.registry(names),
    `type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;`,
    `export type Shape = ShapeIn<typeof registry>;`,
    ...names.map(
      (name) => `
export const ${name}Rules = defineQueryRules(registry, '${name}', { filters: [{ path: 'name', operators: ['eq', 'ilike'] }, { path: 'size', operators: ['in', 'isNull'] }, { path: 'parent.parent.price', operators: ['gte'] }, { path: '${path}', operators: ['eq'] }], sorts: ['name', 'parent.at'], fields: { root: { allowed: ['id', 'name'], default: ['id'] }, relations: { parent: { allowed: ['parent.*'], default: ['id'] } } }, includes: ['parent'], search: ['name', 'parent.name'] }, { allowUnpaginated: false });
export const ${name}Query = buildQuery(${name}Rules, { filter: { size: { in: ['s'] }, name: { eq: 'a' } }, fields: ['name', 'parent.size'] });
declare const ${name}Result: ResultOf<QuerySource<${form.row(name)}, unknown, '${name}'>, typeof ${name}Rules>;
export const ${name}Seen: readonly [number, 's' | 'm' | null | undefined] = [${name}Result.total, ${name}Result.data[0]?.parent?.size];`,
    ),
    '',
  ].join('\n');
}

/** The compiler's report of a program, and its processor time in seconds: `null` on systems without `/proc`. */
interface Checked {
  readonly report: string;
  readonly processorSeconds: number | null;
}

async function check(form: Form, models: number, path: string): Promise<Checked> {
  await writeFile(join(folder, 'models.ts'), source(form, models, path));
  const before = await secondsOfChildren();
  const report = await compile(root, '-p', folder, '--extendedDiagnostics');
  const after = await secondsOfChildren();
  const processorSeconds = before === null || after === null ? null : after - before;
  return { report, processorSeconds };
}

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  const config = { extends: join(root, 'tsconfig.json'), include: ['models.ts'], files: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Processor time of the processes that this one has waited for, in seconds; `null` on systems without `/proc`. */
async function secondsOfChildren(): Promise<number | null> {
  const text = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  if (text === null) return null;
  // User and system time of children are fields 16 and 17, in hundredths; the second field ends with a parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

const figureIn = (report: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(report)?.[1]);

const compared = new Set(inTurn(Object.keys(forms), 0));

describe.each(Object.entries(forms))('%s', (name, form) => {
  let hundred: Checked;
  beforeAll(async () => {
    hundred = await check(form, 100, 'children.children.size');
  }, 240_000);

  it('checks a hundred models with rules', () => {
    const { report, processorSeconds } = hundred;
    expect(report).not.toMatch(/error TS/);
    const [load = 0] = loadavg();
    console.log(
      `${name}: ${figureIn(report, 'Check time')} s to check, ${processorSeconds?.toFixed(1)} s of processor time, ${figureIn(report, 'Instantiations')} instantiations, load ${load.toFixed(1)} on ${cpus().length} processors`,
    );
  });

  it('grows with the models and not with their square', { timeout: 240_000 }, async () => {
    const instantiations = figureIn(hundred.report, 'Instantiations');
    expect(instantiations / 100).toBeLessThan(form.instantiations);
    if (!compared.has(name)) return;
    const { report } = await check(form, 50, 'children.children.size');
    expect(instantiations / figureIn(report, 'Instantiations')).toBeLessThan(2.2);
  });

  it(
    'finds a wrong path in every model, and takes less than four times as long for a hundred',
    { timeout: 240_000 },
    async () => {
      const ten = await check(form, 10, 'children.children.siez');
      expect(ten.report.match(/error TS/g)).toHaveLength(10);
      // Other work on the machine makes both slower.
      if (ten.processorSeconds === null || hundred.processorSeconds === null) return;
      expect(hundred.processorSeconds / ten.processorSeconds).toBeLessThan(4);
    },
  );
});
