import { defineConfig } from 'vitest/config'

/** Four suites: `unit` and `e2e` need nothing foreign; `interop` needs a real grin; `faults` is the long form of the kill -9 rounds. */
export default defineConfig({
  test: {
    reporters: process.env.GRINPAY_TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.GRINPAY_TEST_REPORT }]]
      : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/interop/**', 'test/faults/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'interop',
          include: ['test/interop/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 5_400_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
