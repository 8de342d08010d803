/** The jobs listing through `runQuery`, compared with hand-written keyset SQL for the same page, prepared by name. */

import pg from 'pg';
import { poolSession } from '../../src/board/pgq/connect/own-pool.ts';
import { featuresOf } from '../../src/board/pgq/schema/features.ts';
import { compileListings } from '../../src/board/pgq/listings/listings.ts';
import { readShape } from '../../src/board/pgq/schema/schema-probe.ts';
import { encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { planQuery, runQuery } from '../../src/rules/index.ts';
import { figure, table } from '../markdown.ts';
import { type Runner, measure } from '../measure.ts';
import { type PageCase, pageCases, perPage } from './pages.ts';
import { benchUrl, bigQueue } from './seed.ts';

const columns = `id, name as "queueName", state, priority, retry_count as "retryCount",
  retry_limit as "retryLimit", created_on as "createdOn", start_after as "startAfter",
  started_on as "startedOn", completed_on as "completedOn", singleton_key as "singletonKey",
  group_id as "groupId", blocked, source_name as "sourceName", source_id as "sourceId",
  source_created_on as "sourceCreatedOn", source_retry_count as "sourceRetryCount"`;

/** The hand-written statement: sorted rows, one more than the page to know whether there is a next page. */
function byHand(pool: pg.Pool, { direction, positions }: PageCase): Runner['run'] {
  const backwards = direction === 'before';
  const order = backwards ? 'created_on, id' : 'created_on desc, id desc';
  const beyond = positions ? `and (created_on, id) ${backwards ? '>' : '<'} ($2, $3)` : '';
  const text = `select ${columns} from pgboss.job where name = $1 and state = 'completed' ${beyond}
    order by ${order} limit ${perPage + 1}`;
  const name = `by_hand_${backwards}_${positions !== undefined}`;
  return async (index) => {
    const position = positions?.[index % positions.length];
    const values = position ? [bigQueue, position.createdOn, position.id] : [bigQueue];
    const { rows } = await pool.query<{ id: string }>({ name, text, values });
    const page = rows.slice(0, perPage);
    if (backwards) page.reverse();
    return JSON.stringify({ jobs: page, more: rows.length > perPage });
  };
}

/** The page through the rules and the source of the board. */
async function bySluice(pool: pg.Pool, { direction, positions }: PageCase): Promise<Runner['run']> {
  const session = poolSession(pool);
  const { columns: found } = await readShape(session, 'pgboss');
  if (!featuresOf(found).deadLetterSource) throw new Error('The schema is not as expected.');
  const { rules, source } = compileListings('pgboss', found, { countCap: 10_000, scoped: false });
  const request = {
    filter: { queueName: { eq: bigQueue }, state: { eq: 'completed' } },
    sort: '-createdOn,-id',
    perPage: String(perPage),
  };
  const plan = planQuery(request, rules.jobs);
  const { page } = plan;
  if (page.mode !== 'keyset') throw new TypeError('The listing did not return a keyset page.');
  const cursors = positions?.map(({ createdOn, id }) =>
    encodeCursor(rules.jobs, page.binding, direction, false, [createdOn, id]),
  );
  return async (index) => {
    const cursor = cursors?.[index % cursors.length];
    const asked = cursor ? { ...request, cursor } : request;
    const result = await runQuery(source(session, 'job'), asked, rules.jobs);
    return JSON.stringify({ jobs: result.data, more: 'nextCursor' in result });
  };
}

function idsOf(text: unknown): string {
  const { jobs } = JSON.parse(String(text)) as { jobs: { id: string }[] };
  return jobs.map(({ id }) => id).join();
}

/** The deep page compared with the first, in the same rounds. */
async function benchDepth(runs: readonly Runner['run'][], iterations: number): Promise<void> {
  const [first, deep] = await measure(
    runs.map((run, index) => ({ name: String(index), run })),
    { iterations, rounds: 40, warmup: 20, budget: 20_000 },
  );
  const ratio = (deep?.p50 ?? Number.NaN) / (first?.p50 ?? Number.NaN);
  console.log(
    `page 10,000 to page 1: ${ratio.toFixed(2)} (${ratio <= 1.2 ? 'met' : 'not met'}: 1.2)\n`,
  );
}

/** Prints the table with the targets: 1.3 times the statement by hand, and 1.2 times the first page for a deep one. */
export async function benchListing(iterations: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: benchUrl(), max: 1 });
  const rows: string[][] = [];
  const near: Runner['run'][] = [];
  try {
    for (const one of await pageCases(pool)) {
      const hand = byHand(pool, one);
      const sluice = await bySluice(pool, one);
      for (let index = 0; index < 10; index += 1) {
        if (idsOf(await hand(index)) === idsOf(await sluice(index))) continue;
        throw new Error(`${one.name}: the answers differ.`);
      }
      const [handTime, sluiceTime] = await measure(
        [
          { name: 'by hand', run: hand },
          { name: 'Sluice', run: sluice },
        ],
        { iterations, rounds: 40, warmup: 100, budget: 20_000 },
      );
      if (!handTime || !sluiceTime) continue;
      if (one.name === 'page 1' || one.name === 'page 10,000') near.push(sluice);
      const ratio = sluiceTime.p50 / handTime.p50;
      rows.push([
        one.name,
        figure(handTime.p50),
        figure(sluiceTime.p50),
        `${ratio.toFixed(2)} (${ratio <= 1.3 ? 'met' : 'not met'}: 1.3)`,
        figure(handTime.cpu),
        figure(sluiceTime.cpu),
      ]);
    }
    await benchDepth(near, iterations);
  } finally {
    await pool.end();
  }
  console.log(
    table(
      ['jobs listing', 'by hand, p50 ms', 'runQuery, p50 ms', 'ratio', 'by hand, CPU ms', 'CPU ms'],
      rows,
    ),
  );
  console.log('');
}
