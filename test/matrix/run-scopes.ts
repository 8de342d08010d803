/**
 * The suite of scopes: generated requests of tenants answer the same bytes in cells, which hold the rows of everybody,
 * as in a memory that holds the rows of the tenant only.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { everything, repeatable, seed, shareOf } from '../seed.ts';
import { isSharedOut } from '../setup/left-to-ci.ts';
import type { DatabaseCell } from './cell.ts';
import { families } from './cells.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import type { World } from './fixtures/dataset.ts';
import { registry } from './fixtures/models.ts';
import { askedOf, bytesOf, described, heldBy, openedCells, world } from './generated-requests.ts';
import { referenceSource } from './reference/source.ts';
import { type Tenant, schemes, worldOf } from './scopes.ts';

/** Requests that a cell gets: an ordinary run shares a tenth of them among the families. */
const ordinary = everything ? shareOf(20_000) : Math.ceil(shareOf(20_000) / families.length);
/** `SLUICE_REQUESTS` names another number. */
const requests = Number(process.env['SLUICE_REQUESTS'] ?? ordinary);

type Rules = ReturnType<typeof compileEndpoints>;

const names = (Object.keys(compileEndpoints(registry)) as EndpointName[]).filter(
  (name) => !['usersBounded', 'usersNative', 'usersThrifty'].includes(name),
);
const kinds = Object.keys(schemes);
const requestsEach = Math.ceil(requests / names.length / kinds.length);

const keysOf = (model: string, path: string) =>
  (world.rows.get(model) ?? []).map((row) => row[path]);
const someOf = <T>(values: readonly unknown[]): fc.Arbitrary<T[]> =>
  fc.subarray(values as T[], { maxLength: Math.ceil(values.length / 2) });

/** Tenants with few rows and with many, and with none. */
const tenants: fc.Arbitrary<Tenant> = fc.record({
  regions: someOf<number>(keysOf('region', 'id')),
  teams: someOf<number>(keysOf('team', 'id')),
  companies: someOf<number>(keysOf('company', 'id')),
  countries: someOf<string>(keysOf('country', 'code')),
  limit: fc.constantFrom(0, 1, 2, 3, 5, 10, 5020, 100_000),
  text: fc.constantFrom('', 'a', 'A', '%', 'e', 'ä'),
});

/** Requests are many, tenants few, so that worlds are worth keeping. */
const tenantsOf = (kind: string): readonly Tenant[] =>
  fc.sample(tenants, { seed: seed + kinds.indexOf(kind), numRuns: everything ? 25 : 6 });

/** Declares the suite for the cells of one family; the seed chooses the family, but in runs of everything. */
export function runScopes(family: DatabaseFamily): void {
  const isLeftOut = isSharedOut && family !== families[seed % families.length];
  describe.skipIf(isLeftOut)(`generated requests of tenants on ${family}`, () => {
    const opened = openedCells(family, 'scopes');
    const inMemory = heldBy(family, world);
    // Each family has requests of its own.
    const own = seed + families.indexOf(family);

    describe.each(kinds)('whose scopes are %s', (kind) => {
      const scopes = schemes[kind] ?? {};
      const meant = compileEndpoints(registry, { scopes });
      const compiled = new Map<DatabaseCell, Rules>();
      const rulesOf = (cell: DatabaseCell): Rules => {
        const rules = compiled.get(cell) ?? compileEndpoints(cell.registry, { scopes });
        compiled.set(cell, rules);
        return rules;
      };
      const known = new Map<Tenant, World>();
      const alone = (tenant: Tenant): World => {
        const own = known.get(tenant) ?? worldOf(inMemory, scopes, tenant);
        known.set(tenant, own);
        return own;
      };
      const some = tenantsOf(kind);

      it('hide some rows and show some', () => {
        const counts = some.map((tenant) => alone(tenant).rows.get('user')?.length ?? 0);
        expect(new Set(counts).size).toBeGreaterThan(1);
        expect(Math.min(...counts)).toBeLessThan(inMemory.rows.get('user')?.length ?? 0);
      });

      it.each(names)('see only their rows on %s', { timeout: 3_600_000 }, async (name) => {
        const rules = meant[name];
        // An ordinary run asks two of the five cells, in turn, so that a run asks each of them on every endpoint.
        const turn = kinds.indexOf(kind) * 2 + names.indexOf(name) + own;
        const cells = opened.filter((_, at) => everything || (at + turn) % opened.length < 2);
        const asked = fc.tuple(askedOf(rules, 1), fc.constantFrom(...some));
        const alike = fc.asyncProperty(asked, async ([one, tenant]) => {
          const reference = {
            ...referenceSource(rules.model, alone(tenant)),
            servesScopes: true,
          };
          const meantBytes = await bytesOf(reference, rules, one, tenant);
          await Promise.all(
            cells.map(async ({ of, cell }) => {
              const due = cell.asGiven?.(meantBytes) ?? meantBytes;
              const source = cell.source(rules.model);
              const given = await bytesOf(source, rulesOf(cell)[name], one, tenant);
              if ((cell.asGiven?.(given) ?? given) === due) return;
              throw new Error(
                `${of.name}: ${described(one)}\nfor ${JSON.stringify(tenant)}\nanswered ${given}\ninstead of ${due}`,
              );
            }),
          );
        });
        await repeatable(() => fc.assert(alike, { seed: own, numRuns: requestsEach }));
      });
    });
  });
}
