/** The Lua scripts that read the keys of the Redis store; see the layout. */

import { defineScript } from '../../board/kvq/index.ts';
import { common } from './layout.ts';

/**
 * Reads the hashes of queues: for each queue and each end of a key the fields with their values, unpacked. Of all fields,
 * `fields` reads some, and `only` those that begin with a letter.
 */
export const readScript = defineScript(`${common}
local only = input.only and string.byte(input.only)
local function fieldsOf(key)
  if not input.fields then return call('HGETALL', key) end
  local raw = {}
  for place, value in ipairs(call('HMGET', key, unpack(input.fields))) do
    raw[2 * place - 1], raw[2 * place] = input.fields[place], value
  end
  return raw
end
local function read(key)
  local raw, points = fieldsOf(key), {}
  for i = 1, #raw, 2 do
    -- A packed hash is walked from its start for each field, so that reading all of it is faster than 24 fields.
    if raw[i + 1] and (not only or string.byte(raw[i]) == only) then
      points[#points + 1] = {raw[i], tonumber(raw[i + 1]) or cmsgpack.unpack(raw[i + 1])}
    end
  end
  return points
end
local result = {}
for index, queue in ipairs(input.queues) do
  result[index] = {}
  for place, ending in ipairs(input.endings) do result[index][place] = read(ns .. queue .. ending) end
end
return cjson.encode(result)
`);

/** Reads the failed attempts of a queue. */
export const attemptsScript = defineScript(`${common}
return cjson.encode(call('LRANGE', ns .. input.queue .. ':attempts', 0, -1))
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
  for metric in pairs(letters) do
    for tier, kept in pairs({[2] = ':hours', [3] = ':totals'}) do
      local key = queue .. metric .. kept
      for _, day in ipairs(measure(tier, key) and call('HKEYS', key) or {}) do
        known[tonumber(day)] = true
        if tier == 2 then withHours[tonumber(day)] = true end
      end
    end
  end
  local first, firstWithMinutes = today - math.max(input.minutes, input.hours), today - input.minutes
  local function keysOf(day)
    local minutely = day >= firstWithMinutes and {queue .. 'completed:' .. day, queue .. 'failed:' .. day} or {}
    return {queue .. 'hour:' .. day, unpack(minutely)}
  end
  local keys, others = {}, 0
  for day = first, today + 1 do
    for _, key in ipairs(known[day] and {} or keysOf(day)) do keys[#keys + 1] = key end
  end
  for from = 1, #keys, ${mostKeys} do
    others = others + call('EXISTS', unpack(keys, from, math.min(#keys, from + ${mostKeys - 1})))
  end
  for day = first, today + 1 do
    local found = withHours[day]
    for place, key in ipairs((known[day] or others > 0) and keysOf(day) or {}) do
      if measure(place == 1 and 2 or 1, key) then
        found = true
        for _, packed in ipairs(place > 1 and call('HVALS', key) or {}) do
          for _, count in ipairs(cmsgpack.unpack(packed)) do
            if count > 0 then minutes = minutes + 1 end
          end
        end
      end
    end
    if found then days[#days + 1] = day end
  end
  return {usage, minutes, days}
end
local result = {}
for index, queue in ipairs(input.queues) do result[index] = usageOf(ns .. queue .. ':') end
return cjson.encode(result)
`);
