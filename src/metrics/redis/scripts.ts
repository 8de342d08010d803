/**
 * The Lua scripts of the Redis store. `KEYS[1]` is the namespace; all keys begin with it, and so are in one slot of a
 * cluster:
 *
 * - `meta`, `queues`: the instance, the layout and the longest retention; the names of the queues;
 * - `<queue>:state`: where recorders stand, the lease, and the minute before which a purge forbids counts;
 * - `<queue>:<metric>:<day>`: counts per minute, in chunks of twelve;
 * - `<queue>:hour:<day>`: counters, gauge and histograms of the hours of a day;
 * - `<queue>:<metric>:totals`: the same by day;
 * - `<queue>:attempts`: failed attempts, the oldest first.
 *
 * A hash stays below the sizes at which Redis stops packing it.
 */

import { defineScript } from '../../board/kvq/index.ts';

/** Version of the layout; a store with a newer one is not written. */
export const layout = 1;

const common = `
local call = redis.call
local ns = KEYS[1] .. ':'
local input = cjson.decode(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(now / 86400000)
local global = '__global__'
local letters = {completed = 'c', failed = 'f', queueage = 'a', runtime = 'r', waittime = 'w'}
local function counts(packed)
  local sum = {}
  if packed then
    local flat = cmsgpack.unpack(packed)
    for i = 1, #flat, 2 do sum[flat[i]] = flat[i + 1] end
  end
  return sum
end
local function pack(sum)
  local flat = {}
  for bucket = 0, 17 do
    if sum[bucket] and sum[bucket] > 0 then
      flat[#flat + 1] = bucket
      flat[#flat + 1] = sum[bucket]
    end
  end
  return cmsgpack.pack(flat)
end
`;

/**
 * Writes queues of a tick. A count is the absolute one of its minute: what it exceeds the ledger by is added to the
 * tiers, of the queue and of all queues. Histograms are added only where the sampler stands at `from`.
 */
export const commitScript = defineScript(`${common}
local meta = call('HMGET', ns .. 'meta', 'instance', 'layout', 'minutes', 'hours', 'days')
if meta[2] and tonumber(meta[2]) > ${layout} then return {err = 'SLUICE the history has a newer layout'} end
local instance = meta[1]
if not instance then
  instance = input.fresh
  call('HSET', ns .. 'meta', 'instance', instance, 'layout', ${layout})
end
for index, tier in ipairs({'minutes', 'hours', 'days'}) do
  if tonumber(meta[index + 2] or 0) < input[tier] then call('HSET', ns .. 'meta', tier, input[tier]) end
end
local written = input.instance == '' or input.instance == instance
if written then call('HSET', ns .. 'meta', 'written', now) end
local rolled = {minutes = {}, hours = {}, days = {}, ages = {}, histograms = {}}
local function expire(key, day, kept)
  call('EXPIREAT', key, (day + kept + 1) * 86400)
end
local function ledger(queue, metric, minute, count, add)
  local day = math.floor(minute / 1440)
  local key = ns .. queue .. ':' .. metric .. ':' .. day
  local field = math.floor(minute % 1440 / 12)
  local packed = call('HGET', key, field)
  local slots = packed and cmsgpack.unpack(packed) or {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
  local at = minute % 12 + 1
  local delta = add and count or count - slots[at]
  if delta <= 0 then return 0 end
  slots[at] = slots[at] + delta
  if call('HSET', key, field, cmsgpack.pack(slots)) == 1 then expire(key, day, input.minutes) end
  return delta
end
local function hourKey(queue, hour)
  return ns .. queue .. ':hour:' .. math.floor(hour / 24)
end
local function keepDays(key)
  call('EXPIRE', key, (input.days + 1) * 86400)
  for _, field in ipairs(call('HKEYS', key)) do
    if tonumber(field) < today - input.days then call('HDEL', key, field) end
  end
end
local function count(queue, metric, hour, delta)
  local key = hourKey(queue, hour)
  call('HINCRBY', key, letters[metric] .. hour % 24, delta)
  expire(key, math.floor(hour / 24), input.hours)
  local totals = ns .. queue .. ':' .. metric .. ':totals'
  if call('HINCRBY', totals, math.floor(hour / 24), delta) == delta then keepDays(totals) end
end
local function gauge(queue, hour, value)
  local function most(key, field)
    local before = call('HGET', key, field)
    if not before or tonumber(before) < value then call('HSET', key, field, value) end
    return not before
  end
  local key = hourKey(queue, hour)
  if most(key, 'a' .. hour % 24) then expire(key, math.floor(hour / 24), input.hours) end
  local totals = ns .. queue .. ':queueage:totals'
  if most(totals, math.floor(hour / 24)) then keepDays(totals) end
end
local function merge(key, field, pairs)
  local packed = call('HGET', key, field)
  local sum = counts(packed)
  for _, pair in ipairs(pairs) do sum[pair[1]] = (sum[pair[1]] or 0) + pair[2] end
  call('HSET', key, field, pack(sum))
  return not packed
end
local function histogram(queue, metric, hour, pairs)
  if #pairs == 0 then return end
  local key = hourKey(queue, hour)
  merge(key, letters[metric] .. hour % 24, pairs)
  expire(key, math.floor(hour / 24), input.hours)
  local totals = ns .. queue .. ':' .. metric .. ':totals'
  if merge(totals, math.floor(hour / 24), pairs) then keepDays(totals) end
end
local function record(queue, metric, minutes, floor)
  local sums = {}
  for _, pair in ipairs(minutes) do
    local minute, day = pair[1], math.floor(pair[1] / 1440)
    if minute >= floor and day >= today - input.minutes and day <= today + 1 then
      local delta = ledger(queue, metric, minute, pair[2], false)
      if delta > 0 then
        local hour = math.floor(minute / 60)
        sums[hour] = (sums[hour] or 0) + delta
        local key = metric .. ' ' .. minute
        rolled.minutes[key] = (rolled.minutes[key] or 0) + delta
      end
    end
  end
  for hour, delta in pairs(sums) do
    count(queue, metric, hour, delta)
    local key = metric .. ' ' .. hour
    rolled.hours[key] = (rolled.hours[key] or 0) + delta
  end
end
local function inRange(hour)
  local day = math.floor(hour / 24)
  return day >= today - input.days and day <= today + 1
end
local states = {}
for index, write in ipairs(input.writes) do
  local key = ns .. write.q .. ':state'
  local state = call('HMGET', key, 'c', 'f', 's', 'holder', 'until', 'floor')
  local function advance(field, place, given)
    if given > tonumber(state[place] or -1) then
      state[place] = given
      call('HSET', key, field, given)
    end
  end
  if written and write.full then
    call('SADD', ns .. 'queues', write.q)
    local floor = tonumber(state[6] or 0)
    record(write.q, 'completed', write.c, floor)
    record(write.q, 'failed', write.f, floor)
    advance('c', 1, write.cn)
    advance('f', 2, write.fn)
    if write.a and inRange(write.a[1]) then
      gauge(write.q, write.a[1], write.a[2])
      rolled.ages[write.a[1]] = math.max(rolled.ages[write.a[1]] or 0, write.a[2])
    end
    if write.s and tonumber(state[3] or -1) == write.s.from then
      for _, each in ipairs(write.s.hours) do
        if inRange(each[1]) then
          histogram(write.q, 'runtime', each[1], each[2])
          histogram(write.q, 'waittime', each[1], each[3])
          rolled.histograms[#rolled.histograms + 1] = each
        end
      end
      state[3] = write.s.to
      call('HSET', key, 's', write.s.to)
    end
  end
  local mine = not state[4] or state[4] == input.holder or tonumber(state[5]) < now
  if written and mine then
    call('HSET', key, 'holder', input.holder, 'until', now + input.lease)
    call('EXPIRE', key, (input.days + 1) * 86400)
  end
  states[index] = {
    tonumber(state[1] or -1), tonumber(state[2] or -1), tonumber(state[3] or -1), mine and 1 or 0,
  }
end
for key, delta in pairs(rolled.minutes) do
  local metric, minute = string.match(key, '(%a+) (%d+)')
  ledger(global, metric, tonumber(minute), delta, true)
end
for key, delta in pairs(rolled.hours) do
  local metric, hour = string.match(key, '(%a+) (%d+)')
  count(global, metric, tonumber(hour), delta)
end
for hour, value in pairs(rolled.ages) do gauge(global, hour, value) end
for _, each in ipairs(rolled.histograms) do
  histogram(global, 'runtime', each[1], each[2])
  histogram(global, 'waittime', each[1], each[3])
end
return cjson.encode({instance, written and 1 or 0, states})
`);

/** Gives up the leases of a holder. */
export const releaseScript = defineScript(`${common}
for _, queue in ipairs(input.queues) do
  local key = ns .. queue .. ':state'
  if call('HGET', key, 'holder') == input.holder then call('HDEL', key, 'holder', 'until') end
end
return 1
`);

/** Reads series: for each queue the buckets with their values, a histogram as pairs of bucket and count. */
export const readScript = defineScript(`${common}
local letter, unpacked = letters[input.metric], input.histogram
local function value(raw)
  return unpacked and cmsgpack.unpack(raw) or tonumber(raw)
end
local result = {}
for index, queue in ipairs(input.queues) do
  local points = {}
  if input.granularity == 'day' then
    local raw = call('HGETALL', ns .. queue .. ':' .. input.metric .. ':totals')
    for i = 1, #raw, 2 do
      local day = tonumber(raw[i])
      if day >= input.from and day <= input.to then points[#points + 1] = {day, value(raw[i + 1])} end
    end
  else
    -- A packed hash is walked from its start for each field, so that reading all of it is faster than 24 fields.
    local byte = string.byte(letter)
    for day = math.floor(input.from / 24), math.floor(input.to / 24) do
      local raw = call('HGETALL', ns .. queue .. ':hour:' .. day)
      for i = 1, #raw, 2 do
        if string.byte(raw[i]) == byte then
          local hour = day * 24 + tonumber(string.sub(raw[i], 2))
          if hour >= input.from and hour <= input.to then
            points[#points + 1] = {hour, value(raw[i + 1])}
          end
        end
      end
    end
  end
  result[index] = points
end
return cjson.encode(result)
`);

/** Adds failed attempts of queues, and drops the oldest beyond a number. */
export const addAttemptsScript = defineScript(`${common}
for _, write in ipairs(input.writes) do
  local key = ns .. write[1] .. ':attempts'
  for _, attempt in ipairs(write[2]) do call('RPUSH', key, attempt) end
  call('LTRIM', key, -input.most, -1)
  call('EXPIRE', key, (input.days + 1) * 86400)
  call('SADD', ns .. 'queues', write[1])
end
return 1
`);

/** Reads the failed attempts of a queue. */
export const attemptsScript = defineScript(`${common}
return cjson.encode(call('LRANGE', ns .. input.queue .. ':attempts', 0, -1))
`);

/** Reads counts per minute. */
export const minutesScript = defineScript(`${common}
local result = {}
for index, queue in ipairs(input.queues) do
  local points = {}
  for day = math.floor(input.from / 1440), math.floor(input.to / 1440) do
    local raw = call('HGETALL', ns .. queue .. ':' .. input.metric .. ':' .. day)
    for i = 1, #raw, 2 do
      for at, count in ipairs(cmsgpack.unpack(raw[i + 1])) do
        local minute = day * 1440 + raw[i] * 12 + at - 1
        if count > 0 and minute >= input.from and minute <= input.to then
          points[#points + 1] = {minute, count}
        end
      end
    end
  end
  result[index] = points
end
return cjson.encode(result)
`);

/** The names of the queues, and the longest retention of each tier. */
export const aboutScript = defineScript(`${common}
local kept = call('HMGET', ns .. 'meta', 'minutes', 'hours', 'days', 'written')
local names = call('SMEMBERS', ns .. 'queues')
return cjson.encode({names, tonumber(kept[1] or 0), tonumber(kept[2] or 0), tonumber(kept[3] or 0), today, tonumber(kept[4] or 0)})
`);

/** Keys and bytes of one queue by tier, its minutes, and its days. */
export const usageScript = defineScript(`${common}
local queue = ns .. input.queue .. ':'
local minutes, days, usage = 0, {}, {{0, 0}, {0, 0}, {0, 0}}
local function measure(tier, key)
  local ok, bytes = pcall(call, 'MEMORY', 'USAGE', key)
  if call('EXISTS', key) == 0 then return false end
  usage[tier] = {usage[tier][1] + 1, usage[tier][2] + (ok and type(bytes) == 'number' and bytes or 0)}
  return true
end
for day = today - math.max(input.minutes, input.hours), today + 1 do
  local found = measure(2, queue .. 'hour:' .. day)
  if day >= today - input.minutes then
    for _, metric in ipairs({'completed', 'failed'}) do
      local key = queue .. metric .. ':' .. day
      if measure(1, key) then
        found = true
        for _, packed in ipairs(call('HVALS', key)) do
          for _, count in ipairs(cmsgpack.unpack(packed)) do
            if count > 0 then minutes = minutes + 1 end
          end
        end
      end
    end
  end
  if found then days[#days + 1] = day end
end
for metric in pairs(letters) do measure(3, queue .. metric .. ':totals') end
return cjson.encode({usage, minutes, days})
`);

/**
 * Deletes the history of one queue up to a day, and takes its counts out of those of all queues. Counts before the
 * floor are not accepted again.
 */
export const purgeScript = defineScript(`${common}
local queue, all = ns .. input.queue .. ':', ns .. global .. ':'
local isGlobal = input.queue == global
local keys, fields = 0, 0
local function subtract(key, field, count)
  if call('HINCRBY', key, field, -count) <= 0 then call('HDEL', key, field) end
end
local function unlink(key)
  keys = keys + call('UNLINK', key)
end
for day = today - math.max(input.minutes, input.hours), math.min(input.last, today + 1) do
  for _, metric in ipairs({'completed', 'failed'}) do
    local key = queue .. metric .. ':' .. day
    if not isGlobal and day >= today - input.minutes then
      local raw = call('HGETALL', key)
      for i = 1, #raw, 2 do
        local packed = call('HGET', all .. metric .. ':' .. day, raw[i])
        if packed then
          local slots, left = cmsgpack.unpack(packed), 0
          for at, count in ipairs(cmsgpack.unpack(raw[i + 1])) do
            slots[at] = math.max(0, slots[at] - count)
            left = left + slots[at]
          end
          if left > 0 then call('HSET', all .. metric .. ':' .. day, raw[i], cmsgpack.pack(slots))
          else call('HDEL', all .. metric .. ':' .. day, raw[i]) end
        end
      end
    end
    unlink(key)
  end
  local key = queue .. 'hour:' .. day
  if not isGlobal then
    local raw = call('HGETALL', key)
    for i = 1, #raw, 2 do
      local letter = string.sub(raw[i], 1, 1)
      if letter == 'c' or letter == 'f' then subtract(all .. 'hour:' .. day, raw[i], raw[i + 1]) end
    end
  end
  unlink(key)
end
for metric in pairs(letters) do
  local key = queue .. metric .. ':totals'
  local raw = call('HGETALL', key)
  for i = 1, #raw, 2 do
    if tonumber(raw[i]) <= input.last then
      fields = fields + call('HDEL', key, raw[i])
      if not isGlobal and (metric == 'completed' or metric == 'failed') then
        subtract(all .. metric .. ':totals', raw[i], raw[i + 1])
      end
    end
  end
end
if not isGlobal then
  local state = queue .. 'state'
  local floor = math.min((input.last + 1) * 1440, math.floor(now / 60000))
  if floor > tonumber(call('HGET', state, 'floor') or 0) then call('HSET', state, 'floor', floor) end
  if input.whole then
    -- The durations of jobs that finished before are not measured again.
    call('HSET', state, 's', now)
    call('SREM', ns .. 'queues', input.queue)
    keys = keys + call('UNLINK', queue .. 'attempts')
  end
  call('EXPIRE', state, (input.days + 1) * 86400)
end
return cjson.encode({keys, fields})
`);
