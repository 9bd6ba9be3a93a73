/**
 * The scripts that keep a valve's state in a store. They use what Redis 7.0 and all later servers have, declare all
 * keys, and read the time from the store.
 *
 * KEYS of an admission: policy, lease, then a state for each rule. ARGV: fingerprint, lease max (0: none), lease ttl,
 * holder ('' to look only), then six for each rule:
 *
 *     'gcra'          limit     stepWhole  stepPart  slackWhole  slackPart
 *     'fixed-window'  interval  limit      cost      0           0
 *
 * The state of a GCRA rule is TAT, the time at which all is recovered, as "whole part/limit" with 0 ≤ part < limit: ms
 * and parts of a ms. The step is what the cost adds to it, cost · interval / limit; the slack is by how much TAT may lie
 * in the future, (burst − cost) · interval / limit. Both come in the same exact form, so that nothing is ever divided or
 * rounded here. The state of a fixed window is "start count".
 *
 * Replies: {1, now, state…} admitted, {0, now, leaseWait, ruleWait…} rejected, {2, fingerprint} another policy is there.
 */
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** How a count of ms is written: never with an exponent. */
const COMMON = `
local function int(n) return string.format('%.0f', n) end

local function store_now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

export const ADMIT = script(`${COMMON}
local stored = redis.call('GET', KEYS[1])
if stored and stored ~= ARGV[1] then return {2, stored} end
local now = store_now()
local holder = ARGV[4]

-- Each decides one rule: how long to wait (0: admitted), the state to write, and when it is worth nothing any more.
local function gcra(state, at)
  local limit, step_whole, step_part = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local slack_whole, slack_part = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local whole, part = now, 0
  if state then
    local w, p, denominator = string.match(state, '^(%d+) (%d+)/(%d+)$')
    w, p = tonumber(w), tonumber(p)
    if w and tonumber(denominator) ~= limit and p > 0 then
      w, p = w + 1, 0
    end
    if w and w >= now then whole, part = w, p end
  end
  local wait = whole - now - slack_whole
  if part > slack_part then wait = wait + 1 end
  if wait > 0 then return wait end
  whole, part = whole + step_whole, part + step_part
  if part >= limit then whole, part = whole + 1, part - limit end
  local expiry = whole
  if part > 0 then expiry = whole + 1 end
  return 0, int(whole) .. ' ' .. int(part) .. '/' .. int(limit), expiry
end

local function fixed_window(state, at)
  local interval, limit, cost = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local start, count = now - math.fmod(now, interval), 0
  if state then
    local s, c = string.match(state, '^(%d+) (%d+)$')
    s = tonumber(s)
    if s and s >= start then start, count = s, tonumber(c) end
  end
  if count + cost > limit then return start + interval - now end
  return 0, int(start) .. ' ' .. int(count + cost), start + interval
end

local rules = #KEYS - 2
local rejected, waits, states, expiries = false, {}, {}, {}
for i = 1, rules do
  local at = 6 * i - 1
  local decide = fixed_window
  if ARGV[at] == 'gcra' then decide = gcra end
  waits[i], states[i], expiries[i] = decide(redis.call('GET', KEYS[i + 2]), at + 1)
  if waits[i] > 0 then rejected = true end
end

local lease_max, lease_wait = tonumber(ARGV[2]), 0
if lease_max > 0 and redis.call('ZCOUNT', KEYS[2], '(' .. int(now), '+inf') >= lease_max then
  local first = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. int(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  lease_wait = tonumber(first[2]) - now
end
if rejected or lease_wait > 0 then return {0, now, lease_wait, unpack(waits)} end
if holder == '' then return {1, now} end

if not stored then redis.call('SET', KEYS[1], ARGV[1]) end
for i = 1, rules do redis.call('SET', KEYS[i + 2], states[i], 'PXAT', int(expiries[i])) end
if lease_max > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', int(now))
  redis.call('ZADD', KEYS[2], int(now + ARGV[3]), holder)
  local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
  redis.call('PEXPIREAT', KEYS[2], int(tonumber(last[2])))
end
return {1, now, unpack(states)}
`);

/**
 * KEYS: lease, then a state for each rule; ARGV: holder, then three for each rule: the state as the admission wrote it,
 * and the step (stepWhole, stepPart), or ('', cost) for a fixed window. A GCRA state that somebody has moved on since
 * stays: to take the cost out of it would bring the starts after it closer together.
 */
export const REFUND = script(`${COMMON}
redis.call('ZREM', KEYS[1], ARGV[1])
for i = 1, #KEYS - 1 do
  local key, at = KEYS[i + 1], 3 * i - 1
  local state, written = redis.call('GET', key), ARGV[at]
  if state and ARGV[at + 1] == '' then
    local start, count = string.match(state, '^(%d+) (%d+)$')
    if start and start == string.match(written, '^%d+') then
      redis.call('SET', key, start .. ' ' .. int(math.max(0, count - ARGV[at + 2])), 'KEEPTTL')
    end
  elseif state == written then
    local whole, part, limit = string.match(state, '^(%d+) (%d+)/(%d+)$')
    whole, part = whole - ARGV[at + 1], part - ARGV[at + 2]
    if part < 0 then whole, part = whole - 1, part + limit end
    redis.call('SET', key, int(whole) .. ' ' .. int(part) .. '/' .. limit, 'KEEPTTL')
  end
end
return 1
`);

/** KEYS: lease; ARGV: ttl, holders. Replies with the holders whose lease has lapsed. */
export const RENEW = script(`${COMMON}
local now = store_now()
local until_ms = int(now + ARGV[1])
local lost = {}
for i = 2, #ARGV do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if score and tonumber(score) > now then
    redis.call('ZADD', KEYS[1], until_ms, ARGV[i])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then redis.call('PEXPIREAT', KEYS[1], int(tonumber(last[2]))) end
return lost
`);

/** KEYS: lease; ARGV: holder. */
export const RELEASE = script("return redis.call('ZREM', KEYS[1], ARGV[1])");

/** KEYS: policy. */
export const RESET_FINGERPRINT = script("return redis.call('DEL', KEYS[1])");

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
