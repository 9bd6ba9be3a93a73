/** How results are shown: a table for people, and JSON beside it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../test/support/project.js';

/** A row of a table: what was measured, by column. Rows of one table have the same columns. */
export type Row = Readonly<Record<string, string | number>>;

/** What a bench has found, and what the project wants to reach. */
export interface Result {
  readonly title: string;
  readonly rows: readonly Row[];
}

const RESULTS_DIR = join(PROJECT_ROOT, 'bench', 'results');

/** Prints the table of a result and writes it to `bench/results/NAME.json`. */
export function report(name: string, result: Result): void {
  process.stdout.write(`\n${result.title}\n\n${table(result.rows)}\n`);
  mkdirSync(RESULTS_DIR, { recursive: true });
  const measured = { at: new Date().toISOString(), node: process.version, ...result };
  writeFileSync(join(RESULTS_DIR, `${name}.json`), `${JSON.stringify(measured, null, 2)}\n`);
}

function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [lines[0]!, rule, ...lines.slice(1)]
    .map(
      (line) =>
        `| ${line.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join(' | ')} |\n`,
    )
    .join('');
}

/** Three significant digits: more would be noise. */
function cell(value: string | number): string {
  if (typeof value === 'string') return value;
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
