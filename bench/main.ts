/**
 * `npm run bench -- [quick] [NAME…]`: runs the named benches, all without a name. `quick` does a fraction of the work,
 * for a first impression. Everything runs on 127.0.0.1 and ends by itself.
 */
import { benchEngines } from './engines.js';
import { benchMemory } from './memory.js';
import { benchParser } from './parser.js';
import { benchPauses } from './pauses.js';
import { type Result, report } from './report.js';
import { benchFloor, benchList, benchRequests } from './requests.js';
import { benchStart } from './start.js';
import { benchValve } from './valve.js';

const BENCHES: Readonly<Record<string, (quick: boolean) => Result | Promise<Result>>> = {
  requests: benchRequests,
  floor: benchFloor,
  list: benchList,
  parser: benchParser,
  memory: benchMemory,
  pauses: benchPauses,
  start: benchStart,
  engines: benchEngines,
  valve: benchValve,
};

const words = process.argv.slice(2);
const quick = words.includes('quick');
const named = words.filter((word) => word !== 'quick');
const unknown = named.filter((name) => !(name in BENCHES));

if (unknown.length > 0) {
  process.stderr.write(`no bench ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}\n`);
  process.exitCode = 1;
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (named.length === 0 || named.includes(name)) report(name, await bench(quick));
  }
}
