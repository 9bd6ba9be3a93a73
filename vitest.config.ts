import { defineConfig } from 'vitest/config';

/** A file that gets the results as JSON beside what is printed; `.ci/run` counts from it. */
const report = process.env.HOTKV_TEST_REPORT;

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: report ? ['default', 'json'] : ['default'],
    outputFile: report ? { json: report } : undefined,
  },
});
