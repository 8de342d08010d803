/** `npm run bench`: `node bench/run.ts [core|lists|tables|forms|budget|search|q3|auth|board-kvq|board-pgq|scopes|http|held|history|live|dashboard|soak|peers] [flags]`; default: the first two. See bench/README.md. */

import { parseArgs } from 'node:util';
import './garbage-collection.ts';
import { runAuth } from './auth/index.ts';
import { kvqParts, runBoardKvq } from './board-kvq/index.ts';
import { pgqParts, runBoardPgq } from './board-pgq/index.ts';
import { runCore } from './core/index.ts';
import { runDashboard } from './dashboard/index.ts';
import { httpRequests } from './http/contenders.ts';
import { runBudget } from './forms/budget.ts';
import { runForms } from './forms/index.ts';
import { kinds, useServer } from './forms/server.ts';
import { runHttp } from './http/index.ts';
import { runHeld } from './held/index.ts';
import { runHistory } from './history/index.ts';
import { runLive } from './live/index.ts';
import { groups } from './lists/contender.ts';
import { runLists } from './lists/index.ts';
import { runQ3 } from './lists/q3.ts';
import { runSearch } from './lists/search.ts';
import { requestNames } from './lists/requests.ts';
import { families } from './lists/services.ts';
import { heading } from './machine.ts';
import { runPeers } from './peers/index.ts';
import { runScopes } from './scopes/index.ts';
import { runSoak } from './soak/index.ts';
import { runTables } from './tables/index.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    db: { type: 'string' },
    contenders: { type: 'string' },
    iterations: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '200' },
    reseed: { type: 'boolean', default: false },
    rows: { type: 'string', default: '5000000' },
    keep: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string' },
    'own-cpu': { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1000000' },
    server: { type: 'string' },
  },
});

/** The members of a comma-separated list; all known ones without the flag. */
function chosen<T extends string>(flag: string | undefined, known: readonly T[]): readonly T[] {
  if (flag === undefined) return known;
  return flag.split(',').map((name) => {
    const found = known.find((member) => member === name);
    if (found === undefined) throw new Error(`"${name}" must be one of ${known.join(', ')}`);
    return found;
  });
}

const parts = [
  'core',
  'lists',
  'tables',
  'forms',
  'budget',
  'search',
  'q3',
  'auth',
  'board-kvq',
  'board-pgq',
  'scopes',
  'http',
  'held',
  'history',
  'live',
  'dashboard',
  'soak',
  'peers',
] as const;
const asked = chosen(positionals.join(',') || 'core,lists', parts);

console.log(`${heading()}\n`);
if (asked.includes('core')) runCore(Number(values.rounds));
if (asked.includes('lists')) {
  await runLists({
    requests: chosen(values.only, requestNames),
    families: chosen(values.db, families),
    groups: chosen(values.contenders, groups),
    iterations: Number(values.iterations),
    reseed: values.reseed,
  });
}
if (asked.includes('tables')) await runTables(chosen(values.db, families), values.reseed);
if (asked.includes('forms')) {
  const [server] = values.server === undefined ? [] : chosen(values.server, kinds);
  const stop = server && (await useServer(server));
  await runForms({
    families: chosen(values.db, families),
    rows: Number(values.rows),
    only: values.only?.split(',') ?? null,
    isKept: values.keep,
    isWhole: values.whole,
  });
  await stop?.();
}
if (asked.includes('budget')) {
  await runBudget(Number(values.rows), Number(values.iterations), values.keep);
}
if (asked.includes('search')) await runSearch(Number(values.iterations), values.reseed);
if (asked.includes('q3')) await runQ3(chosen(values.db, families));
if (asked.includes('auth')) await runAuth(Number(values.rounds));
if (asked.includes('board-kvq')) {
  const kvq = chosen(values.only, kvqParts);
  const withPeer = values.contenders === undefined || values.contenders === 'bull-board';
  await runBoardKvq(kvq, Number(values.iterations), Number(values.jobs), withPeer, values.keep);
}
if (asked.includes('board-pgq')) {
  const pgq = chosen(values.only ?? 'reads,purge', pgqParts);
  await runBoardPgq(pgq, Number(values.iterations), values.reseed);
}
if (asked.includes('scopes')) await runScopes(Number(values.iterations));
if (asked.includes('http')) {
  await runHttp(Number(values.iterations), chosen(values.only, httpRequests));
}
if (asked.includes('held')) {
  const requests = chosen(values.only, httpRequests);
  const perSecond = values.rate === undefined ? undefined : Number(values.rate);
  const held = { seconds: Number(values.seconds), requests, perSecond, ownCpu: values['own-cpu'] };
  if (!(await runHeld(held))) process.exitCode = 1;
}
if (asked.includes('history')) await runHistory();
if (asked.includes('live')) await runLive(Number(values.seconds));
if (asked.includes('dashboard')) await runDashboard(Number(values.seconds));
if (asked.includes('peers')) await runPeers(Number(values.iterations));
if (asked.includes('soak') && !(await runSoak(Number(values.seconds)))) process.exitCode = 1;
