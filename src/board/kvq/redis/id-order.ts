/** The order of ids of one score in a sorted set: by their bytes, whatever the locale of the server. */

/** Lua: whether the id `left` comes before `right`. */
export const isBelow = `local function isbelow(left, right)
  for i = 1, math.min(#left, #right) do
    local a, b = string.byte(left, i), string.byte(right, i)
    if a ~= b then return a < b end
  end
  return #left < #right
end
`;
