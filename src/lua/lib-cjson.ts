import { checkInt, checkString } from './arguments.js';
import { decodeJson } from './cjson-decode.js';
import { encodeJson } from './cjson-encode.js';
import { argumentError } from './errors.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { type LuaFunction, type LuaResult, type LuaValue, NULL_USERDATA } from './values.js';

/** The settings of one instance of lua-cjson 2.1.0; scripts may change them. */
export interface CjsonSettings {
  sparseConvert: boolean;
  /** 0: an array may be as sparse as it likes. */
  sparseRatio: number;
  sparseSafe: number;
  encodeMaxDepth: number;
  decodeMaxDepth: number;
  encodeInvalid: 'off' | 'on' | 'null';
  decodeInvalid: boolean;
  keepBuffer: boolean;
  precision: number;
}

const INT_MAX = 0x7fffffff;

/** `cjson`, with all its settings, as Redis ships it. */
export function openCjson(state: LuaState): void {
  state.globals.set('cjson', newInstance(state));
}

function newInstance(state: LuaState): LuaTable {
  const settings: CjsonSettings = {
    sparseConvert: false,
    sparseRatio: 2,
    sparseSafe: 10,
    encodeMaxDepth: 1000,
    decodeMaxDepth: 1000,
    encodeInvalid: 'off',
    decodeInvalid: true,
    keepBuffer: true,
    precision: 14,
  };
  const library = new LuaTable();
  const define = (name: string, body: (...args: LuaValue[]) => LuaResult): void =>
    library.set(name, state.native(name, body) as LuaFunction);

  define('encode', (...args) => {
    if (args.length !== 1) throw argumentError(1, 'expected 1 argument');
    return encodeJson(args[0], settings, state);
  });
  define('decode', (...args) => {
    if (args.length !== 1) throw argumentError(1, 'expected 1 argument');
    return decodeJson(checkString(args, 0), settings);
  });
  define('encode_sparse_array', (...args) => {
    limitArguments(args, 3);
    if (args[0] !== undefined) settings.sparseConvert = switchOption(args, 0);
    if (args[1] !== undefined) settings.sparseRatio = integerOption(args, 1, 0, INT_MAX);
    if (args[2] !== undefined) settings.sparseSafe = integerOption(args, 2, 0, INT_MAX);
    return [settings.sparseConvert, settings.sparseRatio, settings.sparseSafe];
  });
  define('encode_max_depth', (...args) => {
    limitArguments(args, 1);
    if (args[0] !== undefined) settings.encodeMaxDepth = integerOption(args, 0, 1, INT_MAX);
    return settings.encodeMaxDepth;
  });
  define('decode_max_depth', (...args) => {
    limitArguments(args, 1);
    if (args[0] !== undefined) settings.decodeMaxDepth = integerOption(args, 0, 1, INT_MAX);
    return settings.decodeMaxDepth;
  });
  define('encode_number_precision', (...args) => {
    limitArguments(args, 1);
    if (args[0] !== undefined) settings.precision = integerOption(args, 0, 1, 14);
    return settings.precision;
  });
  define('encode_keep_buffer', (...args) => {
    limitArguments(args, 1);
    if (args[0] !== undefined) settings.keepBuffer = switchOption(args, 0);
    return settings.keepBuffer;
  });
  define('encode_invalid_numbers', (...args) => {
    limitArguments(args, 1);
    const [value] = args;
    if (typeof value === 'boolean') settings.encodeInvalid = value ? 'on' : 'off';
    else if (value !== undefined) settings.encodeInvalid = wordOption(args, 0, ['off', 'on', 'null']);
    return settings.encodeInvalid === 'null' ? 'null' : settings.encodeInvalid === 'on';
  });
  define('decode_invalid_numbers', (...args) => {
    limitArguments(args, 1);
    if (args[0] !== undefined) settings.decodeInvalid = switchOption(args, 0);
    return settings.decodeInvalid;
  });
  define('new', () => newInstance(state));
  library.set('null', NULL_USERDATA);
  library.set('_NAME', 'cjson');
  library.set('_VERSION', '2.1.0');
  return library;
}

function limitArguments(args: LuaValue[], most: number): void {
  if (args.length > most) throw argumentError(most + 1, 'found too many arguments');
}

function integerOption(args: LuaValue[], at: number, least: number, most: number): number {
  const value = checkInt(args, at);
  // lua-cjson blames the first argument, whichever it was.
  if (value < least || value > most) throw argumentError(1, `expected integer between ${least} and ${most}`);
  return value;
}

function switchOption(args: LuaValue[], at: number): boolean {
  const value = args[at];
  return typeof value === 'boolean' ? value : wordOption(args, at, ['off', 'on']) === 'on';
}

function wordOption<T extends string>(args: LuaValue[], at: number, words: readonly T[]): T {
  const word = checkString(args, at);
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw argumentError(at + 1, `invalid option '${word}'`);
  return found;
}
