/** The language on what Lua 5.1 did with programs of our own, syntax errors first; where there is one, it is asked again. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Outcome, runHere, runInLua } from './run-program.js';

interface LanguageFact {
  readonly program: string;
  readonly outcome: Outcome;
}

const facts = JSON.parse(readFileSync(new URL('language-facts.json', import.meta.url), 'utf8')) as LanguageFact[];

describe('programs do what they did in Lua 5.1', () => {
  test.each(facts)('$program', ({ program, outcome }) => {
    expect(runHere(program)).toBe(outcome);
  });
});

describeWith('the recorded outcomes beside Lua 5.1', ['lua5.1'], () => {
  test('are still right', () => {
    const outcomes = runInLua(facts.map(({ program }) => program));
    expect(facts.map(({ program }, i) => ({ program, outcome: outcomes[i] }))).toEqual(facts);
  });
});
