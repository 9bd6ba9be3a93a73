import { describe } from 'vitest';
import { findTool, missingTool, type Tool } from './tools.js';

/**
 * A `describe` block that needs tools. Where one is missing the block is skipped and says so; in CI it fails instead.
 */
export function describeWith(name: string, tools: readonly Tool[], body: () => void): void {
  const lacking = tools.filter((tool) => findTool(tool) === undefined);
  if (lacking.length === 0) {
    describe(name, body);
    return;
  }
  const why = lacking.map(missingTool).join('; ');
  if (process.env.CI) throw new Error(`${name}: ${why}`);
  console.warn(`SKIPPED ${name}: ${why}`);
  describe.skip(`${name} (${why})`, body);
}
