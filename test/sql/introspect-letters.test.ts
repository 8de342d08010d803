/** Names of the catalogue with letters that paths cannot have. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { nameOf } from '../../src/adapters/sql/introspect-names.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

describe('letters beyond ASCII', () => {
  it.each([
    ['größe', 'grosse', 'grosse'],
    ['Straßen_Länge', 'strassenLange', 'Strassen_Lange'],
    ['numéro_de_série', 'numeroDeSerie', 'numero_de_serie'],
    ['STÜCK_ZAHL', 'stuckZahl', 'STUCK_ZAHL'],
    ['Æble_ØL', 'aebleOL', 'Aeble_OL'],
    ['ÆBLE_ØL', 'aebleOl', 'AeBLE_OL'],
    ['ИМЯ_ID', 'u418u41cu42fId', 'u418u41cu42f_ID'],
    ['łódź', 'lodz', 'lodz'],
    ['cafe\u0301', 'cafe', 'cafe'],
    ['имя', 'u438u43cu44f', 'u438u43cu44f'],
    ['名_id', 'u540dId', 'u540d_id'],
    ['각', 'uac01', 'uac01'],
    ['𝒜_1', 'a1', 'A_1'],
    ['preis €', 'preis', 'preis_'],
    ['a–b', 'aB', 'a_b'],
    ['½', '_12', '_1_2'],
    ['\u0301', '_', '_'],
    ['__v', '__v', '__v'],
  ])('%s', (name, camelCase, asIs) => {
    expect(nameOf(name, 'camelCase')).toBe(camelCase);
    expect(nameOf(name, 'as-is')).toBe(asIs);
  });

  it('are read and listed under names of their own', async () => {
    const connection = new Sqlite(':memory:');
    connection.exec(`create table "Größen" (id integer primary key, "größe" int, "grösse" int, "имя" text, "тип" text);
      insert into "Größen" values (1, 2, 3, 'Ада', 'x')`);
    const registry = await introspect(connection);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'grossen' });
    const rules = defineQueryRules(registry, 'grossen', {
      fields: 'all',
      filters: [{ path: 'grosse2', operators: ['eq'] }],
    });
    expect((await runQuery(source, 'filter[grosse2]=3', rules)).data).toEqual([
      { id: 1, grosse: 2, grosse2: 3, u438u43cu44f: 'Ада', u442u438u43f: 'x' },
    ]);
    connection.close();
  });
});
