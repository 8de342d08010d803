/** Keeps the runs over many jobs in Redis, beside the queues; see the layout of the keys in `run-parts.ts`. */

import type { BulkAction, BulkRun, ErrorKey, TranslatableMessage } from '../../contract/index.ts';
import { foundOf, keptMs, mostKept, mostRunning } from '../../core/index.ts';
import type { ClaimedRun, KeptRun, RunStore } from '../../core/index.ts';
import type { ChangedQueue } from './changes/bulk.ts';
import { cutOf, runParts } from './changes/run-parts.ts';
import { defineScript } from './connect/script.ts';
import { listOf } from './job-pages.ts';

const runScript = defineScript(`
local call, base, conf = redis.call, KEYS[1], cjson.decode(ARGV[1])
${runParts}
local now = servertime()
local function at(time) return string.format('%.0f', time) end
-- A server without memory allows every command of a script after a command that needs none.
if conf.writes then call('DEL', runs .. ':none') end

local function iswaiting(key)
  local kept = call('HMGET', key, 'state', 'held')
  return kept[1] == 'running' and tonumber(kept[2]) < now
end

-- The number of runs of the kind that an instance works on; another run of the queue.
local function count(kind, queue)
  local working = 0
  for _, id in ipairs(call('ZRANGE', runs, 0, -1)) do
    local kept = call('HMGET', runs .. ':' .. id, 'state', 'kind', 'queue', 'held')
    if not kept[1] then call('ZREM', runs, id) end
    if kept[1] == 'running' and kept[2] == kind then
      if kept[3] == queue then return working, id end
      if tonumber(kept[4]) >= now then working = working + 1 end
    end
  end
  return working
end

local function finish(key, state)
  call('HSET', key, 'state', state, 'ended', at(now))
  call('HDEL', key, 'position')
  call('DEL', key .. ':spec', key .. ':marks')
  call('PEXPIRE', key, ${keptMs})
  call('PEXPIRE', key .. ':undo', ${keptMs})
end

local function forgetoldest()
  local over = call('ZCARD', runs) - ${mostKept - 1}
  for _, id in ipairs(over > 0 and call('ZRANGE', runs, 0, -1) or {}) do
    if over > 0 and call('HGET', runs .. ':' .. id, 'state') ~= 'running' then
      call('DEL', runs .. ':' .. id, runs .. ':' .. id .. ':undo')
      call('ZREM', runs, id)
      over = over - 1
    end
  end
end

local acts = {}

function acts.start()
  local working, other = count(conf.kind, conf.queue)
  if other then return {'running', other} end
  if working >= ${mostRunning} then return {'limit'} end
  forgetoldest()
  local time = call('TIME')
  call('ZADD', runs, string.format('%.0f', time[1] * 1000000 + time[2]), conf.run.id)
  call('HSET', own, 'id', conf.run.id, 'queue', conf.queue, 'action', conf.action, 'kind', conf.kind, 'state', 'running',
    'started', at(now), 'fence', 1)
  for name, value in pairs(conf.more) do call('HSET', own, name, value) end
  call('SET', own .. ':spec', ARGV[2])
  note({})
  return {call('HGETALL', own), ARGV[2]}
end

function acts.list()
  local found = {}
  for _, id in ipairs(conf.run.id and {conf.run.id} or call('ZREVRANGE', runs, 0, ${mostKept - 1})) do
    local kept = call('HGETALL', runs .. ':' .. id)
    if #kept > 0 then found[#found + 1] = kept end
  end
  return found
end

function acts.waiting()
  local found = {}
  for _, id in ipairs(call('ZRANGE', runs, 0, -1)) do
    if iswaiting(runs .. ':' .. id) then
      found[#found + 1] = id
      found[#found + 1] = call('HGET', runs .. ':' .. id, 'queue')
    end
  end
  return found
end

function acts.claim()
  local spec = call('GET', own .. ':spec')
  if not iswaiting(own) or not spec then return {} end
  if count(call('HGET', own, 'kind')) >= ${mostRunning} then return {} end
  call('HINCRBY', own, 'fence', 1)
  note({})
  return {call('HGETALL', own), spec}
end

function acts.write()
  if islost() then return {} end
  note(conf.counts)
  for name, value in pairs(conf.set) do call('HSET', own, name, value) end
  if conf.released then call('HSET', own, 'held', 0) end
  if conf.state then finish(own, conf.state) end
  return {call('HGETALL', own)}
end

function acts.cancel()
  if call('HGET', own, 'state') ~= 'running' then return {} end
  call('HSET', own, 'cancelled', 1)
  if iswaiting(own) then finish(own, 'cancelled') end
  return {call('HGETALL', own)}
end

return acts[conf.act]()
`);

/** A list of fields and values. */
function fieldsOf(reply: unknown): ReadonlyMap<string, string> {
  const flat = listOf(reply).map(String);
  return new Map(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : [])),
  );
}

function keptOf(reply: unknown): KeptRun {
  const fields = fieldsOf(reply);
  const numberOf = (name: string): number => Number(fields.get(name) ?? 0);
  const refused = [...fields].flatMap(([name, count]) =>
    name.startsWith('r:') ? [[name.slice(2) as ErrorKey, Number(count)] as const] : [],
  );
  const [problem, found] = [fields.get('problem'), fields.get('found')];
  return {
    id: fields.get('id') ?? '',
    queueName: fields.get('queue') ?? '',
    action: fields.get('action') as BulkAction,
    dryRun: fields.get('kind') === 'dry',
    rate: fields.has('rate') ? numberOf('rate') : null,
    undoes: fields.get('undoes') ?? null,
    undoable: fields.has('keeps') && fields.has('ended') && numberOf('changed') > 0,
    state: fields.get('state') as BulkRun['state'],
    total: fields.has('total') ? numberOf('total') : null,
    examined: numberOf('examined'),
    matched: numberOf('matched'),
    changed: numberOf('changed'),
    refused: Object.fromEntries(refused) as KeptRun['refused'],
    startedAt: numberOf('started'),
    endedAt: fields.has('ended') ? numberOf('ended') : null,
    cancelled: fields.has('cancelled'),
    ...(found !== undefined && { found: foundOf(found) }),
    ...(problem !== undefined && { problem: JSON.parse(problem) as TranslatableMessage }),
  };
}

function claimOf([reply, spec]: readonly unknown[]): ClaimedRun {
  const fields = fieldsOf(reply);
  const run = keptOf(reply);
  const fence = Number(fields.get('fence'));
  return {
    id: run.id,
    fence,
    marks: true,
    keeps: fields.has('keeps'),
    run,
    spec: String(spec),
    found: fields.get('found'),
    position: fields.get('position'),
  };
}

/**
 * Keeps runs in Redis.
 *
 * @param group identifies the connection of the queue
 */
export function redisRunStore(
  { run: send }: ChangedQueue,
  qualifiedName: string,
  name: string,
  group: () => string,
): RunStore {
  const cut = cutOf(qualifiedName, name);
  const ask = async (act: string, id: string | undefined, more: object = {}, spec = '') => {
    const conf = { act, run: { cut, id }, writes: act !== 'list' && act !== 'waiting', ...more };
    return listOf(await send(runScript, [JSON.stringify(conf), spec]));
  };
  const keys = cut > 0 ? qualifiedName.slice(0, -name.length) : qualifiedName;
  return {
    get key() {
      return JSON.stringify([group(), keys]);
    },
    async start({
      id,
      queueName,
      action,
      dryRun,
      spec,
      rate = null,
      undoes = null,
      keeps = false,
    }) {
      const kind = dryRun ? 'dry' : 'real';
      const more = {
        ...(rate !== null && { rate }),
        ...(undoes !== null && { undoes }),
        ...(keeps && { keeps: 1 }),
      };
      const reply = await ask('start', id, { queue: queueName, action, kind, more }, spec);
      if (reply[0] === 'limit') return 'limit';
      return reply[0] === 'running' ? { running: String(reply[1]) } : claimOf(reply);
    },
    list: async (id) => (await ask('list', id)).map(keptOf),
    async waiting() {
      const flat = (await ask('waiting', undefined)).map(String);
      return flat.flatMap((id, at) =>
        at % 2 === 0 ? [{ id, queueName: flat[at + 1] ?? '' }] : [],
      );
    },
    async claim(id) {
      const reply = await ask('claim', id);
      return reply.length > 0 ? claimOf(reply) : undefined;
    },
    async write({ id, fence }, change) {
      const { examined = 0, matched = 0, changed = 0, refused = {} } = change;
      const reasons = Object.entries(refused).map(([reason, count]) => [`r:${reason}`, count]);
      const set = {
        ...(change.total != null && { total: change.total }),
        ...(change.position !== undefined && { position: change.position }),
        ...(change.found !== undefined && { found: change.found }),
        ...(change.end && change.problem && { problem: JSON.stringify(change.problem) }),
      };
      const [fields] = await ask('write', id, {
        run: { cut, id, fence },
        counts: { examined, matched, changed, ...Object.fromEntries(reasons) },
        set,
        ...(change.release && { released: true }),
        ...(change.end && { state: change.end }),
      });
      return fields === undefined ? undefined : keptOf(fields);
    },
    async cancel(id) {
      const [fields] = await ask('cancel', id);
      return fields === undefined ? undefined : keptOf(fields);
    },
  };
}
