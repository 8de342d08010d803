/** Looks through the states of a Redis queue for jobs, a bounded piece at a time. */

import type { JobStatus } from '../types.ts';
import { keyOfStatus } from '../status.ts';
import { InvalidPlace } from '../search/criteria.ts';
import type { FoundJob, FoundJobs, JobCriteria } from '../search/criteria.ts';
import { matches } from '../search/matches.ts';
import type { Examined } from '../search/matches.ts';
import type { LocatedJob } from '../store.ts';
import { defineScript } from './script.ts';
import type { Script } from './script.ts';

/** Jobs examined by one script. */
const chunk = 200;

/** Bytes after which a script stops early: jobs may carry megabytes each. */
const maxBytes = 4_000_000;

/** Milliseconds after which a search gives what it has. */
const maxDuration = 2_000;

/**
 * Lists are walked from the newest job on by position; sorted sets by score, so that jobs that come and go in
 * between neither hide nor repeat others. `ARGV`: state, kind, position or score, members of that score already
 * seen, size, whether data is wanted, bytes. Answers the place after the last job looked at.
 */
const scanScript = defineScript(`
local call, base, state = redis.call, KEYS[1], ARGV[1]
local key, size, wantsdata = base .. state, tonumber(ARGV[5]), ARGV[6] == '1'
local list, ids, scores = ARGV[2] == 'list', {}, {}
if list then
  local from = tonumber(ARGV[3])
  ids = call('LRANGE', key, from, from + size - 1)
else
  local page = call('ZREVRANGEBYSCORE', key, ARGV[3], '-inf', 'WITHSCORES', 'LIMIT', ARGV[4], size)
  for i = 1, #page, 2 do
    ids[#ids + 1] = page[i]
    scores[#scores + 1] = page[i + 1]
  end
end
local rows, bytes = {}, 0
for i = 1, #ids do
  local row = call('HMGET', base .. ids[i], 'name', 'failedReason', 'timestamp', wantsdata and 'data' or 'name')
  if row[1] or row[3] then
    bytes = bytes + string.len(row[4] or '')
    rows[#rows + 1] = {ids[i], row[1] or '', row[2] or '', row[3] or '0', wantsdata and row[4] or '', scores[i] or ''}
  else
    rows[#rows + 1] = {ids[i], '', '', '0', '', scores[i] or ''}
  end
  if bytes > tonumber(ARGV[7]) then return {rows, 1} end
end
return {rows, #ids == size and 1 or 0}
`);

/** Where a walk stands: index of the status, position or score, members of that score already seen. */
type Place = readonly [status: number, at: string, seen: number];

const firstOf = (status: number, kind: 'list' | 'set'): Place => [
  status,
  kind === 'list' ? '0' : '+inf',
  0,
];

const kindOf = (status: JobStatus): 'list' | 'set' =>
  status === 'waiting' || status === 'active' || status === 'paused' ? 'list' : 'set';

/** Scores as Redis writes them, positions, and the beginning of a set. */
const placePattern = /^(\d{1,3})\|(\d{1,9})\|(\+inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

function placeAfter(text: string | undefined, statuses: readonly JobStatus[]): Place {
  if (text === undefined) return firstOf(0, kindOf(statuses[0] ?? 'active'));
  const [, status, seen, at] = placePattern.exec(text) ?? [];
  if (status === undefined || seen === undefined || at === undefined) {
    throw new InvalidPlace('This is no place in the queue.');
  }
  const isList = kindOf(statuses[Number(status)] ?? 'active') === 'list';
  if (isList && !/^\d{1,15}$/.test(at)) throw new InvalidPlace('This is no position in a list.');
  return [Number(status), at, Number(seen)];
}

const placeText = ([status, at, seen]: Place): string => `${status}|${seen}|${at}`;

/** A row of the script. */
type Row = readonly [id: string, examined: Examined, score: string];

function parseRows(value: unknown): { rows: Row[]; more: boolean } {
  if (!Array.isArray(value)) return { rows: [], more: false };
  const [list, more]: unknown[] = value;
  const rows = (Array.isArray(list) ? list : []).map((entry: unknown): Row => {
    const [id, name, error, timestamp, data, score] = (Array.isArray(entry) ? entry : []).map(
      String,
    );
    return [
      id ?? '',
      { name: name ?? '', error: error ?? '', timestamp: Number(timestamp), data: data ?? '' },
      score ?? '',
    ];
  });
  return { rows, more: more === 1 };
}

/** The place after a row of a sorted set. */
function afterScore(place: Place, rows: readonly Row[], upTo: number): Place {
  const last = rows[upTo]?.[2] ?? place[1];
  let same = 0;
  for (let index = upTo; index >= 0 && rows[index]?.[2] === last; index -= 1) same += 1;
  return [place[0], last, last === place[1] ? place[2] + same : same];
}

/** What the search needs of the queue. */
export interface ScannedQueue {
  readonly statuses: readonly JobStatus[];
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
  job(id: string): Promise<LocatedJob | null>;
}

/** Searches on from `criteria.after`, within its limit, its budget and a time of its own. */
export async function scanJobs(queue: ScannedQueue, criteria: JobCriteria): Promise<FoundJobs> {
  const statuses = queue.statuses.filter((status) => criteria.statuses.includes(status));
  const found: FoundJob[] = [];
  const until = Date.now() + maxDuration;
  let place = placeAfter(criteria.after, statuses);
  let examined = 0;
  let status = statuses[place[0]];
  while (status !== undefined) {
    const kind = kindOf(status);
    const size = Math.min(chunk, criteria.budget - examined);
    if (size <= 0 || found.length >= criteria.limit || Date.now() > until) {
      return { found, examined, next: placeText(place) };
    }
    const wantsData = criteria.path !== undefined;
    const { rows, more } = parseRows(
      await queue.run(scanScript, [
        keyOfStatus(status),
        kind,
        place[1],
        place[2],
        size,
        wantsData ? '1' : '0',
        maxBytes,
      ]),
    );
    const origin = place;
    let index = -1;
    for (const [id, fields] of rows) {
      index += 1;
      examined += 1;
      place =
        kind === 'list'
          ? [origin[0], String(Number(origin[1]) + index + 1), 0]
          : afterScore(origin, rows, index);
      if (!matches(fields, criteria)) continue;
      const located = await queue.job(id);
      if (located) found.push(located);
      if (found.length >= criteria.limit) break;
    }
    if (!more && index === rows.length - 1) {
      const next = place[0] + 1;
      place = firstOf(next, kindOf(statuses[next] ?? 'active'));
    }
    status = statuses[place[0]];
  }
  return { found, examined, next: null };
}
