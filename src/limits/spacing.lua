-- Lets something begin, unless it began less than an interval ago. Instances that wait take turns: of those that come when it
-- may begin again, the one that began longest ago goes first.
--   KEYS[1] when it began last, when before that, and who began it
--   KEYS[2] who waits, each with the time until which that holds
--   KEYS[3] when each began last
--   ARGV    the instance, the interval, how late the next may be without the one after it waiting for that, and how long the
--           others wait for whose turn it is
-- Answers: 0, it begins now; or after how long it is worth another look.
-- Times are microseconds of the server's time, formatted whole: Lua would print them rounded.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local me, interval, late, grace = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function text(number) return string.format('%.0f', number) end
local function waits_until(moment)
  redis.call('ZADD', KEYS[2], text(moment), me)
  redis.call('PEXPIRE', KEYS[2], 60000)
end

local latest = tonumber(redis.call('HGET', KEYS[1], 'latest') or '')
local due = now
-- A server whose time was put back knows nothing of when it began.
if latest and latest <= now then due = latest + interval end
if due > now then
  waits_until(due + grace)
  return due - now
end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now))
local function began(instance) return tonumber(redis.call('ZSCORE', KEYS[3], instance) or '0') end
local mine = began(me)
local waiting = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
for place = 1, #waiting, 2 do
  if waiting[place] ~= me and began(waiting[place]) < mine then
    waits_until(now + 2 * grace)
    return math.min(grace, tonumber(waiting[place + 1]) - now)
  end
end

redis.call('HSET', KEYS[1], 'latest', text(math.max(due, now - late)), 'before', latest and text(latest) or '', 'by', me)
redis.call('ZREM', KEYS[2], me)
redis.call('ZADD', KEYS[3], text(now), me)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text(now - 60000000))
redis.call('PEXPIRE', KEYS[1], 60000)
redis.call('PEXPIRE', KEYS[3], 60000)
return 0
