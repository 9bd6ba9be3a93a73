/** Which policies are the same, what differs between others, and under which keys they keep their states. */
import { describe, expect, it } from 'vitest';
import { createValve, memoryStore, type RuleOptions } from '../../src/valve/index.js';
import { checkOptions, type LeaseOptions } from '../../src/valve/options.js';

interface PolicyOptions {
  readonly rate: RuleOptions | readonly RuleOptions[];
  readonly lease?: LeaseOptions;
}

const policyOf = (options: PolicyOptions, name = 'v', prefix?: string) =>
  checkOptions({ name, prefix, store: memoryStore(), ...options }).policy;

const base: RuleOptions = { limit: 10, interval: '1m' };
const day: RuleOptions = { limit: 100, interval: '24h', algorithm: 'fixed-window' };
const each: RuleOptions = { limit: 5, interval: '1s', name: 'each', scope: ['tenant', 'region'] };
const lease: LeaseOptions = { max: 4, ttl: '30s' };

const PAIRS: readonly [title: string, a: PolicyOptions, b: PolicyOptions, difference: string | undefined][] = [
  ['the same twice', { rate: base }, { rate: { ...base } }, undefined],
  ['one rule or an array of one', { rate: base }, { rate: [base] }, undefined],
  ['60s for 1m', { rate: base }, { rate: { ...base, interval: '60s' } }, undefined],
  ['ms for 1m', { rate: base }, { rate: { ...base, interval: 60_000 } }, undefined],
  ['defaults written out', { rate: base }, { rate: { ...base, burst: 1, algorithm: 'gcra' } }, undefined],
  ['rules in another order', { rate: [base, day, each] }, { rate: [each, base, day] }, undefined],
  ['dimensions in another order', { rate: each }, { rate: { ...each, scope: ['region', 'tenant'] } }, undefined],
  ['one dimension or an array', { rate: { ...each, scope: 'a' } }, { rate: { ...each, scope: ['a'] } }, undefined],
  ['the burst of a fixed window', { rate: day }, { rate: { ...day, burst: 7 } }, undefined],
  ['another spelling of the ttl', { rate: base, lease }, { rate: base, lease: { ttl: 30_000, max: 4 } }, undefined],
  ['another limit', { rate: base }, { rate: { ...base, limit: 11 } }, 'limit is 10 here and 11 in the store'],
  ['another interval', { rate: base }, { rate: { ...base, interval: '2m' } }, 'rule gcra/60000ms is not in the store'],
  [
    'the same ratio',
    { rate: { ...base, name: 'x' } },
    { rate: { limit: 20, interval: '2m', name: 'x' } },
    'interval is',
  ],
  ['another burst', { rate: base }, { rate: { ...base, burst: 2 } }, 'burst is 1 here and 2 in the store'],
  [
    'another algorithm',
    { rate: { ...day, name: 'd' } },
    { rate: { ...base, ...day, algorithm: 'gcra', name: 'd' } },
    'algorithm',
  ],
  [
    'another name',
    { rate: { ...base, name: 'x' } },
    { rate: { ...base, name: 'y' } },
    "rule 'y' is in the store's policy only",
  ],
  ['a name and none', { rate: { ...base, name: 'x' } }, { rate: base }, "rule 'x' is not in the store's policy"],
  ['a rule more', { rate: base }, { rate: [base, day] }, "fixed-window/86400000ms is in the store's policy only"],
  [
    'a dimension less',
    { rate: each },
    { rate: { ...each, scope: 'tenant' } },
    'scope is [region, tenant] here and [tenant]',
  ],
  ['a lease and none', { rate: base, lease }, { rate: base }, 'lease: max is 4 here and not set in the store'],
  ['another ttl', { rate: base, lease }, { rate: base, lease: { max: 4, ttl: '31s' } }, 'lease: ttl is 30000 here'],
];

describe('fingerprints', () => {
  it.each(PAIRS)('%s', async (_title, a, b, difference) => {
    const [here, there] = [policyOf(a), policyOf(b)];
    expect(here.fingerprint === there.fingerprint).toBe(difference === undefined);
    expect(here.differencesFrom(there.fingerprint).join()).toContain(difference ?? '');

    const store = memoryStore();
    const scope = { tenant: 't', region: 'r', a: 'a' };
    await createValve({ name: 'v', store, ...b }).run(() => undefined, { scope });
    const refused = createValve({ name: 'v', store, ...a }).peek({ scope });
    if (difference === undefined) await expect(refused).resolves.toBeDefined();
    else
      await expect(refused).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
        message: expect.stringContaining(difference),
      });
  });

  it('a policy of another version is named', () => {
    expect(policyOf({ rate: base }).differencesFrom('{"version":99}')[0]).toContain('cannot read');
    expect(policyOf({ rate: base }).differencesFrom('x')[0]).toContain('cannot read');
  });
});

describe('keys', () => {
  it('tell rules by algorithm and interval, by name, by identity', () => {
    const policy = policyOf({ rate: [base, day, { ...base, name: 'a:b' }, each], lease }, 'api', 'app');
    expect([policy.policyKey, policy.leaseKey]).toEqual(['app:{api}:policy', 'app:{api}:lease']);
    expect(policy.stateKeys({ tenant: 'ü & ö', region: 'eu=1' }).sort()).toEqual([
      'app:{api}:fixed-window:86400000',
      'app:{api}:gcra:60000',
      'app:{api}:rule:a%3Ab',
      'app:{api}:rule:each:region=eu%3D1&tenant=%C3%BC%20%26%20%C3%B6',
    ]);
  });
});
