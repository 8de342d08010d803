/** The contract suite: every case of the corpus against a cell, and every answer against the reference. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { Cell, CellFactory } from './cell.ts';
import { answer, difference } from './check-case.ts';
import type { Outcome } from './closing-table.ts';
import type { CorpusCase, EndpointName } from './corpus/index.ts';
import { compileEndpoints, corpus } from './corpus/index.ts';
import { registry } from './fixtures/models.ts';
import { referenceSource } from './reference/source.ts';

type Rules = { readonly [name in EndpointName]: CompiledQueryRules };

const expected = compileEndpoints(registry);
const known = new Map<CorpusCase, Promise<string>>();

/** The bytes that the reference answers; cells share them. */
function meantBytes(each: CorpusCase): Promise<string> {
  const reference = expected[each.endpoint];
  const meant =
    known.get(each) ??
    answer(referenceSource(reference.model), each.request, reference).then(JSON.stringify);
  known.set(each, meant);
  return meant;
}

/**
 * Declares the corpus as tests of one cell. Where the cell cannot be had it is left out and reported, or
 * fails when every service is required. `report` is called once, after the last case.
 */
export function runCorpus(
  name: string,
  factory: CellFactory,
  report: (outcome: Outcome) => void,
): void {
  describe(`${name}`, () => {
    let cell: Cell | null = null;
    let missing: string | null = null;
    let rules: Rules | null = null;
    const passed = new Map<string, number>();
    let failed = 0;
    beforeAll(async () => {
      const made = await factory();
      if (typeof made === 'string') {
        missing = made;
        if (everyServiceRequired()) throw new Error(`${name} did not run. ${made}`);
        return;
      }
      cell = made;
      rules = compileEndpoints(made.registry);
    }, 60_000);
    afterAll(async () => {
      report({ name, about: cell?.about ?? null, missing, passed, failed });
      await cell?.dispose();
    });
    for (const [topic, cases] of Object.entries(corpus)) {
      describe(`${topic}`, () => {
        it.for(cases)('$name', async (each, context) => {
          if (!cell || !rules) return context.skip();
          failed += 1;
          const endpoint = rules[each.endpoint];
          const given = await answer(cell.source(endpoint.model), each.request, endpoint);
          const { asGiven = (text: string) => text } = cell;
          expect(difference(each, given, asGiven)).toBeNull();
          expect(JSON.stringify(given)).toBe(asGiven(await meantBytes(each)));
          failed -= 1;
          passed.set(topic, (passed.get(topic) ?? 0) + 1);
        });
      });
    }
  });
}
