/**
 * Lua functions that change one job, shared by the scripts for single jobs and for all jobs of a state. They decide and
 * write in one step, in the data formats of BullMQ 5, BullMQ 6 and Bull, like the scripts of these libraries.
 *
 * `KEYS[1]` is the key prefix of the queue, `ARGV[1]` the JSON of {@link ChangeSettings} and of the script's own settings.
 * Each function returns `done`, or why it has left the job as it was: `lost` (its data is gone), `state`, `active`,
 * `next` (the next run of a scheduler), `parent` or `child` (a job in a queue beyond the reach of the sender), `group`
 * (only the library can move the job).
 */

/** Settings of every script. */
export interface ChangeSettings {
  /** Whether the keys are those of Bull. */
  readonly legacy: boolean;
  /** Whether a paused queue keeps its jobs in a list of their own. */
  readonly paused: boolean;
  /** Whether jobs of a group wait outside the lists, so that only the library can move them. Default `false`. */
  readonly groups?: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Key prefixes of the queues whose jobs the sender may change. */
  readonly reach?: readonly string[];
}

export const changeParts = `
local call, base, conf = redis.call, KEYS[1], cjson.decode(ARGV[1])

local function publish(prefix, event, id, before)
  -- A server without memory refuses the event; the change itself counts.
  if conf.legacy then
    if event == 'waiting' then pcall(call, 'PUBLISH', prefix .. 'waiting@board', id) end
    return
  end
  local most = call('HGET', prefix .. 'meta', 'opts.maxLenEvents') or 10000
  pcall(call, 'XADD', prefix .. 'events', 'MAXLEN', '~', most, '*', 'event', event, 'jobId', id, 'prev', before)
end

-- A server without memory allows every command of a script after a command that needs none.
local function force() call('DEL', base .. 'sluice') end

local function ispaused()
  if conf.legacy then return call('EXISTS', base .. 'meta-paused') == 1 end
  return call('HEXISTS', base .. 'meta', 'paused') == 1
end

local function target(prefix)
  if conf.legacy then
    return prefix .. (call('EXISTS', prefix .. 'meta-paused') == 1 and 'paused' or 'wait'), false
  end
  local meta = call('HMGET', prefix .. 'meta', 'paused', 'concurrency')
  if meta[1] then return prefix .. (conf.paused and 'paused' or 'wait'), false end
  return prefix .. 'wait', not (meta[2] and call('LLEN', prefix .. 'active') >= tonumber(meta[2]))
end

local function enqueue(prefix, id, push)
  local list, wakes = target(prefix)
  local priority = tonumber(call('HGET', prefix .. id, 'priority') or 0) or 0
  if priority <= 0 then
    call(push, list, id)
  elseif conf.legacy then
    call('ZADD', prefix .. 'priority', priority, id)
    local ahead = call('ZCOUNT', prefix .. 'priority', 0, priority) - 1
    local behind = call('LINDEX', list, call('LLEN', list) - ahead)
    if behind then call('LINSERT', list, 'BEFORE', behind, id) else call('RPUSH', list, id) end
  else
    local order = call('INCR', prefix .. 'pc') % 0x100000000
    call('ZADD', prefix .. 'prioritized', priority * 0x100000000 + order, id)
  end
  if wakes then call('ZADD', prefix .. 'marker', 0, '0') end
end

-- JSON of JavaScript may have half of a surrogate pair, which this parser refuses; keys have a replacement for it.
local function optionsof(key)
  local text = call('HGET', key, 'opts') or '{}'
  local ok, options = pcall(cjson.decode, text)
  if not ok then ok, options = pcall(cjson.decode, (string.gsub(text, '\\\\u[dD][89a-fA-F]%x%x', '\\\\ufffd'))) end
  return ok and type(options) == 'table' and options or {}
end

local function isgrouped(key) return conf.groups and type(optionsof(key).group) == 'table' end

local function retry(id, state)
  local key = base .. id
  if call('EXISTS', key) == 0 then return 'lost' end
  if isgrouped(key) then return 'group' end
  if call('EXISTS', key .. ':lock') == 1 then return 'active' end
  if call('ZREM', base .. state, id) == 0 then return 'state' end
  call('HDEL', key, 'finishedOn', 'processedOn', state == 'failed' and 'failedReason' or 'returnvalue')
  if conf.legacy then call('HSET', key, 'retriedOn', string.format('%.0f', conf.now)) end
  enqueue(base, id, optionsof(key).lifo == true and 'RPUSH' or 'LPUSH')
  local parent = call('HGET', key, 'parentKey')
  if parent and parent ~= '' and call('EXISTS', parent) == 1 then
    local gone = state == 'failed'
      and (call('ZREM', parent .. ':unsuccessful', key) == 1 or call('HDEL', parent .. ':failed', key) == 1)
      or state == 'completed' and call('HDEL', parent .. ':processed', key) == 1
    if gone then call('SADD', parent .. ':dependencies', key) end
  end
  publish(base, 'waiting', id, state)
  return 'done'
end

local function promote(id)
  local key = base .. id
  if call('EXISTS', key) == 0 then return 'lost' end
  if isgrouped(key) then return 'group' end
  if call('ZREM', base .. 'delayed', id) == 0 then return 'state' end
  enqueue(base, id, 'LPUSH')
  call('HSET', key, 'delay', 0)
  publish(base, 'waiting', id, 'delayed')
  return 'done'
end

-- Whether the job is the next run of its scheduler, which would not fire again without it.
local function isnext(prefix, id)
  if string.sub(id, 1, 7) ~= 'repeat:' then return false end
  local key = prefix .. id
  local scheduler = call('HGET', key, 'rjk')
  if conf.legacy then
    local options = optionsof(key)['repeat']
    scheduler = type(options) == 'table' and options.key
  end
  local at = scheduler and call('ZSCORE', prefix .. 'repeat', scheduler)
  if not at then return false end
  if conf.legacy then return string.sub(id, -#at - 1) == ':' .. at end
  return id == 'repeat:' .. scheduler .. ':' .. at
end

-- The prefix and the id in the key of a job. Both may contain colons; a queue has settings.
local function split(key)
  local first
  for at = #key, 1, -1 do
    if string.byte(key, at) == 58 then
      first = first or at
      if call('EXISTS', string.sub(key, 1, at) .. 'meta') == 1 then
        return string.sub(key, 1, at), string.sub(key, at + 1)
      end
    end
  end
  first = first or 0
  return string.sub(key, 1, first), string.sub(key, first + 1)
end

local within = conf.reach and {}
for _, prefix in ipairs(conf.reach or {}) do within[prefix] = true end
local function isbeyond(prefix) return within and prefix ~= base and not within[prefix] end

-- The parent that waits for the job.
local function waiterfor(key)
  local parent = call('HGET', key, 'parentKey')
  if not parent or parent == '' or call('SISMEMBER', parent .. ':dependencies', key) == 0 then return nil end
  return parent
end

-- Whether a removal would release a parent in a queue beyond the reach of the sender.
local function isguarded(key)
  local parent = waiterfor(key)
  while parent do
    local prefix = split(parent)
    if isbeyond(prefix) then return true end
    parent = prefix == base and waiterfor(parent)
  end
  return false
end

-- Whether an active job without a lock is one that its worker has left. Bull moves a job to the active ones before it locks
-- it, and notes its begin with the lock. One that it runs again has its earlier begin: it is left if it was there when the
-- library last looked for stalled jobs, longer ago than it waits between two looks.
local function isleft(id)
  local seen = call('HMGET', base .. id, 'timestamp', 'processedOn', 'attemptsMade', 'stalledCounter')
  if not seen[1] then return true end
  local isfirst = not seen[4] and (tonumber(seen[3] or 0) or 0) == 0
  if seen[2] and (isfirst or not conf.legacy) then return true end
  return call('SISMEMBER', base .. 'stalled', id) == 1 and call('EXISTS', base .. 'stalled-check') == 0
end

local removed = 0

local function drop(prefix, id)
  local key = prefix .. id
  local same = call('HGET', key, 'deid')
  if same and call('GET', prefix .. 'de:' .. same) == id then
    call('DEL', prefix .. 'de:' .. same, prefix .. 'dn:' .. same)
  end
  if conf.legacy then
    call('ZREM', prefix .. 'priority', id)
    local limited = call('HGET', prefix .. 'limiter:index', id)
    if limited then
      call('SREM', limited, id)
      call('HDEL', prefix .. 'limiter:index', id)
    end
  end
  call('SREM', prefix .. 'stalled', id)
  call('DEL', key, key .. ':logs', key .. ':dependencies', key .. ':processed', key .. ':failed', key .. ':unsuccessful')
  removed = removed + 1
end

-- Takes the job from its parent. A parent without other children continues; with \`hard\`, one of the same queue is
-- removed, as in the libraries when they clean a queue.
local function unlink(key, hard)
  local parent = waiterfor(key)
  if not parent then return end
  call('SREM', parent .. ':dependencies', key)
  if call('EXISTS', parent .. ':dependencies') == 1 then return end
  local prefix, id = split(parent)
  if call('ZREM', prefix .. 'waiting-children', id) == 0 then return end
  if hard and prefix == base then
    unlink(parent, hard)
    drop(prefix, id)
  else
    enqueue(prefix, id, 'RPUSH')
    publish(prefix, 'waiting', id, 'waiting-children')
  end
end
`;
