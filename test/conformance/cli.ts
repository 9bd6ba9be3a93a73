/**
 * `npm run conformance -- [cases|tcl] [--raise] [--pass ARGUMENT_OF_THE_SUITE]`: runs the outside suites against our build
 * and compares with the counts in ratchet.json. Its last line is `N passed, N failed`, where failed is by how much a count
 * has fallen; `--raise` writes higher counts down. Without the shared folder nothing is run.
 */
import { parseArgs } from 'node:util';
import { raise, required, type Suite } from './ratchet.js';
import { runSuite, sharedIsThere } from './suites.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    raise: { type: 'boolean', default: false },
    /** An argument for the suite itself; may be repeated. */
    pass: { type: 'string', multiple: true, default: [] },
  },
});
const named = positionals.filter((name): name is Suite => name === 'cases' || name === 'tcl');
const suites: readonly Suite[] = named.length > 0 ? named : ['cases', 'tcl'];

let passed = 0;
let fallen = 0;
if (sharedIsThere()) {
  for (const suite of suites) {
    const count = await runSuite(suite, flags.pass);
    const least = required(suite);
    console.log(`${suite}: ${count.passed} passed, ${count.failed} failed; at least ${least} must pass`);
    if (flags.raise && raise(suite, count.passed)) console.log(`${suite}: ${count.passed} must pass from now on`);
    passed += count.passed;
    fallen += Math.max(0, least - count.passed);
  }
} else {
  console.log('The shared folder is not beside the repository: no outside suite was run.');
}
console.log(`${passed} passed, ${fallen} failed`);
process.exitCode = fallen === 0 ? 0 : 1;
