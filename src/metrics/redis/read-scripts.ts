/** The Lua scripts that read the keys of the Redis store; see the layout. */

import { defineScript } from '../../board/kvq/index.ts';
import { common } from './layout.ts';

/** Days of hours that are read one by one; of more, all are read at once. */
const fewDays = 10;

/**
 * Reads series: for each queue the buckets with their values, a histogram as pairs of bucket and count. Hours of counters
 * and gauges are lists by day, which are half as much to encode; -1 is unknown.
 */
export const readScript = defineScript(`${common}
local letter, unpacked = letters[input.metric], input.histogram
local firstDay, lastDay = math.floor(input.from / 24), math.floor(input.to / 24)
local function value(raw)
  return unpacked and cmsgpack.unpack(raw) or tonumber(raw)
end
local function add(points, bucket, value)
  if bucket >= input.from and bucket <= input.to then points[#points + 1] = {bucket, value} end
end
local result = {}
for index, queue in ipairs(input.queues) do
  local points = {}
  if input.granularity == 'day' then
    local raw = call('HGETALL', ns .. queue .. ':' .. input.metric .. ':totals')
    for i = 1, #raw, 2 do
      add(points, tonumber(raw[i]), value(raw[i + 1]))
    end
  elseif unpacked then
    -- A packed hash is walked from its start for each field, so that reading all of it is faster than 24 fields.
    local byte = string.byte(letter)
    for day = firstDay, lastDay do
      local raw = call('HGETALL', ns .. queue .. ':hour:' .. day)
      for i = 1, #raw, 2 do
        if string.byte(raw[i]) == byte then
          add(points, day * 24 + tonumber(string.sub(raw[i], 2)), value(raw[i + 1]))
        end
      end
    end
  else
    local key, days = ns .. queue .. ':' .. input.metric .. ':hours', {}
    if lastDay - firstDay < ${fewDays} then
      for day = firstDay, lastDay do
        local packed = call('HGET', key, day)
        if packed then days[day] = packed end
      end
    else
      local raw = call('HGETALL', key)
      for i = 1, #raw, 2 do days[tonumber(raw[i])] = raw[i + 1] end
    end
    for day, packed in pairs(days) do
      if day >= firstDay and day <= lastDay then points[#points + 1] = {day, cmsgpack.unpack(packed)} end
    end
  end
  result[index] = points
end
return cjson.encode(result)
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

/** Keys that one `EXISTS` looks for; a call from Lua takes some thousands of arguments. */
const mostKeys = 1_000;

/**
 * Keys and bytes of queues by tier, their minutes, and their days. The fields of the hours and totals tell nearly all days
 * that have keys; whether the others of the retention have some, one command tells.
 */
export const usageScript = defineScript(`${common}
local function usageOf(queue)
  local minutes, days, usage = 0, {}, {{0, 0}, {0, 0}, {0, 0}}
  local function measure(tier, key)
    local ok, bytes = pcall(call, 'MEMORY', 'USAGE', key)
    -- The command may be forbidden, and tells nothing of a key that is missing.
    if ok and not bytes or not ok and call('EXISTS', key) == 0 then return false end
    usage[tier] = {usage[tier][1] + 1, usage[tier][2] + (type(bytes) == 'number' and bytes or 0)}
    return true
  end
  local withHours, known = {}, {}
  for _, metric in ipairs({'completed', 'failed', 'queueage'}) do
    local key = queue .. metric .. ':hours'
    if measure(2, key) then
      for _, day in ipairs(call('HKEYS', key)) do withHours[tonumber(day)], known[tonumber(day)] = true, true end
    end
  end
  for metric in pairs(letters) do
    local key = queue .. metric .. ':totals'
    if measure(3, key) then
      for _, day in ipairs(call('HKEYS', key)) do known[tonumber(day)] = true end
    end
  end
  local first, firstWithMinutes = today - math.max(input.minutes, input.hours), today - input.minutes
  local keys, others = {}, 0
  for day = first, today + 1 do
    if not known[day] then
      keys[#keys + 1] = queue .. 'hour:' .. day
      if day >= firstWithMinutes then
        keys[#keys + 1] = queue .. 'completed:' .. day
        keys[#keys + 1] = queue .. 'failed:' .. day
      end
    end
  end
  for from = 1, #keys, ${mostKeys} do
    others = others + call('EXISTS', unpack(keys, from, math.min(#keys, from + ${mostKeys - 1})))
  end
  for day = first, today + 1 do
    if known[day] or others > 0 then
      local found = measure(2, queue .. 'hour:' .. day) or withHours[day]
      if day >= firstWithMinutes then
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
  end
  return {usage, minutes, days}
end
local result = {}
for index, queue in ipairs(input.queues) do result[index] = usageOf(ns .. queue .. ':') end
return cjson.encode(result)
`);
