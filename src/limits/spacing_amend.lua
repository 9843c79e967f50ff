-- What became of the latest that was let begin, if nobody else has been since.
--   KEYS[1] as in spacing.lua
--   ARGV    the instance; 'back': it did not begin after all, or 'late': it begins only now; and how late it may be without
--           the next one waiting for that, in microseconds
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local known = redis.call('HMGET', KEYS[1], 'latest', 'before', 'by')
local latest = tonumber(known[1] or '')
if not latest then return end
if ARGV[2] == 'late' then
  -- Whoever began meanwhile: the next must not come closer to this one for that.
  redis.call('HSET', KEYS[1], 'latest', string.format('%.0f', math.max(latest, now - tonumber(ARGV[3]))))
elseif known[3] == ARGV[1] then
  if known[2] == '' then
    redis.call('HDEL', KEYS[1], 'latest')
  else
    redis.call('HSET', KEYS[1], 'latest', known[2])
  end
end
