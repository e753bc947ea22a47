import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Of `e2e`: they run commands and wait for them, so that others can run meanwhile. Whoever kills, floods or keeps a deadline has the machine alone. */
const COMMANDS = [
  'cli*',
  'client-package',
  'completion',
  'name-commands',
  '*-checker',
  '*wizard',
  'packed',
  'relay-moving',
  'relay-policy',
  'secrets',
  'service-commands',
  'shop-plugins',
  'till-moving',
  'webhook-code',
].map((name) => `test/e2e/${name}.test.ts`)
const CORES = availableParallelism()

/** Five suites: `unit`, `commands` and `e2e` need nothing foreign; `interop` needs a real grin; `faults` is the long form of the kill -9 rounds. */
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
          maxWorkers: CORES,
        },
      },
      {
        test: {
          name: 'commands',
          include: COMMANDS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: Math.max(2, CORES),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: COMMANDS,
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
