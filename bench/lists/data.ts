/** The rows of the list benchmarks: the same companies, users and posts on every run and every database. */

export const companyCount = 1_000;
export const userCount = 100_000;
export const postCount = 300_000;

/** Increment it with every change of rows or tables, so that older databases are seeded again. */
export const dataVersion = 2;

export interface CompanyRow {
  readonly id: number;
  readonly name: string;
  readonly country: string;
}

export interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly age: number;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly companyId: number;
  readonly nameFolded: string;
  readonly emailFolded: string;
}

export interface PostRow {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
}

const firstNames =
  'Ada Alan Anna Bela Carla Chen Dora Edgar Elena Emil Fatima Georg Grace Hannah Hector Ines Ivan Jamal Jürgen Johanna Kenji Lars Leila Lin Marc Maria Mei Nadia Nils Noor Olga Omar Paula Pedro Quinn Rosa Samir Sofia Tariq Tomas Uma Vera Viktor Wanda Xavier Yara Yusuf Zoë Åsa Émile'.split(
    ' ',
  );
const lastNames =
  'Abe Bauer Becker Castro Chavez Dietz Dubois Eklund Farah Fischer Garcia Gruber Haddad Hoffman Ito Jensen Kaya Keller Kim Koch Kovač Lang Lopez Maier Meyer Moreau Nagy Novak Okafor Olsen Ortiz Park Petrov Ramos Rossi Sato Schmid Silva Singh Sørensen Suzuki Torres Tran Vogel Wagner Weber Weiss Wolf Yilmaz Zimmer'.split(
    ' ',
  );
const words =
  'amber basket copper dragon ember forest garden harbour island jungle kettle lantern meadow needle orchard pepper quarry river saddle timber urchin velvet window yonder zephyr anchor bottle candle desert engine feather glacier hammer ivory jacket kernel ladder marble nectar ocean pillow quiver ribbon silver thunder'.split(
    ' ',
  );
const countries = ['de', 'fr', 'es', 'it', 'jp', 'us', 'br', 'in', 'ng', 'se'];

/** The first instant of `createdAt`, and the span in seconds over which users are spread. */
const epoch = Date.UTC(2024, 0, 1);
const spanSeconds = 2 * 365 * 24 * 3600;

/** The share of posts whose title contains the word of Q3. */
const zebraShare = 0.05;

/** A small, fast generator with a fixed sequence (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick(list: readonly string[], next: () => number): string {
  return list[Math.floor(next() * list.length)] ?? '';
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

export function* companies(): Generator<CompanyRow> {
  const next = sequence(11);
  for (let id = 1; id <= companyCount; id += 1) {
    yield {
      id,
      name: `${pick(lastNames, next)} ${pick(words, next)} ${id}`,
      country: pick(countries, next),
    };
  }
}

export function* users(): Generator<UserRow> {
  const next = sequence(22);
  for (let id = 1; id <= userCount; id += 1) {
    const first = pick(firstNames, next);
    const last = pick(lastNames, next);
    const name = `${first} ${last}`;
    const email = `${first}.${last}.${id}@example.org`;
    yield {
      id,
      name,
      email,
      age: 18 + Math.floor(next() * 62),
      active: next() < 0.7,
      createdAt: new Date(epoch + Math.floor(next() * spanSeconds) * 1000),
      companyId: 1 + Math.floor(next() * companyCount),
      nameFolded: fold(name),
      emailFolded: fold(email),
    };
  }
}

export function* posts(): Generator<PostRow> {
  const next = sequence(33);
  for (let id = 1; id <= postCount; id += 1) {
    const userId = 1 + Math.floor(next() * userCount);
    const title = Array.from({ length: 5 }, () => pick(words, next));
    if (next() < zebraShare) title[Math.floor(next() * title.length)] = 'zebra';
    yield { id, userId, title: title.join(' ') };
  }
}

/** Cuts a sequence into arrays of at most `size`. */
export function* batches<T>(rows: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
