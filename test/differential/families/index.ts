/** All families by name. */
import type { Family } from '../family.js';
import { bitmaps } from './bitmaps.js';
import { connection } from './connection.js';
import { geoFamily } from './geo.js';
import { hashes, hashFieldExpiry } from './hashes.js';
import { hyperloglog } from './hyperloglog.js';
import { introspection } from './introspection.js';
import { keys } from './keys.js';
import { lists } from './lists.js';
import { programs } from './programs.js';
import { pubsub } from './pubsub.js';
import { scripting } from './scripting.js';
import { sets } from './sets.js';
import { sorting } from './sorting.js';
import { streams } from './streams.js';
import { strings } from './strings.js';
import { transactions } from './transactions.js';
import { zsets } from './zsets.js';

/** Families whose tables are fixed; `introspection` needs the names that a server knows. */
const FIXED: readonly Family[] = [
  strings,
  bitmaps,
  keys,
  connection,
  transactions,
  lists,
  sets,
  hashes,
  hashFieldExpiry,
  zsets,
  streams,
  geoFamily,
  hyperloglog,
  sorting,
  pubsub,
  scripting,
  programs,
];

/** Every family. `known` are the names of commands that both servers have: others are never sent. */
export function allFamilies(known: ReadonlySet<string>): Family[] {
  return [...FIXED, introspection([...known].sort())].map((family) => withKnownRows(family, known));
}

/** What a family would send but for a server that lacks it. */
export function unknownCommands(known: ReadonlySet<string>): string[] {
  const names = FIXED.flatMap((family) => family.rows.map((row) => row.name));
  return [...new Set(names)].filter((name) => !isKnown(name, known)).sort();
}

function withKnownRows(family: Family, known: ReadonlySet<string>): Family {
  return { ...family, rows: family.rows.filter((row) => isKnown(row.name, known)) };
}

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  return known.has(name.toLowerCase()) || name.startsWith('NOSUCH');
}
