/** Native types, lists and annotations that the generator reads, and how it writes and answers. */

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { describeSchema, generateModule } from '../../src/adapters/prisma/generator/generate.ts';
import { answerRequests } from '../../src/adapters/prisma/generator/protocol.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { datamodelOf, withComments } from './fixtures/datamodel.ts';

describe('types', () => {
  const described = async (family: DatabaseFamily, fields: string, more = '') => {
    const text = `model Sample {\n id Int @id\n ${fields}\n}\n${more}`;
    const { models } = describeSchema(family, await datamodelOf(family, text));
    return Object.entries(models['sample']?.fields ?? {})
      .slice(1)
      .map(([path, { kind, sqlType }]) => [path, kind, sqlType].join(' '));
  };
  const enums = `enum Mood {
    GOOD @map("it's good")
    BAD
    @@map("mood_type")
  }
  enum Plain {
    A
    B
  }`;

  it('of PostgreSQL', async () => {
    const fields = `xml String @db.Xml
      bit String @db.Bit(3)
      bits String @db.VarBit(3)
      inet String @db.Inet
      char String @db.Char(36)
      money Decimal @db.Money
      time DateTime @db.Time(3)
      zoned DateTime @db.Timetz(3)
      double Float @db.DoublePrecision
      real Float @db.Real
      float Float
      jsonb Json @db.JsonB
      bytea Bytes @db.ByteA
      whole BigInt
      flag Boolean
      wide Decimal
      at DateTime
      mood Mood
      moods Mood[]
      plains Plain[]
      texts String[]
      uuids String[] @db.Uuid
      days DateTime[] @db.Date`;
    expect(await described('postgresql', fields, enums)).toEqual([
      'xml opaque xml',
      'bit opaque bit(3)',
      'bits opaque varbit(3)',
      'inet opaque inet',
      'char string char(36)',
      'money opaque money',
      'time opaque time(3)',
      'zoned opaque timetz(3)',
      'double float double precision',
      'real float real',
      'float float double precision',
      'jsonb json jsonb',
      'bytea binary bytea',
      'whole bigint bigint',
      'flag boolean boolean',
      'wide decimal numeric(65, 30)',
      'at datetime timestamp(3)',
      'mood enum "mood_type"',
      'moods opaque "mood_type"[]',
      'plains enum[] "Plain"[]',
      'texts string[] text[]',
      'uuids uuid[] uuid[]',
      'days date[] date[]',
    ]);
  });

  it('of MySQL', async () => {
    const fields = `uuid String @db.Char(36)
      char String @db.Char(35)
      text String @db.VarChar(36)
      medium Int @db.UnsignedMediumInt
      small Int @db.UnsignedSmallInt
      tiny Int @db.UnsignedTinyInt
      big BigInt @db.UnsignedBigInt
      flag Boolean
      float Float
      wide Decimal
      json Json
      bytes Bytes
      plain String
      mood Mood`;
    expect(await described('mysql', fields, enums)).toEqual([
      'uuid uuid char(36)',
      'char string char(35)',
      'text string varchar(36)',
      'medium integer mediumint unsigned',
      'small integer smallint unsigned',
      'tiny integer tinyint unsigned',
      'big bigint bigint unsigned',
      'flag boolean tinyint(1)',
      'float float double',
      'wide decimal decimal(65, 30)',
      'json json json',
      'bytes binary longblob',
      'plain string varchar(191)',
      `mood enum enum('it''s good', 'BAD')`,
    ]);
  });

  it('of SQLite', async () => {
    const fields = `text String
      flag Boolean
      whole BigInt
      float Float
      wide Decimal
      at DateTime
      json Json
      bytes Bytes
      plain Plain`;
    expect(await described('sqlite', fields, enums)).toEqual([
      'text string text',
      'flag boolean boolean',
      'whole bigint bigint',
      'float float real',
      'wide decimal decimal',
      'at datetime datetime',
      'json json jsonb',
      'bytes binary blob',
      'plain enum text',
    ]);
  });
});

describe('annotations', () => {
  const text = `model Sample {
    id Int @id
    data Json
    note String
    code String @db.Uuid
    code_folded String
    code_order String
    mood Mood
    moodFolded String
    moodOrder String
    size Int
    sizeFolded String
    name String
    nameFolded Int
    ids String[]
  }
  enum Mood {
    GOOD
  }`;
  const fieldsOf = async (comments: { readonly [field: string]: string }) => {
    const datamodel = withComments(await datamodelOf('postgresql', text), comments);
    return describeSchema('postgresql', datamodel).models['sample']?.fields ?? {};
  };

  it('type the paths of json, and refuse others', async () => {
    const paths = '@sluice.paths("customer.id integer", "state string")';
    expect((await fieldsOf({ data: paths }))['data']).toMatchObject({
      paths: { 'customer.id': 'integer', state: 'string' },
    });
    for (const wrong of ['customer.id', 'customer.id text', 'a..b integer', 'a integer b', ''])
      await expect(fieldsOf({ data: `@sluice.paths("a integer", "${wrong}")` })).rejects.toThrow(
        'Sample.data: @sluice.paths takes texts of a path and a kind',
      );
  });

  it('hide a field, and one of two companions', async () => {
    const fields = await fieldsOf({ note: '@sluice.hidden', code: '@sluice.order(false)' });
    expect(fields).not.toHaveProperty('note');
    expect(fields['code']).toMatchObject({ foldedField: 'code_folded' });
    expect(fields['code']).not.toHaveProperty('portableOrderField');
    expect(fields['mood']).toMatchObject({
      foldedField: 'moodFolded',
      portableOrderField: 'moodOrder',
    });
    for (const path of ['size', 'name']) expect(fields[path]).not.toHaveProperty('foldedField');
    const internal = Object.entries(fields).filter(([, field]) => field.internal);
    expect(internal.map(([path]) => path)).toEqual(['code_folded', 'moodFolded', 'moodOrder']);
  });

  it.each([
    [{ mood: '@sluice.values(a)' }, 'Sample.mood: the enum declares its members; drop'],
    [{ mood: '@sluice.kind(uuid)' }, 'does not hold kind uuid'],
    [{ name: '@sluice.folded(id)' }, 'no text field'],
    [{ data: '@sluice.paths' }, 'it takes at least 1'],
  ] as const)('refuse %j', async (comments, message) => {
    await expect(fieldsOf(comments)).rejects.toThrow(message);
  });

  it('make text of an enum, and keys of the members of a list', async () => {
    const fields = await fieldsOf({ mood: '@sluice.kind(string)', ids: '@sluice.kind("uuid[]")' });
    expect([fields['mood']?.kind, fields['ids']?.kind]).toEqual(['string', 'uuid[]']);
    // A list may be absent, other columns here may not.
    expect([fields['mood']?.nullable, fields['ids']?.nullable]).toEqual([undefined, true]);
  });
});

it('settings are those of the generator block', async () => {
  const datamodel = await datamodelOf('sqlite', 'model Row {\n id Int @id\n}');
  expect(describeSchema('sqlite', datamodel)).not.toHaveProperty('timestamps');
  expect(describeSchema('sqlite', datamodel, { timestamps: 'iso8601' })).not.toHaveProperty(
    'timestamps',
  );
  expect(describeSchema('sqlite', datamodel, { timestamps: 'unixepoch-ms' })).toMatchObject({
    timestamps: 'unixepoch-ms',
  });
  expect(describeSchema('postgres', datamodel).provider).toBe('postgresql');
});

it('texts are quoted in the module, and lines that are too long are broken', async () => {
  const row = await datamodelOf(
    'sqlite',
    'model Row {\n id Int @id\n it Int @map("it\'s")\n say Int @map("say \\"so\\"")\n}',
  );
  const text = generateModule('sqlite', row);
  expect(text).toContain(`column: "it's"`);
  expect(text).toContain(`column: 'say "so"'`);
  expect(text.split('\n').every((line) => line.length <= 100)).toBe(true);
});

it('stored members that begin with a digit are quoted as keys of the module', async () => {
  const film = await datamodelOf(
    'mysql',
    `model Film {\n id Int @id\n form Form\n}
/// @sluice.mapped
enum Form {\n FLAT @map("2d")\n SOLID @map("d3")\n}`,
  );
  expect(generateModule('mysql', film)).toMatch(/client: \{ '2d': 'FLAT', d3: 'SOLID' \}/);
});

it('the protocol answers every request by its id, errors and unknown methods as well', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = [
    { id: 1, method: 'getManifest', params: {} },
    { id: 2, method: 'fail', params: {} },
    { id: 3, method: 'toString', params: {} },
    { id: 4, method: 'nothing', params: { a: 1 } },
    { method: 'getManifest' },
    7,
  ];
  input.end(`\n${asked.map((each) => JSON.stringify(each)).join('\r\n')}\n`);
  const given: unknown[] = [];
  await answerRequests(
    {
      getManifest: () => ({ manifest: 1 }),
      fail: async () => {
        throw new Error('Row.id: wrong');
      },
      nothing: (params) => void given.push(params),
    },
    input,
    output,
  );
  output.end();
  const lines = String(output.read()).trim().split('\n');
  const wrong = (id: number, message: string) => ({
    jsonrpc: '2.0',
    id,
    error: { code: 0, message, data: { stack: message } },
  });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 1, result: { manifest: 1 } },
    wrong(2, 'Row.id: wrong'),
    wrong(3, 'The generator does not have this method.'),
    { jsonrpc: '2.0', id: 4, result: null },
  ]);
  expect(given).toEqual([{ a: 1 }]);
});
