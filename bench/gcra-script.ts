/**
 * The algorithm of GCRA.LIMIT as a script for Redis, with the time of the server and doubles: what a user of Redis has.
 * KEYS[1]: the limit; ARGV: period in ms, burst, count. It answers the same five numbers.
 */
export const GCRA_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local period, burst, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local start = tonumber(redis.call('GET', KEYS[1]) or now)
if start < now then start = now end
local full = start + period * count / burst
local room = now + period - full
if room < 0 then
  return { 1, burst, 0, math.ceil(-room), math.ceil(start - now) }
end
redis.call('SET', KEYS[1], string.format('%.6f', full), 'PX', math.ceil(full - now))
return { 0, burst, math.floor(room * burst / period), -1, math.ceil(full - now) }
`;
