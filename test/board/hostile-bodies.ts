/** Bodies that no client of a board would send, for every route with a body of a board that serves a datastore. */

import fc from 'fast-check';
import * as z from 'zod';
import { expect } from 'vitest';
import { engineRoutes } from '../../src/board/contract/index.ts';
import type { EngineName, Route } from '../../src/board/contract/index.ts';
import { anyText } from '../any-text.ts';
import { holds } from '../seed.ts';

/** In every text of a body; an error must not repeat it. */
const mark = 'M4rked';

/** Lists in lists, so deep that recursion would end. */
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    `${mark}\0`,
    `${mark}\ud800`,
    mark.repeat(20_000),
    `'; drop table job; -- ${mark}`,
    `\${${mark}}`,
    `${mark}\r\nset-cookie: a=b`,
    '0 0 31 2 *',
    '* * * * * *',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    `${'('.repeat(500)}${mark}`,
    '\u202e\u0000\uffff',
    'Europe/Berlin',
    '9'.repeat(400),
    '2026-02-30T00:00:00Z',
    'failed',
    'completed',
    'waiting',
    'q',
    '1',
  ),
  anyText({ maxLength: 30 }).map((text) => `${mark}${text}`),
);

const hostileLeaf = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    1e21,
    1e308,
    2 ** 31,
    2 ** 53,
    8.64e15 + 1,
    [],
    {},
    [[]],
    { length: -1 },
    JSON.parse('{"__proto__":{"polluted":true}}'),
    Array.from({ length: 10_001 }, (_, index) => index),
  ),
  fc.array(hostileText, { maxLength: 3 }),
);

/** Names of the members that a schema knows, those of lists and unions too. */
function namesOf(schema: unknown): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('properties' in part && typeof part.properties === 'object' && part.properties !== null) {
      for (const name of Object.keys(part.properties)) found.add(name);
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'input' }));
  return [...found];
}

/** Texts of bodies for a route: objects of its members, and texts that are not the JSON of an object. */
function bodiesFor({ body }: Route): fc.Arbitrary<string> {
  const names = [...namesOf(body), '__proto__', 'constructor', mark.toLowerCase()];
  const name = fc.constantFrom(...names);
  const object = fc.dictionary(name, fc.oneof(hostileLeaf, fc.dictionary(name, hostileLeaf)), {
    maxKeys: names.length,
  });
  const odd = ['', '{', 'null', '[]', '"text"', deep(5_000), `{"data":${deep(5_000)}}`, '1e999'];
  return fc.oneof(
    { weight: 8, arbitrary: object.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

/** The routes of an engine that take a body. */
export function routesWithBody(engine: EngineName): [operation: string, route: Route][] {
  return Object.entries<Route>(engineRoutes[engine]).filter(
    ([, { body, path }]) => body !== undefined && !path.startsWith('/api/metrics-history'),
  );
}

/**
 * Sends bodies to a route of a board, whose parameters have the given values: the answers are successes or refusals of
 * the sender, and no refusal repeats a value.
 */
export async function survives(
  url: string,
  route: Route,
  params: Readonly<Record<string, string>>,
  log: () => readonly unknown[],
): Promise<void> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? 'none');
  await holds(
    fc.asyncProperty(bodiesFor(route), async (body) => {
      const answer = await fetch(`${url}${path}`, {
        method: route.method,
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      expect([answer.status < 500, text.slice(0, 300), log()]).toEqual([
        true,
        expect.anything(),
        [],
      ]);
      if (answer.status >= 400) expect(text).not.toContain(mark);
    }),
    200,
  );
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
}
