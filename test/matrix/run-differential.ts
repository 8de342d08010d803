/** The differential suite: generated legal requests on generated rows answer the same bytes in cells as in memory. */

import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { everything, repeatable, seed, shareOf } from '../seed.ts';
import type { DatabaseCell } from './cell.ts';
import type { EndpointName } from './corpus/index.ts';
import { families } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { registry } from './fixtures/models.ts';
import { askedOf, bytesOf, described, heldBy, openedCells, world } from './generated-requests.ts';
import { referenceSource } from './reference/source.ts';

/** Requests that a cell gets: an ordinary run shares a tenth of them among the families. */
const ordinary = everything ? shareOf(5000) : Math.ceil(shareOf(5000) / families.length);
/** `SLUICE_REQUESTS` names another number. */
const requests = Number(process.env['SLUICE_REQUESTS'] ?? ordinary);

const meant = compileEndpoints(registry);
// Without companions, each family folds the case of other letters than ASCII's in its own way.
const apart: ReadonlySet<string> = new Set(['usersBounded', 'usersNative', 'usersThrifty']);
const names = (Object.keys(meant) as EndpointName[]).filter((name) => !apart.has(name));
const requestsEach = Math.ceil(requests / names.length);

/**
 * Declares the suite for the cells of one family. Each family has a file of its own, so that they run beside each
 * other. All cells are asked at once; a difference is shrunk, and printed with the command that repeats it.
 */
export function runDifferential(family: DatabaseFamily): void {
  describe(`generated requests on ${family}`, () => {
    const opened = openedCells(family, 'differential');
    const inMemory = heldBy(family, world);
    // Each family has requests of its own.
    const own = seed + families.indexOf(family);
    const compiled = new Map<DatabaseCell, ReturnType<typeof compileEndpoints>>();
    const rulesOf = (cell: DatabaseCell) => {
      const rules = compiled.get(cell) ?? compileEndpoints(cell.registry);
      compiled.set(cell, rules);
      return rules;
    };

    it.each(names)('answer alike on %s', { timeout: 3_600_000 }, async (name) => {
      const rules = meant[name];
      const reference = referenceSource(rules.model, inMemory);
      const alike = fc.asyncProperty(askedOf(rules), async (one) => {
        const meantBytes = await bytesOf(reference, rules, one);
        await Promise.all(
          opened.map(async ({ of, cell }) => {
            const due = cell.asGiven?.(meantBytes) ?? meantBytes;
            const given = await bytesOf(cell.source(rules.model), rulesOf(cell)[name], one);
            if ((cell.asGiven?.(given) ?? given) === due) return;
            throw new Error(`${of.name}: ${described(one)}\nanswered ${given}\ninstead of ${due}`);
          }),
        );
      });
      await repeatable(() => fc.assert(alike, { seed: own, numRuns: requestsEach }));
    });
  });
}
