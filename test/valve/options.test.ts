import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/valve/duration.js';
import { createValve, memoryStore, ValveError } from '../../src/valve/index.js';

const store = memoryStore();
const rate = { limit: 1, interval: '1s' };

/** The problems that a valve with these options has. */
function problemsOf(options: unknown): readonly string[] {
  try {
    createValve(options as Parameters<typeof createValve>[0]);
  } catch (error) {
    expect(error).toBeInstanceOf(ValveError);
    expect((error as ValveError).code).toBe('INVALID_OPTIONS');
    for (const problem of (error as ValveError).problems) expect((error as ValveError).message).toContain(problem);
    return (error as ValveError).problems;
  }
  return [];
}

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['1s', 1_000],
    ['1m', 60_000],
    ['60s', 60_000],
    ['7h', 25_200_000],
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['90m', 5_400_000],
    ['1m1ms', 60_001],
    [1, 1],
  ])('%s', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['', '1', '1.5s', '-1s', ' 1s', '1s ', '1 s', '1m1h', '1s1s', '1S', 's', 0, -1, 0.5, NaN, 1e13, null, {}])(
    'none: %s',
    (value) => expect(parseDuration(value)).toBeTypeOf('string'),
  );

  it.each(['1d', '2 days', '1w', '1mo', '1 month', 'monthly', '1y'])('%s is of a calendar', (value) =>
    expect(parseDuration(value)).toContain('calendar'),
  );
});

describe('wrong options', () => {
  it('are all named together', () => {
    const problems = problemsOf({
      name: '',
      store: {},
      prefix: 'a{b',
      onStoreError: 'retry',
      rate: [
        { limit: 0, interval: '1x', burst: 1.5 },
        { limit: '5', interval: 0 },
      ],
      lease: { max: 0, ttl: 'x', retries: 3 },
      colour: 'red',
    });
    const paths = ['colour', 'name', 'prefix', 'store', 'onStoreError', 'rate[0].limit', 'rate[0].burst'];
    paths.push('rate[0].interval', 'rate[1].limit', 'rate[1].interval', 'lease.retries', 'lease.max', 'lease.ttl');
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(paths);
  });

  it.each([
    [undefined, 'the options must be an object'],
    [{ name: 'a', store }, 'rate must be a rule'],
    [{ name: 'a', store, rate: [] }, 'at least one rule'],
    [{ name: 'a', store, rate: [rate, { limit: 2, interval: 1_000 }] }, 'share algorithm and interval'],
    [
      {
        name: 'a',
        store,
        rate: [
          { ...rate, name: 'x' },
          { limit: 1, interval: '2s', name: 'x' },
        ],
      },
      "share the name 'x'",
    ],
    [{ name: 'a', store, rate: { ...rate, scope: 'tenant' } }, 'rate.scope needs a name'],
    [{ name: 'a', store, rate: { ...rate, name: 'x', scope: [] } }, 'at least one dimension'],
    [{ name: 'a', store, rate: { ...rate, name: 'x', scope: ['t', 't'] } }, 'names a dimension twice'],
    [{ name: 'a', store, rate: { ...rate, burst: 2e9 } }, 'takes longer than'],
    [{ name: '\ud800', store, rate }, 'name must be a text'],
  ])('%j', (options, part) => {
    const problems = problemsOf(options);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(part);
  });

  it.each([
    [{ ...rate, algorithm: 'sliding-window' }, 'rolling window'],
    [{ ...rate, algorithm: 'rolling' }, "use 'gcra'"],
    [{ ...rate, timezone: 'Europe/Berlin' }, 'time zone'],
    [{ ...rate, offset: '1h' }, 'offset'],
    [{ ...rate, resetAt: '00:00' }, 'UTC midnight'],
    [{ ...rate, calendar: 'month' }, 'calendar'],
    [{ limit: 1, interval: '1 month' }, "such as '24h'"],
  ])('what a valve does not do says why: %j', (wrong, part) => {
    expect(problemsOf({ name: 'a', store, rate: wrong }).join()).toContain(part);
  });

  it('rules that names or algorithms tell apart are right', () => {
    const fixed = { ...rate, algorithm: 'fixed-window' };
    expect(
      problemsOf({ name: 'a', store, rate: [rate, fixed, { ...rate, name: 'x' }, { ...rate, name: 'y' }] }),
    ).toEqual([]);
  });
});

describe('wrong options of a job', () => {
  const valve = createValve({
    name: 'jobs',
    store,
    rate: [
      { limit: 5, interval: '1s', burst: 5 },
      { limit: 3, interval: '1s', algorithm: 'fixed-window', name: 'each', scope: ['tenant', 'region'] },
    ],
  });
  const never = () => expect.fail('it ran');

  it('are all named together', async () => {
    const options = { cost: 0, scope: { tenant: '' }, maxWait: 'soon', signal: 1 } as never;
    const error: ValveError = await valve.run(never, options).catch((error) => error);
    expect(error.code).toBe('INVALID_OPTIONS');
    const paths = ['cost', 'scope.region', 'scope.tenant', 'signal', 'maxWait'];
    expect(error.problems.map((problem) => problem.split(' ')[0])).toEqual(paths);
  });

  it('a job must be a function', async () => {
    await expect(valve.run(1 as never)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    await expect(valve.tryRun(1 as never)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  });

  it('a cost that can never start is rejected at once', async () => {
    const scope = { tenant: 't', region: 'r' };
    expect(await valve.run(() => 'ran', { scope, cost: 3 })).toBe('ran');
    await expect(valve.run(never, { scope, cost: 4 })).rejects.toMatchObject({ code: 'COST_EXCEEDS_LIMIT' });
    const gcra = createValve({ name: 'cost', store, rate: { limit: 100, interval: '1s', burst: 2 } });
    await expect(gcra.run(never, { cost: 3 })).rejects.toMatchObject({ code: 'COST_EXCEEDS_LIMIT' });
    await expect(gcra.tryRun(never, { cost: 3 })).rejects.toMatchObject({ code: 'COST_EXCEEDS_LIMIT' });
  });
});
