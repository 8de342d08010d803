/** Random requests to every route are accepted or refused in the agreed form and as the OpenAPI document states. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineRoutes, ErrorResponseBody } from '../../../src/board/contract/index.ts';
import type { EngineName, Route } from '../../../src/board/contract/index.ts';
import { openApiDocument } from '../../../src/board/openapi.ts';
import { ask } from './echo-board.ts';
import { holds } from '../../seed.ts';

const engines: readonly EngineName[] = ['kvq', 'pgq'];

/** Property names from the schemas, so that values reach their validation. */
const names = fc.constantFrom(
  ...'ids data options priority startAfter expression cron tz count key missed name'.split(' '),
  ...'concurrency max duration runAt every pattern endDate limit jobData force'.split(' '),
  '__proto__',
  'constructor',
  'toString',
);

const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    0,
    1,
    -1,
    2 ** 31,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    '5',
    'skip',
    '@daily',
  ),
  fc.uuid(),
);

const body = fc.oneof(
  fc.constant(undefined),
  leaf,
  fc.dictionary(names, fc.oneof(leaf, fc.array(leaf), fc.dictionary(names, leaf))),
);

const queryNames = [
  'page',
  'limit',
  'state',
  'status',
  'order',
  'id',
  'range',
  'depth',
  'type',
  'cursor',
];
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...queryNames, '__proto__', 'filter[x]'),
      fc.oneof(
        fc.string({ unit: 'binary-ascii' }),
        fc.constantFrom('1', '', '-1', '%', '%00', 'failed'),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${value.replaceAll(/[&#]/g, '')}`).join('&'),
  );

/** A body with the names of pg-boss, which the documents require, where it has `pattern`, the name of both engines. */
function documented(given: unknown): unknown {
  const { pattern } = Object(given) as { readonly pattern?: unknown };
  return pattern === undefined
    ? given
    : { cron: pattern, expression: pattern, ...(given as object) };
}

describe.each(engines)('requests to %s routes', (engine) => {
  const document = JSON.parse(JSON.stringify(openApiDocument({ engine })));
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'board' });

  /** Whether the document allows a body. */
  function allows({ path, method }: Route, value: unknown): boolean {
    const pointer = path
      .replaceAll('/', '~1')
      .replaceAll(/[{}]/g, (brace) => encodeURIComponent(brace));
    const at = `board#/paths/${pointer}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(at);
    if (!validate) throw new Error(`${at} does not compile`);
    return validate(value) === true;
  }

  it.each(Object.entries<Route>(engineRoutes[engine]))('%s', async (operation, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, '7');
    await holds(
      fc.asyncProperty(query, body, async (rawQuery, given) => {
        const plain =
          given === undefined ? undefined : (JSON.parse(JSON.stringify(given)) as unknown);
        const answer = await ask(route.method, `${path}?${rawQuery}`, plain);
        if (answer.status === 200) {
          expect(answer.body['operation']).toBe(operation);
          if (route.body && plain !== undefined)
            expect(allows(route, documented(plain))).toBe(true);
          return;
        }
        expect(answer.status).toBe(400);
        expect(answer.body['code']).toBe('INVALID_REQUEST');
        expect(ErrorResponseBody.strict().safeParse(answer.body).error).toBeUndefined();
      }),
      60,
    );
  });

  it('a malformed query string is refused on every route, as the document says', async () => {
    for (const [operation, route] of Object.entries<Route>(engineRoutes[engine])) {
      const path = route.path.replaceAll(/\{\w+\}/g, '7');
      const { responses } = document.paths[route.path][route.method.toLowerCase()];
      for (const malformed of ['%=%', 'a=%zz', '%FF=1']) {
        const { status, body: envelope } = await ask(route.method, `${path}?${malformed}`);
        expect([operation, malformed, status, envelope['error']]).toEqual([
          operation,
          malformed,
          400,
          { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: 'query' } },
        ]);
      }
      const refused = responses['400'];
      const shared = document.components.responses[refused.$ref?.split('/').at(-1) ?? ''];
      expect([operation, (shared ?? refused).description]).toEqual([
        operation,
        expect.stringContaining('INVALID_QUERY_PARAM'),
      ]);
    }
  });
});
