/** The Lua scripts that change the keys of the Redis store; see the layout. */

import { defineScript } from '../../board/kvq/index.ts';
import { common, layout, minutesPerChunk } from './layout.ts';

/** Writes the tiers of a queue or of all queues: ages and histograms of an hour, which also count for its day. */
const tiers = `local function expire(key, day, kept)
  call('EXPIREAT', key, (day + kept + 1) * 86400)
end
local function hourKey(queue, hour)
  return ns .. queue .. ':hour:' .. math.floor(hour / 24)
end
local function keepDays(key, kept)
  call('EXPIRE', key, (kept + 1) * 86400)
  for _, field in ipairs(call('HKEYS', key)) do
    if tonumber(field) < today - kept then call('HDEL', key, field) end
  end
end
-- Sets the value of an hour to what \`change\` makes of the one before; nil leaves it.
local function setHour(queue, metric, hour, change)
  local key, day, at = ns .. queue .. ':' .. metric .. ':hours', math.floor(hour / 24), hour % 24 + 1
  local hours = hoursOf(call('HGET', key, day))
  hours[at] = change(hours[at]) or hours[at]
  if call('HSET', key, day, cmsgpack.pack(hours)) == 1 then keepDays(key, input.hours) end
end
local function gauge(queue, hour, value)
  setHour(queue, 'queueage', hour, function(before) return value > before and value or nil end)
  local totals, day = ns .. queue .. ':queueage:totals', math.floor(hour / 24)
  local before = call('HGET', totals, day)
  if not before or tonumber(before) < value then call('HSET', totals, day, value) end
  if not before then keepDays(totals, input.days) end
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
  if merge(totals, math.floor(hour / 24), pairs) then keepDays(totals, input.days) end
end
`;

/**
 * Writes queues of a tick. A count is the absolute one of its minute: what it exceeds the ledger by is added to the
 * tiers, of the queue and of all queues. Histograms are added only where the sampler stands at `from`.
 */
export const commitScript = defineScript(`${common}${tiers}
local meta = call('HMGET', ns .. 'meta', 'instance', 'minutes', 'hours', 'days')
local instance = meta[1]
if not instance then
  instance = input.fresh
  call('HSET', ns .. 'meta', 'instance', instance, 'layout', ${layout})
end
for index, tier in ipairs({'minutes', 'hours', 'days'}) do
  if tonumber(meta[index + 1] or 0) < input[tier] then call('HSET', ns .. 'meta', tier, input[tier]) end
end
local written = input.instance == '' or input.instance == instance
if written then call('HSET', ns .. 'meta', 'written', now) end
local rolled = {completed = {}, failed = {}, ages = {}, histograms = {}}
local function ledger(queue, metric, minute, count, add)
  local day = math.floor(minute / 1440)
  local key = ns .. queue .. ':' .. metric .. ':' .. day
  local field = math.floor(minute % 1440 / ${minutesPerChunk})
  local packed = call('HGET', key, field)
  local slots = packed and cmsgpack.unpack(packed) or {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
  local at = minute % ${minutesPerChunk} + 1
  local delta = add and count or count - slots[at]
  if delta <= 0 then return 0 end
  slots[at] = slots[at] + delta
  if call('HSET', key, field, cmsgpack.pack(slots)) == 1 then expire(key, day, input.minutes) end
  return delta
end
-- Adds to the hours and days what the ledger takes of the counts of minutes, and returns it by minute.
local function count(queue, metric, minutes, isDelta)
  local taken, sums = {}, {}
  for minute, given in pairs(minutes) do
    local delta = ledger(queue, metric, minute, given, isDelta)
    if delta > 0 then
      local hour = math.floor(minute / 60)
      taken[minute], sums[hour] = delta, (sums[hour] or 0) + delta
    end
  end
  local totals = ns .. queue .. ':' .. metric .. ':totals'
  for hour, delta in pairs(sums) do
    setHour(queue, metric, hour, function(before) return math.max(0, before) + delta end)
    if call('HINCRBY', totals, math.floor(hour / 24), delta) == delta then keepDays(totals, input.days) end
  end
  return taken
end
local function record(queue, metric, minutes, floor)
  local kept = {}
  for _, pair in ipairs(minutes) do
    local minute, day = pair[1], math.floor(pair[1] / 1440)
    if minute >= floor and day >= today - input.minutes and day <= today + 1 then
      kept[minute] = math.max(pair[2], kept[minute] or 0)
    end
  end
  for minute, delta in pairs(count(queue, metric, kept, false)) do
    rolled[metric][minute] = (rolled[metric][minute] or 0) + delta
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
count(global, 'completed', rolled.completed, true)
count(global, 'failed', rolled.failed, true)
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

/** Adds failed attempts of a queue, and drops the oldest beyond a number. */
export const addAttemptsScript = defineScript(`${common}
local key = ns .. input.queue .. ':attempts'
for _, attempt in ipairs(input.attempts) do call('RPUSH', key, attempt) end
call('LTRIM', key, -input.most, -1)
call('EXPIRE', key, (input.days + 1) * 86400)
call('SADD', ns .. 'queues', input.queue)
return 1
`);

/**
 * Deletes the history of one queue up to a day, and takes its counts out of those of all queues. Counts before the
 * floor are not accepted again.
 */
export const purgeScript = defineScript(`${common}${tiers}
local queue, all = ns .. input.queue .. ':', ns .. global .. ':'
local isGlobal = input.queue == global
local keys, fields = 0, 0
-- A script that has written may go on where the memory of Redis is full, and a purge makes room.
call('UNLINK', queue .. 'none')
-- Takes counts out of a list of all queues, in which \`none\` stands for no counts.
local function subtract(key, field, packed, none)
  local total = call('HGET', key, field)
  if not total then return end
  local sums, isEmpty = cmsgpack.unpack(total), true
  for at, count in ipairs(cmsgpack.unpack(packed)) do
    sums[at] = sums[at] - math.max(0, count)
    if sums[at] > 0 then isEmpty = false else sums[at] = none end
  end
  if isEmpty then call('HDEL', key, field) else call('HSET', key, field, cmsgpack.pack(sums)) end
end
-- Counts of all queues together that were written since the purge of everything began are those of its queues.
local last = input.last
if isGlobal and call('SCARD', ns .. 'queues') > 0 then last = math.min(last, input.began - 1) end
for day = today - input.minutes, math.min(last, today + 1) do
  for _, metric in ipairs({'completed', 'failed'}) do
    local key = queue .. metric .. ':' .. day
    local raw = isGlobal and {} or call('HGETALL', key)
    for i = 1, #raw, 2 do subtract(all .. metric .. ':' .. day, raw[i], raw[i + 1], 0) end
    if isGlobal or #raw > 0 then keys = keys + call('UNLINK', key) end
  end
end
local histograms = {}
for day = today - input.hours, math.min(input.last, today + 1) do
  histograms[#histograms + 1] = queue .. 'hour:' .. day
end
if #histograms > 0 then keys = keys + call('UNLINK', unpack(histograms)) end
for _, metric in ipairs({'completed', 'failed', 'queueage'}) do
  local key, total = queue .. metric .. ':hours', all .. metric .. ':hours'
  for _, day in ipairs(call('HKEYS', key)) do
    if tonumber(day) <= (metric == 'queueage' and input.last or last) then
      if not isGlobal and metric ~= 'queueage' then
        subtract(total, day, call('HGET', key, day), -1)
      end
      keys = keys + call('HDEL', key, day)
    end
  end
end
for metric in pairs(letters) do
  local key, isCount = queue .. metric .. ':totals', metric == 'completed' or metric == 'failed'
  local raw = call('HGETALL', key)
  for i = 1, #raw, 2 do
    if tonumber(raw[i]) <= (isCount and last or input.last) then
      fields = fields + call('HDEL', key, raw[i])
      if not isGlobal and isCount then
        local total = all .. metric .. ':totals'
        if call('HINCRBY', total, raw[i], -raw[i + 1]) <= 0 then call('HDEL', total, raw[i]) end
      end
    end
  end
end
-- So are the ages and durations that queues have recorded since.
for _, name in ipairs(isGlobal and call('SMEMBERS', ns .. 'queues') or {}) do
  for day = input.began, math.min(input.last, today + 1) do
    for at, age in ipairs(hoursOf(call('HGET', ns .. name .. ':queueage:hours', day))) do
      if age >= 0 then gauge(global, day * 24 + at - 1, age) end
    end
    local raw = call('HGETALL', hourKey(name, day * 24))
    for i = 1, #raw, 2 do
      local letter, hour, pairsOf = raw[i]:sub(1, 1), tonumber(raw[i]:sub(2)), {}
      for bucket, sum in pairs(counts(raw[i + 1])) do pairsOf[#pairsOf + 1] = {bucket, sum} end
      local metric = letter == letters.runtime and 'runtime' or 'waittime'
      histogram(global, metric, day * 24 + hour, pairsOf)
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
