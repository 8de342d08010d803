/** Another connection that inserts, changes and deletes parcels while others are walked. */

import type { Knex } from 'knex';
import type { DatabaseFamily } from '../../../src/index.ts';
import type { ScratchDatabase } from '../../services/index.ts';
import { sequence } from '../churn.ts';
import type { SqliteInstant } from '../fixtures/column-types.ts';
import { withCompanions } from '../fixtures/dataset.ts';
import type { World } from '../fixtures/dataset.ts';
import { boundRow, knexOn } from '../fixtures/load.ts';
import type { MatrixModel, StoredRow } from '../fixtures/model.ts';
import { irregularModels, rewrittenWeight } from './world.ts';

/** Whether a parcel comes and goes; those of the world stay as they are. */
export const isPassingParcel = (no: number): boolean => no < 1 || no >= 1000;

/** Most parcels that come during one walk. */
const arrivals = 20;

/** Where the parcels of a cell are written. */
export interface ChurnedCell {
  readonly database: ScratchDatabase;
  readonly family: DatabaseFamily;
  readonly instant: SqliteInstant;
  /** Whether the ORM stores weights as texts. */
  readonly rewrites: boolean;
}

/** Inserts, changes and deletes parcels that nobody expects. */
export class ParcelChurn {
  readonly #cell: ChurnedCell;
  readonly #knex: Knex;
  readonly #model: MatrixModel;
  readonly #stored: MatrixModel;
  readonly #world: World;
  readonly #pick: (limit: number) => number;
  readonly #present: number[] = [];
  #arrived = 0;

  constructor(cell: ChurnedCell, world: World, seed: number) {
    this.#cell = cell;
    this.#knex = knexOn(cell.database);
    [this.#model] = irregularModels(cell.family) as [MatrixModel];
    [this.#stored] = irregularModels(cell.family, cell.rewrites) as [MatrixModel];
    this.#world = world;
    this.#pick = sequence(seed);
  }

  /** Two parcels more, one with other values beside its key, and one less. */
  async stir(): Promise<void> {
    for (let more = 0; more < 2 && this.#arrived < arrivals; more += 1) await this.#insert();
    const moved = this.#present[this.#pick(this.#present.length)];
    if (moved !== undefined) await this.#move(moved);
    const [left] = this.#present.splice(this.#pick(this.#present.length), 1);
    if (left !== undefined) await this.#knex('parcels').where({ no: left }).delete();
  }

  /** Deletes everything that passes. */
  async settle(): Promise<void> {
    await this.#knex('parcels').where('no', '<', 1).orWhere('no', '>=', 1000).delete();
    this.#present.length = 0;
    this.#arrived = 0;
  }

  async close(): Promise<void> {
    await this.#knex.destroy();
  }

  async #insert(): Promise<void> {
    this.#arrived += 1;
    // Some before all that stay and some behind.
    const no = this.#arrived % 2 === 0 ? -this.#arrived : 1000 + this.#arrived;
    await this.#knex('parcels').insert(this.#bound(this.#row(no)));
    this.#present.push(no);
  }

  async #move(no: number): Promise<void> {
    const { lane: _lane, day_on: _day, no: _no, ...others } = this.#bound(this.#row(no));
    await this.#knex('parcels').where({ no }).update(others);
  }

  /** Values of parcels that stay, so that ties and nulls are as frequent; a third of the companions is not filled. */
  #row(no: number): StoredRow {
    const parcels = this.#world.rows.get('parcel') ?? [];
    const some = (): StoredRow => parcels[this.#pick(parcels.length)] as StoredRow;
    const [a, b] = [some(), some()];
    const mixed = Object.fromEntries(
      this.#model.fields.map(({ path }, at) => [path, (at % 2 === 0 ? a : b)[path] ?? null]),
    );
    const unfilled = ['gradeOrder', 'refOrder'].filter(() => this.#pick(3) === 0);
    return {
      ...withCompanions(this.#model, { ...mixed, no }),
      ...Object.fromEntries(unfilled.map((path) => [path, null])),
    };
  }

  #bound(row: StoredRow) {
    const { database, instant, rewrites } = this.#cell;
    const { weight } = row;
    const stored =
      rewrites && typeof weight === 'number'
        ? { ...row, weight: rewrittenWeight.stored(weight) }
        : row;
    return boundRow(database, this.#stored, stored, instant);
  }
}
