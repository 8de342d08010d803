import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { applications, listen, send } from '../http/serve.ts';
import { holds, shareOf } from '../seed.ts';
import { sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { hostileQueryString } from './request-strings.ts';
import { answer, judge, patienceMs, Tally } from './verdict.ts';

let cell: HostileCell;
beforeAll(async () => {
  cell = await sqliteCell();
});
afterAll(() => cell.close());

const parsers = ['simple', 'extended', false] as const;
const combinations = applications.flatMap((application) =>
  parsers.map((parser) => ({ application, name: application.name, parser })),
);

function serve({ application, parser }: (typeof combinations)[number]) {
  const handler = listEndpoint({ source: cell.source, rules: cell.rules });
  if (application.name === 'Express 4') {
    return listen(
      application.create(parser, (app) => {
        app.get('/people', handler);
        app.use(queryErrorHandler());
      }),
    );
  }
  return listen(
    application.create(parser, (app) => {
      app.get('/people', handler);
      app.use(queryErrorHandler());
    }),
  );
}

describe.each(combinations)(
  'up to 600 hostile requests to $name with query parser $parser',
  (combination) => {
    it('are answered or refused, as without HTTP', { timeout: 300_000 }, async () => {
      const server = await serve(combination);
      const tally = new Tally();
      try {
        await holds(
          fc.asyncProperty(hostileQueryString, async (request) => {
            const start = performance.now();
            const outcome = await send(server.port, `/people?${request.input}`);
            expect(performance.now() - start).toBeLessThan(patienceMs);
            judge(outcome, request, tally);
            const { status, body } = outcome;
            expect({ status, body }).toEqual(await answer(cell, request.input));
          }),
          600,
        );
      } finally {
        await server.close();
      }
      // A few requests are legal by chance, in a short run sometimes fewer than the usual tenth.
      expect(tally.of('answered')).toBeGreaterThan(shareOf(50) / 2);
      expect(tally.total - tally.of('answered')).toBeGreaterThan(shareOf(50));
    });
  },
);
