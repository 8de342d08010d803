/** Another connection that inserts and deletes users during a walk through them. */

import type { Knex } from 'knex';
import type { ScratchDatabase } from '../services/index.ts';
import { dataset, withCompanions } from './fixtures/dataset.ts';
import type { SqliteInstant } from './fixtures/column-types.ts';
import { boundRow, knexOn } from './fixtures/load.ts';
import type { StoredRow } from './fixtures/model.ts';
import { modelOf } from './reference/graph.ts';

/** Whether a user comes and goes; those of the dataset stay put. */
export const isPassing = (id: number): boolean => id < 1 || id >= 1000;

/** Most users that come during one walk: a list that grows for ever is walked for ever. */
const arrivals = 24;

/** A repeatable sequence of whole numbers below `limit`. */
export function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
}

/** Inserts and deletes users between the pages of a walk. */
export class Churn {
  readonly #knex: Knex;
  readonly #database: ScratchDatabase;
  readonly #instant: SqliteInstant;
  readonly #pick: (limit: number) => number;
  readonly #present: number[] = [];
  #arrived = 0;
  #walk = 0;

  constructor(database: ScratchDatabase, instant: SqliteInstant, seed: number) {
    this.#knex = knexOn(database);
    this.#database = database;
    this.#instant = instant;
    this.#pick = sequence(seed);
  }

  /** Two new users, and one less: the one at the edge of the page just seen, where it is one that passes. */
  async stir(edge: number | undefined): Promise<void> {
    for (let more = 0; more < 2 && this.#walk < arrivals; more += 1) await this.#insert();
    const at = edge === undefined ? -1 : this.#present.indexOf(edge);
    const leaving = at >= 0 ? at : this.#pick(this.#present.length);
    const [id] = this.#present.splice(leaving, 1);
    if (id !== undefined) await this.#knex('users').where({ id }).delete();
  }

  /** Deletes everybody who passes. */
  async settle(): Promise<void> {
    await this.#knex('users').where('id', '<', 1).orWhere('id', '>=', 1000).delete();
    this.#present.length = 0;
    this.#walk = 0;
  }

  async close(): Promise<void> {
    await this.#knex.destroy();
  }

  /** Somebody with the values of users who stay, so that ties and nulls are as frequent among the new. */
  async #insert(): Promise<void> {
    const users = dataset.get('user') ?? [];
    const some = (): StoredRow => users[this.#pick(users.length)] as StoredRow;
    const model = modelOf('user');
    const [a, b] = [some(), some()];
    const mixed = Object.fromEntries(
      model.fields.map(({ path }, at) => [path, (at % 2 === 0 ? a : b)[path] ?? null]),
    );
    this.#arrived += 1;
    this.#walk += 1;
    // Some before all who stay and some behind, so that an order by number has both.
    const id = this.#arrived % 2 === 0 ? -this.#arrived : 1000 + this.#arrived;
    const row = withCompanions(model, { ...mixed, id });
    await this.#knex('users').insert(boundRow(this.#database, model, row, this.#instant));
    this.#present.push(id);
  }
}
