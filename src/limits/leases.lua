-- Takes a place of a group and of all. While places are scarce, an instance that waits and has fewer goes before one that has
-- more; of two that have none, the one that took one longest ago.
--   KEYS[1] the places: a member `<group>|<instance>|<number>` for each that is taken, its score the time when it is free again
--           if nobody gives it back
--   KEYS[2] who waits: `<group>|<instance>` for a place of the group, `*|<instance>` for any, with the time until which that holds
--   KEYS[3] when each instance took a place last
--   ARGV    the group, the instance, the number, for how long, most of the group, most in all, for how long others wait for
--           whoever waits, and then the members that are given back
-- Answers: 0 taken, 1 none of the group, 2 none of any.
-- Times are milliseconds of the server's time, formatted whole: Lua would print them rounded.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local group, me = ARGV[1], ARGV[2]
local lasting, of_group, in_all, patience = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local function text(number) return string.format('%.0f', number) end
local function wait_for(what, other)
  redis.call('ZADD', KEYS[2], text(now + patience), what .. '|' .. me)
  redis.call('ZREM', KEYS[2], other .. '|' .. me)
  redis.call('PEXPIRE', KEYS[2], 60000)
end

for given_back = 8, #ARGV do redis.call('ZREM', KEYS[1], ARGV[given_back]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(now))
local taken = redis.call('ZRANGE', KEYS[1], 0, -1)
local taken_of_group, held, held_of_group = 0, {}, {}
for _, member in ipairs(taken) do
  local lane, instance = string.match(member, '^(.-)|(.-)|')
  held[instance] = (held[instance] or 0) + 1
  if lane == group then
    taken_of_group = taken_of_group + 1
    held_of_group[instance] = (held_of_group[instance] or 0) + 1
  end
end
if taken_of_group >= of_group then
  wait_for(group, '*')
  return 1
end
if #taken >= in_all then
  wait_for('*', group)
  return 2
end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now))
local function took(instance) return tonumber(redis.call('ZSCORE', KEYS[3], instance) or '0') end
local function goes_before_me(instance, places)
  local theirs, mine = places[instance] or 0, places[me] or 0
  return theirs < mine or (theirs == 0 and mine == 0 and took(instance) < took(me))
end
for _, waiting in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local lane, instance = string.match(waiting, '^(.-)|(.*)$')
  if instance ~= me then
    if lane == group and goes_before_me(instance, held_of_group) then
      wait_for(group, '*')
      return 1
    end
    if lane == '*' and goes_before_me(instance, held) then
      wait_for('*', group)
      return 2
    end
  end
end

redis.call('ZADD', KEYS[1], text(now + lasting), group .. '|' .. me .. '|' .. ARGV[3])
redis.call('ZREM', KEYS[2], group .. '|' .. me, '*|' .. me)
redis.call('ZADD', KEYS[3], text(now), me)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text(now - 60000))
redis.call('PEXPIRE', KEYS[1], text(lasting * 2))
redis.call('PEXPIRE', KEYS[3], 60000)
return 0
