/** Values of fields whose kind differs from the client's type, where an extended client reads the rows: they are shown as SQL shows them. */

import { expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

interface Shown {
  /** Line of the field in the schema after its name, without its kind. */
  readonly type: string;
  readonly kind?: string;
  readonly column: string;
  /** The value as the client takes it, and as lists show it. */
  readonly given: unknown;
  readonly shown: unknown;
}

const hex = 'ABCDEF01-2345-6789-ABCD-EF0123456789';
const uuid = hex.toLowerCase();

/** The fields that every family stores; columns of bytes and JSON have the names of the family. */
const fieldsOf = (bytes: string, json: string): Readonly<Record<string, Shown>> => ({
  bigInt: { type: 'Int', kind: 'bigint', column: 'integer', given: 7, shown: '7' },
  decimalInt: { type: 'Int', kind: 'decimal', column: 'integer', given: 8, shown: '8' },
  decimalText: { type: 'String', kind: 'decimal', column: 'text', given: '1.50', shown: '1.5' },
  uuidText: { type: 'String', kind: 'uuid', column: 'text', given: hex, shown: uuid },
  uuidBytes: {
    type: 'Bytes',
    kind: 'uuid',
    column: bytes,
    given: Buffer.from(hex.replaceAll('-', ''), 'hex'),
    shown: uuid,
  },
  bytes: {
    type: 'Bytes',
    column: bytes,
    given: Buffer.from('0123456789abcdef'),
    shown: 'MDEyMzQ1Njc4OWFiY2RlZg==',
  },
  json: { type: 'Json', column: json, given: { b: 1, a: 'x' }, shown: { a: 'x', b: 1 } },
  opaque: {
    type: 'Json',
    kind: 'opaque',
    column: json,
    given: { b: 1, a: 'x' },
    shown: { a: 'x', b: 1 },
  },
  // Members that do not fit the kind are null.
  jsonList: {
    type: 'Json',
    kind: '"bigint[]"',
    column: json,
    given: [1, 'x', 2],
    shown: ['1', null, '2'],
  },
});

const families = {
  sqlite: fieldsOf('blob', 'text'),
  postgresql: {
    ...fieldsOf('bytea', 'jsonb'),
    list: {
      type: 'Decimal[]',
      column: 'numeric[]',
      given: ['1.50', '20'],
      shown: ['1.5', '20'],
    },
  },
};

it.for(['sqlite', 'postgresql'] as const)('are the same on %s', async (family, context) => {
  const database = await scratchDatabase(family, 'shown_by_client');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const fields = Object.entries(families[family]);
  const knex = knexOn(database);
  const columns = fields.map(([name, { column }]) => `"${name}" ${column}`);
  await knex.raw(`create table "Item" (id integer primary key, ${columns.join(', ')})`);
  await knex.destroy();
  const lines = fields.map(
    ([name, { type, kind }]) => `${kind ? `  /// @sluice.kind(${kind})\n` : ''}  ${name} ${type}`,
  );
  const models = `model Item {\n  id Int @id\n${lines.join('\n')}\n}`;
  const generated = await generatePrisma({ family, models });
  const { registry } = generated;
  const client = await clientOn(generated, database, 7);
  try {
    const given = fields.map(([name, field]) => [name, field.given]);
    const { item } = client as unknown as { item: { create(args: object): Promise<unknown> } };
    await item.create({ data: { id: 1, ...Object.fromEntries(given) } });
    let reads = 0;
    const extended = client.$extends({
      query: {
        item: {
          findMany: ({ args, query }: { args: object; query: (on: object) => unknown }) => {
            reads += 1;
            return query(args);
          },
        },
      },
    });
    const names = fields.map(([name]) => name);
    const rules = defineQueryRules(registry, 'item', {
      fields: { root: { allowed: names, default: names } },
    });
    const listed = async (on: object) => {
      const options = { client: on, registry, model: 'item', bypassQueryExtensions: true };
      const source = prismaSource(options as never) as QuerySource;
      return (await runQuery(source, '', rules)).data;
    };
    const shown = fields.map(([name, field]) => [name, field.shown]);
    expect(await listed(client)).toEqual([Object.fromEntries(shown)]);
    expect(reads).toBe(0);
    expect(await listed(extended)).toEqual([Object.fromEntries(shown)]);
    expect(reads).toBe(1);
  } finally {
    await client.$disconnect();
    await database.drop();
  }
});
