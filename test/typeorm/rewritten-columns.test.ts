/** Walks over columns that transformers rewrite: cursors are made of the stored values, reversible or not. */

import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import type { DataSourceOptions, ValueTransformer } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryField, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily, KeysetResult } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { families } from './open-library.ts';

const transformer = (
  to: (value: never) => unknown,
  from: (value: never) => unknown,
): { readonly transformer: ValueTransformer } => ({
  transformer: {
    to: (value: unknown) => (value === null ? null : to(value as never)),
    from: (value: unknown) => (value === null ? null : from(value as never)),
  },
});

const rotated = (text: string): string =>
  [...text].map((letter) => String.fromCharCode(187 - letter.charCodeAt(0))).join('');

@Entity('notes')
class Note {
  @PrimaryColumn() id!: number;
  /** Stored in cents. */
  @QueryField({ kind: 'integer' })
  @Column(
    'int',
    transformer(
      (euros: number) => euros * 100,
      (cents: number) => cents / 100,
    ),
  )
  price!: number;
  /** Several stored texts are one that is shown. */
  @Column({
    type: String,
    nullable: true,
    ...transformer(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
    ),
  })
  name!: string | null;
  /** Stored in another order than that of the shown values. */
  @Column({ type: String, ...transformer(rotated, rotated) })
  secret!: string;
  /** Tens are shown. */
  @Column(
    'int',
    transformer(
      (tens: number) => tens,
      (value: number) => Math.round(value / 10) * 10,
    ),
  )
  size!: number;
}

const bytesTypes = {
  postgresql: { type: 'bytea' },
  mysql: { type: 'varbinary', length: 16 },
  sqlite: { type: 'blob' },
} as const;

/** An entity with a key of two parts, both rewritten: bytes shown as a UUID, and text shown as a number. */
function tagOf(family: DatabaseFamily) {
  @Entity('tags')
  class Tag {
    @QueryField({ kind: 'uuid' })
    @PrimaryColumn({
      ...bytesTypes[family],
      ...transformer(
        (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex'),
        (bytes: Buffer) =>
          bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      ),
    })
    code!: string;
    @QueryField({ kind: 'integer' })
    @PrimaryColumn({
      type: 'varchar',
      length: 20,
      ...transformer(
        (no: number) => `no ${String(no).padStart(3, '0')}`,
        (text: string) => Number(text.slice(3)),
      ),
    })
    no!: number;
    @Column() size!: number;
  }
  return Tag;
}

const count = 40;
const rows = Array.from({ length: count }, (_, id) => ({
  id,
  price: (id * 7) % 13,
  name: id % 5 === 0 ? null : 'aAbB'[id % 4]! + 'xX'[id % 2]! + String(id % 3),
  secret: 'zebra'.slice(id % 5) + String.fromCharCode(65 + (id % 26)),
  size: (id * 3) % 17,
}));

const registry = typeormRegistry([Note]);
const fields = ['id', 'name', 'price', 'secret', 'size'] as const;
const rules = defineQueryRules(registry, 'note', {
  sorts: [...fields],
  fields: { root: { allowed: [...fields], default: ['id', 'name', 'secret'] } },
  pagination: { mode: 'both' },
});

const tags = Array.from({ length: count }, (_, at) => ({
  code: `${['f', '7', '80', '0'][at % 4]?.padEnd(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`,
  no: (at * 7) % 200,
  size: at % 3,
}));

describe.each(families)('rewritten columns on %s', (family) => {
  const Tag = tagOf(family);
  let dataSource: DataSource | null = null;
  let drop = async () => {};

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'typeorm_rewritten');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const types = { postgresql: 'postgres', mysql: 'mariadb', sqlite: 'better-sqlite3' } as const;
    const place = family === 'sqlite' ? { database: database.url } : { url: database.url };
    dataSource = await new DataSource({
      type: types[family],
      ...place,
      entities: [Note, Tag],
      synchronize: true,
    } as DataSourceOptions).initialize();
    for (const { code, no, size } of tags) {
      await dataSource.getRepository(Tag).insert({ code, no, size });
    }
    for (const { id, price, name, secret, size } of rows) {
      const text = name === null ? 'null' : `'${name}'`;
      await dataSource.query(
        `insert into notes (id, price, name, secret, size) values (${id}, ${price}, ${text}, '${secret}', ${size})`,
      );
    }
    drop = () => database.drop();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await drop();
  });

  const sorts = ['price', '-price,name', 'name', '-name', 'secret,-size', '-size', 'size,-secret'];
  for (const hydrate of [false, true]) {
    it.for(sorts)(
      `are walked by sort=%s, ${hydrate ? 'entities' : 'rows'}`,
      async (sort, context) => {
        if (!dataSource) return context.skip();
        const source = typeormSource(dataSource, Note, { hydrate });
        const list = async (request: string) => runQuery(source, `sort=${sort}&${request}`, rules);
        const idsOf = (data: readonly { readonly id?: unknown }[]) =>
          data.map(({ id }) => Number(id));
        const expected = idsOf((await list('perPage=50')).data);
        expect(expected).toHaveLength(count);
        for (const perPage of [1, 3, 7]) {
          const seen: number[] = [];
          let back: string | null = null;
          for (let cursor: string | null = ''; cursor !== null && seen.length <= count;) {
            const page = (await list(`perPage=${perPage}&cursor=${cursor}`)) as KeysetResult;
            seen.push(...idsOf(page.data));
            back = page.prevCursor;
            cursor = page.nextCursor;
          }
          expect(seen, `forwards by ${perPage}`).toEqual(expected);
          const before: number[] = [];
          for (let cursor = back; cursor !== null && before.length <= count;) {
            const page = (await list(`perPage=${perPage}&cursor=${cursor}`)) as KeysetResult;
            before.unshift(...idsOf(page.data));
            cursor = page.prevCursor;
          }
          const last = count % perPage || perPage;
          expect(before, `backwards by ${perPage}`).toEqual(expected.slice(0, count - last));
        }
      },
    );
  }

  it.for(
    [false, true].flatMap((hydrate) =>
      [undefined, cursorKeys].map((keys) => [hydrate, keys] as const),
    ),
  )('are walked as a primary key, entities: %s, sealed: %s', async ([hydrate, keys], context) => {
    if (!dataSource) return context.skip();
    const source = typeormSource(dataSource, Tag, { hydrate });
    const tagRules = defineQueryRules(
      typeormRegistry([Tag]),
      'tag',
      {
        sorts: ['size', 'no', 'code'],
        fields: { root: { allowed: ['code', 'no', 'size'], default: ['code', 'no'] } },
        pagination: { mode: 'both' },
      },
      { families: [family], ...(keys !== undefined && { cursorKeys: keys }) },
    );
    const list = async (request: string) => runQuery(source, request, tagRules);
    for (const sort of ['', 'sort=size', 'sort=-size,no', 'sort=-no,code']) {
      const shown = (data: readonly object[]) => data.map((row) => JSON.stringify(row));
      const expected = shown((await list(`${sort}&perPage=50`)).data);
      expect(expected).toHaveLength(count);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length <= count;) {
        const page = (await list(`${sort}&perPage=3&cursor=${cursor}`)) as KeysetResult;
        seen.push(...shown(page.data));
        cursor = page.nextCursor;
      }
      expect(seen, `by ${sort}`).toEqual(expected);
    }
  });
});
