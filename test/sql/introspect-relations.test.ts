/** Relations and keys that a catalogue gives: names, columns of several keys, join tables, and keys of each type. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import type { IntrospectOptions, SqlTables } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

const read = async (script: string, options?: IntrospectOptions) => {
  const connection = new Sqlite(':memory:');
  connection.exec('pragma foreign_keys = off');
  connection.exec(script);
  return introspect(connection, options).finally(() => connection.close());
};
const relationsOf = (tables: SqlTables, model: string) => tables[model]?.relations;

describe('a catalogue', () => {
  it('gives whole tables, with what differs from the defaults alone', async () => {
    const { tables } = await read(`
      create table teams (id integer primary key not null, label text unique);
      create table staff_members (team_id integer not null references teams (id), no integer not null,
        "Nick Name" text, bio text not null, token uuid not null, primary key (team_id, no));`);
    expect(tables).toEqual({
      teams: {
        table: 'teams',
        primaryKey: ['id'],
        uniqueKeys: [['label']],
        columns: {
          id: { type: 'INTEGER', nullable: false },
          label: { type: 'TEXT', nullable: true },
        },
        relations: { staffMembers: { many: 'staffMembers', from: ['id'], to: ['teamId'] } },
      },
      staffMembers: {
        table: 'staff_members',
        primaryKey: ['teamId', 'no'],
        columns: {
          teamId: { type: 'INTEGER', column: 'team_id', nullable: false },
          no: { type: 'INTEGER', nullable: false },
          nickName: { type: 'TEXT', column: 'Nick Name', nullable: true },
          bio: { type: 'TEXT' },
          token: { type: 'uuid' },
        },
        relations: { team: { one: 'teams', from: ['teamId'], to: ['id'] } },
      },
    });
  });

  it('names relations apart from columns and from one another', async () => {
    const { tables } = await read(`
      create table people (id integer primary key, boss text, boss_id int references people (id),
        visits text, home int references places (id));
      create table places (id integer primary key);
      create table visits (id integer primary key, person_id int references people (id),
        "placeID" int references places (id), back int references places (id));
      create table maps (id integer primary key, main_idea int references places (id));`);
    expect(Object.keys(relationsOf(tables, 'maps') ?? {})).toEqual(['places']);
    expect(Object.entries(relationsOf(tables, 'people') ?? {})).toEqual([
      ['boss2', { one: 'people', from: ['bossId'], to: ['id'] }],
      ['places', { one: 'places', from: ['home'], to: ['id'] }],
      ['peopleByBoss', { many: 'people', from: ['id'], to: ['bossId'] }],
      ['visits2', { many: 'visits', from: ['id'], to: ['personId'] }],
    ]);
    expect(Object.keys(relationsOf(tables, 'visits') ?? {})).toEqual([
      'person',
      'place',
      'backPlaces',
    ]);
    expect(Object.keys(relationsOf(tables, 'places') ?? {})).toEqual([
      'maps',
      'people',
      'visitsByPlace',
      'visitsByBack',
    ]);
    const asIs = await read(
      `create table People (id integer primary key, Boss_id int references People (id));
      create table trips (id integer primary key, "from" int references People (id), "to" int references People (id));`,
      { naming: 'as-is' },
    );
    expect(Object.keys(relationsOf(asIs.tables, 'trips') ?? {})).toEqual([
      'from_people',
      'to_people',
    ]);
    expect(Object.keys(relationsOf(asIs.tables, 'People') ?? {})).toEqual([
      'Boss',
      'people_by_boss',
      'trips_by_from',
      'trips_by_to',
    ]);
  });

  it('numbers columns whose names become one', async () => {
    const { tables } = await read(
      'create table t (id integer primary key, a_b int, "a b" int, "a-b" int)',
    );
    expect(Object.keys(tables['t']?.columns ?? {})).toEqual(['id', 'aB', 'aB2', 'aB3']);
  });

  it('takes columns in their order, and a key that is declared twice once', async () => {
    const { tables } = await read(`
      create table a (id integer primary key);
      create table b (id integer primary key);
      create table c (id integer primary key, b_id int, a_id int,
        foreign key (a_id) references a (id), foreign key (b_id) references b (id),
        foreign key (a_id) references a (id));`);
    expect(Object.keys(relationsOf(tables, 'c') ?? {})).toEqual(['b', 'a']);
    expect(relationsOf(tables, 'a')).toEqual({ c: { many: 'c', from: ['id'], to: ['aId'] } });
  });

  it('finds one row back where a part of the columns is unique, and several beyond', async () => {
    const { tables } = await read(`
      create table lines (bill int not null, no int not null, primary key (bill, no));
      create table notes (id integer primary key, bill int, no int, unique (no),
        foreign key (bill, no) references lines (bill, no));
      create table marks (id integer primary key, bill int, no int, colour int, unique (bill, no, colour),
        foreign key (bill, no) references lines (bill, no));
      create table hints (id integer primary key, bill int, no int, colour int,
        unique (no, colour), foreign key (bill, no) references lines (bill, no));`);
    const pair = { from: ['bill', 'no'], to: ['bill', 'no'] };
    expect(relationsOf(tables, 'lines')).toEqual({
      notes: { one: 'notes', ...pair, nullable: true },
      marks: { many: 'marks', ...pair },
      hints: { many: 'hints', ...pair },
    });
    expect(relationsOf(tables, 'notes')).toEqual({ lines: { one: 'lines', ...pair } });
  });

  it('joins through tables of two keys and nothing else', async () => {
    const { tables } = await read(`
      create table people (id integer primary key);
      create table clubs (land int not null, no int not null, primary key (land, no));
      create table members (person_id int not null references people (id), land int not null, no int not null,
        foreign key (land, no) references clubs (land, no), primary key (person_id, land, no));
      create table guests (person_id int not null references people (id), land int not null, no int not null,
        since text, foreign key (land, no) references clubs (land, no), primary key (person_id, land, no));
      create table talks (boss_id int not null references people (id), fellow_id int not null references people (id),
        primary key (boss_id, fellow_id));
      create table pairs (land int not null, no int not null, other int not null, hint int not null,
        foreign key (land, no) references clubs (land, no), foreign key (land, other) references clubs (land, no),
        primary key (land, no, other));
      create table doubles (land int not null, no int not null, other int not null,
        foreign key (land, no) references clubs (land, no), foreign key (land, other) references clubs (land, no),
        primary key (land, no, other));
      create table trios (a int not null references people (id), b int not null references people (id),
        c int not null references people (id), primary key (a, b, c));
      create table nodes (id integer primary key references nodes (id), up int references nodes (id));`);
    expect(Object.keys(tables).toSorted()).toEqual([
      'clubs',
      'doubles',
      'guests',
      'nodes',
      'pairs',
      'people',
      'trios',
    ]);
    const people = relationsOf(tables, 'people') ?? {};
    expect(Object.keys(people)).toEqual([
      'guests',
      'triosByA',
      'triosByB',
      'triosByC',
      'clubs',
      'fellows',
      'boss',
    ]);
    expect(people['clubs']).toEqual({
      many: 'clubs',
      from: ['id'],
      to: ['land', 'no'],
      through: { table: 'members', from: ['person_id'], to: ['land', 'no'] },
    });
    expect(people['boss']).toEqual({
      many: 'people',
      from: ['id'],
      to: ['id'],
      through: { table: 'talks', from: ['fellow_id'], to: ['boss_id'] },
    });
    expect(relationsOf(tables, 'clubs')?.['people']).toEqual({
      many: 'people',
      from: ['land', 'no'],
      to: ['id'],
      through: { table: 'members', from: ['land', 'no'], to: ['person_id'] },
    });
  });

  it('finds tables and columns that foreign keys of SQLite name in another case', async () => {
    const { tables, skipped } = await read(`
      create table Teams (Id integer primary key, Code text unique);
      create table players (id integer primary key, team_id int references teams,
        coach_id int references TEAMS (id), code text references teams (CODE));`);
    expect(relationsOf(tables, 'players')).toEqual({
      team: { one: 'teams', from: ['teamId'], to: ['id'] },
      coach: { one: 'teams', from: ['coachId'], to: ['id'] },
      codeTeams: { one: 'teams', from: ['code'], to: ['code'] },
    });
    expect(skipped).toEqual([]);
  });

  it('keeps a table of two keys, one of which is to itself', async () => {
    const { tables } = await read(`
      create table things (id integer primary key);
      create table steps (thing_id int primary key references things (id), next_id int references steps (thing_id));
      create table uses (thing_id int references things (id), step_id int references steps (thing_id),
        primary key (thing_id, step_id));`);
    expect(Object.keys(tables)).toEqual(['steps', 'things']);
    expect(relationsOf(tables, 'steps')).toMatchObject({
      thing: { one: 'things' },
      next: { one: 'steps' },
    });
  });

  it('keeps a table of two keys, one of which is to a join table', async () => {
    const { tables, skipped } = await read(`
      create table people (id integer primary key);
      create table clubs (id integer primary key);
      create table rooms (id integer primary key);
      create table members (person int not null references people (id),
        club int not null references clubs (id), primary key (person, club));
      create table lockers (person int not null, club int not null, room_id int not null references rooms (id),
        foreign key (person, club) references members (person, club), primary key (person, club, room_id));`);
    expect(relationsOf(tables, 'lockers')).toEqual({
      room: { one: 'rooms', from: ['roomId'], to: ['id'] },
    });
    expect(Object.keys(relationsOf(tables, 'people') ?? {})).toEqual(['clubs']);
    expect(skipped).toMatchObject([{ table: 'lockers', foreignKey: ['person', 'club'] }]);
  });

  it('gives no relation to a join table, which is not a model', async () => {
    const { tables, skipped } = await read(`
      create table people (id integer primary key);
      create table clubs (id integer primary key);
      create table members (person int not null references people (id),
        club int not null references clubs (id), primary key (person, club));
      create table fees (id integer primary key, person int not null, club int not null,
        foreign key (person, club) references members (person, club));`);
    expect(Object.keys(tables).toSorted()).toEqual(['clubs', 'fees', 'people']);
    expect(relationsOf(tables, 'fees')).toEqual({});
    expect(Object.keys(relationsOf(tables, 'people') ?? {})).toEqual(['clubs']);
    expect(skipped).toEqual([
      {
        table: 'fees',
        foreignKey: ['person', 'club'],
        reason: 'it references "members", which is not a model',
      },
    ]);
  });

  it('says which foreign keys give no relation, and which columns and tables it leaves', async () => {
    const { skipped } = await read(`
      create table logs (at text);
      create table docs (id integer primary key, log text references logs (at), part text references parts (code),
        none text references nowhere (id), shape datetime);
      create table parts (id integer primary key);`);
    expect(skipped).toEqual([
      {
        table: 'docs',
        column: 'shape',
        reason: 'its type "datetime" does not determine a kind: it is only shown',
      },
      { table: 'logs', reason: 'it has no primary key' },
      { table: 'docs', foreignKey: ['log'], reason: 'it references "logs", which is not a model' },
      {
        table: 'docs',
        foreignKey: ['part'],
        reason: 'it references columns that "parts" does not have',
      },
      {
        table: 'docs',
        foreignKey: ['none'],
        reason: 'it references "nowhere", which is not a model',
      },
    ]);
  });

  it('leaves a foreign key of other length than the primary key that it means', async () => {
    const { tables, skipped } = await read(`
      create table shelves (x int not null, y int not null, primary key (x, y));
      create table books (id integer primary key, shelf_id int references shelves);`);
    expect(relationsOf(tables, 'books')).toEqual({});
    expect(skipped).toEqual([
      {
        table: 'books',
        foreignKey: ['shelf_id'],
        reason: 'it references columns that "shelves" does not have',
      },
    ]);
  });

  it('is refused without a table that can be listed, and by each relation where it is strict', async () => {
    await expect(
      read('create table logs (at text); create view seen as select 1 as a'),
    ).rejects.toThrow(
      'The schema has no table with a primary key; it has logs, seen. Name a key in "keys", or select another schema.',
    );
    await expect(read('')).rejects.toThrow('no table with a primary key; it has none.');
    const sound = await read(
      'create table sites (id integer primary key); create table doors (id integer primary key, site_id int references sites (id))',
      { strict: true },
    );
    expect(sound.firstRows).toEqual([]);
    await expect(
      read(
        `create table sites (id integer primary key, code text, name text, unique (code, id));
        create table doors (id integer primary key, site text references sites (code), place text references sites (name))`,
        { strict: true },
      ),
    ).rejects.toThrow(
      'introspect, "strict": doors.siteSites: table sites has no unique index on its columns code; doors.placeSites: table sites has no unique index on its columns name; add the index.',
    );
  });
});

async function onServer(
  family: DatabaseFamily,
  skip: () => void,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const database = await scratchDatabase(family, 'introspect_relations');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  const opened = openDriver(family, database);
  await work(opened).finally(() => opened.close());
}

it('bytes of MySQL that identify rows are UUIDs, and others bytes', (context) =>
  onServer('mysql', context.skip, async (opened) => {
    const { connection } = opened;
    await runScript(opened, [
      `create table parcels (id binary(16) primary key, seal binary(16) not null)`,
      `create table stops (id int primary key, parcel_id binary(16), foreign key (parcel_id) references parcels (id))`,
      `create table hosts (id int primary key, address varbinary(16) not null unique)`,
      `create table calls (id int primary key, address varbinary(16) not null, foreign key (address) references hosts (address))`,
      `insert into parcels values (unhex('0190163d8694739b9cea966c26f8ad91'), unhex('000102030405060708090a0b0c0d0e0f'))`,
      `insert into stops values (1, unhex('0190163d8694739b9cea966c26f8ad91')), (2, null)`,
    ]);
    const registry = await introspect(connection);
    const { tables } = registry;
    expect(tables['parcels']?.columns).toEqual({
      id: { type: 'binary(16)', kind: 'uuid' },
      seal: { type: 'binary(16)' },
    });
    expect(tables['calls']?.columns['address']).toEqual({ type: 'varbinary(16)' });
    const source = sqlSource({ connection, registry, tables, model: 'stops' });
    const rules = defineQueryRules(
      registry,
      'stops',
      {
        fields: 'all',
        filters: [{ path: 'parcelId', operators: ['eq'] }],
        includes: ['parcel'],
      } as never,
      { families: ['mysql'] },
    );
    const id = '0190163d-8694-739b-9cea-966c26f8ad91';
    const { data } = await runQuery(
      source,
      `filter[parcelId]=${id}&includes=parcel`,
      rules as never,
    );
    expect(data).toEqual([
      { id: 1, parcelId: id, parcel: { id, seal: 'AAECAwQFBgcICQoLDA0ODw==' } },
    ]);
  }));

it('keys of PostgreSQL without an order leave their table, in any place', (context) =>
  onServer('postgresql', context.skip, async (opened) => {
    const { connection } = opened;
    await runScript(opened, [
      `create type mood as enum ('sad', 'glad')`,
      `create table bodies (id jsonb primary key)`,
      `create table parts (id int, body jsonb, primary key (id, body))`,
      `create table people (id int primary key, mood mood not null, moods mood[] not null)`,
      `create view drafts as select id as no, body from parts`,
      `insert into people values (1, 'glad', '{sad,glad}')`,
    ]);
    const registry = await introspect(connection);
    const { skipped, tables } = registry;
    const reason =
      'its primary key has a type without an order; UUIDs as bytes are listed where a declared table gives them kind "uuid"';
    expect(skipped.filter((each) => each.reason === reason).map(({ table }) => table)).toEqual([
      'bodies',
      'parts',
    ]);
    expect(Object.keys(tables)).toEqual(['people']);
    expect(registry.get('people')?.fields).toMatchObject([
      { path: 'id', kind: 'integer' },
      { path: 'mood', kind: 'enum', enumValues: ['sad', 'glad'] },
      { path: 'moods', kind: 'opaque' },
    ]);
    const of = (body: string | string[]) => introspect(connection, { keys: { drafts: body } });
    await expect(of(['no', 'body'])).rejects.toThrow('"drafts.body" has a type without an order');
    expect((await of('no')).get('drafts')?.primaryKey).toEqual(['no']);
  }));
