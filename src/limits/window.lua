-- The sliding window that instances share, decided in one step. A sorted set: a member for each request served, its
-- score the time in microseconds.
--   KEYS[1] the window
--   ARGV    the caller's time, the span, the limit, the request's name, seconds until an unused window is cleaned up
-- Answers: 1 served or 0 refused; how many count now; the time that was used; when the request was served on whose
-- leaving the caller's next step depends.
-- Times stay text or are formatted whole: Lua would print them rounded.
local key = KEYS[1]
local now, span, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

-- Instances' times differ a little; within a window time never goes back.
local newest = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
if newest and tonumber(newest) > now then now = tonumber(newest) end

redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - span))
local count = redis.call('ZCARD', key)

if count >= limit then
  -- More than the limit may count: the limit was lowered. Then one is served when all too many have left.
  local too_many = count - limit
  local leaving = redis.call('ZRANGE', key, too_many, too_many, 'WITHSCORES')[2]
  return { 0, count, now, tonumber(leaving) or now }
end

redis.call('ZADD', key, string.format('%.0f', now), ARGV[4])
redis.call('EXPIRE', key, ARGV[5])
return { 1, count + 1, now, tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) }
