/** Rows, hooks and paths are typed by the generated client and registry. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { compile } from '../../tools/tsc.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { shopModels } from './fixtures/shop.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A program to compile with the generated code; lines that must not compile have `@ts-expect-error`. */
const program = (generated: string) => `
import { PrismaPg } from '@prisma/adapter-pg';
import { expectTypeOf } from 'vitest';
import { prismaSource } from '${root}src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '${root}src/index.ts';
import type { CompiledQueryRules, SchemaRegistry } from '${root}src/index.ts';
import { Prisma, PrismaClient } from '${generated}/client/client.ts';
import { registry } from '${generated}/sluice.ts';

const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: 'postgres://x' }) });
const rules = defineQueryRules(registry, 'thing', {
  filters: [{ path: 'tenant.name', operators: ['eq'] }, { path: 'shelves.room', operators: ['eq'] }],
  fields: { root: { allowed: ['id', 'colour'], default: ['id'] } },
});
defineQueryRules(registry, 'thing', {
  // @ts-expect-error unknown path
  filters: [{ path: 'tenant.nam', operators: ['eq'] }],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});
defineQueryRules(registry, 'thing', {
  // @ts-expect-error an internal field
  sorts: ['cost'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

const source = prismaSource({ client, registry, model: 'thing' });
const shown = await runQuery(source, '', rules);
expectTypeOf(shown.data).toEqualTypeOf<{ id?: number; colour?: 'RED' | 'GREEN' | 'BLUE' | null }[]>();
const related = defineQueryRules(registry, 'thing', {
  includes: ['tags', 'shelves', 'tenant'],
  fields: {
    root: { allowed: ['id'], default: ['id'] },
    relations: {
      tags: { allowed: ['label'], default: ['label'] },
      shelves: { allowed: ['room'], default: ['room'] },
      tenant: { allowed: ['tenant.*'], default: ['name'] },
    },
  },
}, { allowUnpaginated: false });
const counted = await runQuery(source, '', related);
expectTypeOf(counted.total).toEqualTypeOf<number>();
type Related = (typeof counted.data)[number];
expectTypeOf<Related['tags']>().toEqualTypeOf<{ label?: string }[] | undefined>();
expectTypeOf<Related['shelves']>().toEqualTypeOf<{ room?: number }[] | undefined>();
expectTypeOf<NonNullable<Related['tenant']>['name']>().toEqualTypeOf<string | undefined>();
const ofTenants = defineQueryRules(registry, 'tenant', { fields: { root: { allowed: ['id'], default: ['id'] } } });
// @ts-expect-error the source lists things
await runQuery(source, '', ofTenants);
// @ts-expect-error a number is never null here
defineQueryRules(registry, 'thing', { filters: [{ path: 'price', operators: ['isNull'] }], fields: { root: { allowed: ['id'], default: ['id'] } } });

// Rules that the compiler does not know show every field.
const anyRules: CompiledQueryRules = rules;
const { data } = await runQuery(source, '', anyRules);
type Thing = (typeof data)[number];
expectTypeOf<Thing['id']>().toEqualTypeOf<number | undefined>();
expectTypeOf<Thing['label']>().toEqualTypeOf<string | null | undefined>();
expectTypeOf<Thing['price']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Thing['weight']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Thing['madeAt']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Thing['colour']>().toEqualTypeOf<'RED' | 'GREEN' | 'BLUE' | null | undefined>();
expectTypeOf<Thing['size']>().toEqualTypeOf<'small' | 'large' | null | undefined>();
expectTypeOf<NonNullable<NonNullable<Thing['tenant']>['name']>>().toEqualTypeOf<string>();
expectTypeOf<NonNullable<Thing['tags']>[number]['label']>().toEqualTypeOf<string | undefined>();
expectTypeOf<NonNullable<Thing['shelves']>[number]['room']>().toEqualTypeOf<number | undefined>();
// @ts-expect-error an internal field
export type Cost = Thing['cost'];
// @ts-expect-error a hidden field
export type Note = Thing['note'];

await runQuery(source, '', rules, { customize: () => ({ where: { tenantId: 1, tenant: { name: 'x' } } }) });
await runQuery(source, '', rules, {
  customize: (args, { kind }) => ({ where: { AND: [args.where, { id: kind === 'data' ? 1 : 2 }] } }),
});
// @ts-expect-error unknown field
await runQuery(source, '', rules, { customize: () => ({ where: { tenantIdentity: 1 } }) });
// @ts-expect-error unknown model
prismaSource({ client, registry, model: 'thingy' });

const extended = client.$extends({ result: { thing: { shout: { needs: { name: true }, compute: ({ name }) => name } } } });
const more = await runQuery(prismaSource({ client: extended, registry, model: 'thing' }), '', anyRules);
expectTypeOf<(typeof more.data)[number]['price']>().toEqualTypeOf<string | undefined>();
await client.$transaction(async (tx) => {
  const { data: rows } = await runQuery(prismaSource({ client: tx, registry, model: 'thing' }), '', rules);
  expectTypeOf<(typeof rows)[number]['id']>().toEqualTypeOf<number | undefined>();
});

const own: SchemaRegistry = new Map();
const plain = await runQuery(prismaSource({ client, registry: own, describedBy: registry, model: 'thing' }), '', anyRules);
expectTypeOf<(typeof plain.data)[number]['weight']>().toEqualTypeOf<string | undefined>();
expectTypeOf<(typeof plain.data)[number]['cost']>().toEqualTypeOf<number | undefined>();
export { Prisma };
`;

it('the generated types accept correct code and refuse wrong code', async () => {
  const { folder } = await generatePrisma({ family: 'postgresql', models: shopModels });
  const directory = await mkdtemp(`${root}.scratch/prisma-types-`);
  await writeFile(`${directory}/program.ts`, program(folder));
  const config = {
    extends: `${root}tsconfig.json`,
    // In this checkout the generated module imports by file paths.
    compilerOptions: { rewriteRelativeImportExtensions: false },
    include: ['program.ts'],
  };
  await writeFile(`${directory}/tsconfig.json`, JSON.stringify(config));
  const printed = await compile(root, '-p', directory);
  await rm(directory, { recursive: true });
  expect(printed).toBe('');
});
