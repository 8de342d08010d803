/** Opens and fills the library on a scratch database. */

import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { foldedColumns, typeormRegistry } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import {
  Author,
  Book,
  Edition,
  Film,
  Passport,
  Publisher,
  Shelf,
  Sound,
  Stamp,
  entities,
} from './library.ts';

/** The library and its database. */
export interface Library {
  readonly family: DatabaseFamily;
  readonly dataSource: DataSource;
  /** Statements since the list was last cleared. */
  readonly statements: string[];
  close(): Promise<void>;
}

export const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];

/** The registry of the library, created before any DataSource. */
export const registry = typeormRegistry(entities);

const optionsFor: { readonly [family in DatabaseFamily]: (url: string) => DataSourceOptions } = {
  postgresql: (url) => ({ type: 'postgres', url, extra: { max: 3 } }),
  mysql: (url) => ({ type: 'mariadb', url, timezone: 'Z', extra: { connectionLimit: 3 } }),
  sqlite: (url) => ({ type: 'better-sqlite3', database: url }),
};

/** Opens an empty library; `null` if its database is not available. */
export async function openLibrary(
  family: DatabaseFamily,
  suite: string,
  more: object = {},
): Promise<Library | null> {
  const database = await scratchDatabase(family, `typeorm_${suite}`);
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return null;
  }
  const statements: string[] = [];
  const silent = (): void => {};
  const dataSource = new DataSource({
    ...optionsFor[family](database.url),
    entities: [...entities],
    subscribers: [foldedColumns()],
    synchronize: true,
    logger: {
      logQuery: (text: string) => void statements.push(text),
      logQueryError: silent,
      logQuerySlow: silent,
      logSchemaBuild: silent,
      logMigration: silent,
      log: silent,
    },
    ...more,
  } as DataSourceOptions);
  await dataSource.initialize();
  return {
    family,
    dataSource,
    statements,
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** An author with default values. */
export function author(name: string, more: Partial<Author> = {}): Partial<Author> {
  return {
    name,
    tags: [],
    fee: 1.5,
    motto: `${name}!`,
    words: '9007199254740993',
    address: { street: '1 Road', city: `${name} Town`, at: { x: 1, y: null } } as Author['address'],
    ...more,
  };
}

/** Opens a library and fills it with authors, books, editions on shelves, media and stamps. */
export async function filledLibrary(
  family: DatabaseFamily,
  suite: string,
): Promise<Library | null> {
  const library = await openLibrary(family, suite);
  if (!library) return null;
  const { manager } = library.dataSource;
  const [north, south] = await manager.save(Publisher, [{ code: 'north' }, { code: 'south' }]);
  const at = (city: string, nearest: Publisher | null): Author['address'] =>
    ({ street: '2 Lane', city, at: { x: 3, y: 4 }, nearest }) as Author['address'];
  const make = (name: string, more: Partial<Author>) =>
    manager.save(Author, manager.create(Author, author(name, more)));
  const ada = await make('Ada', {
    mood: 'wild',
    email: 'ada@example.com',
    tags: ['maths', 'poetry'],
    settings: { theme: 'dark' },
    fee: 2.5,
    royalty: '12.50',
    bornOn: '1815-12-10',
    address: at('Östersund', north ?? null),
    publisher: north ?? null,
    books: [{ title: 'Notes' }, { title: 'Sketches' }, { title: 'Lost' }] as Book[],
  });
  const bob = await make('Bob', { mood: 'calm', publisher: south ?? null, teachers: [ada] });
  await make('Cid', { active: false, teachers: [ada, bob] });
  await manager.save(Passport, { number: 'P1', author: ada });
  await manager.softDelete(Book, { title: 'Lost' });
  const notes = await manager.findOneByOrFail(Book, { title: 'Notes' });
  const shelf = await manager.save(Shelf, { room: 'A', place: 7 });
  await manager.save(Edition, { bookId: notes.id, run: 1, shelves: [shelf] });
  await manager.save(Edition, { bookId: notes.id, run: 2, shelves: [] });
  await manager.save(Sound, { title: 'Rain', minutes: 3 });
  await manager.save(Film, { title: 'Train', metres: 17 });
  await manager.save(Film, { title: 'Gone', metres: 5 });
  await manager.softDelete(Film, { title: 'Gone' });
  await manager.save(Stamp, [
    { key: { country: 'SE', serial: 3 }, motif: 'elk' },
    { key: { country: 'DE', serial: 9 }, motif: 'bear' },
  ]);
  library.statements.length = 0;
  return library;
}
