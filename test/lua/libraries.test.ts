/** The libraries scripts get, on what Redis 8.2.3 answered; where there is one, it is asked again. */
import { describe, expect, test } from 'vitest';
import { LuaState } from '../../src/lua/index.js';
import { describeWith } from '../support/describe-with.js';
import { startOracleClient } from '../support/oracle-client.js';
import { textOf } from '../support/resp-frame.js';
import { frameScript, readFacts } from './script-facts.js';

const facts = readFacts();

describe('scripts answer what Redis 8.2.3 answered', () => {
  test.each(facts)('$script', ({ script, answer }) => {
    const state = new LuaState();
    expect(state.call(state.load(frameScript(script), '@user_script'), [])).toEqual([answer]);
  });
});

describeWith('the recorded answers beside Redis', ['redis-8.2.3'], () => {
  const redis = startOracleClient('redis-8.2.3');

  test('are still right', async () => {
    for (const { script, answer } of facts) {
      expect(textOf(await redis.client.call('EVAL', frameScript(script), '0')), script).toBe(answer);
    }
  });
});
