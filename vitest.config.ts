import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isCurrent } from './scripts/build.mjs'
import { LongestFirst } from './test/support/longest-first.js'

/** Whole programs wait for most of their time: twice as many as there are processors, and none waits for the end of another suite. */
const PROGRAMS = { maxWorkers: 2 * Math.max(2, availableParallelism()), sequence: { groupOrder: 0 } }
const ALL = 'test/**/*.test.ts'
/** Whole programs, by folder. Every other folder of `test` belongs to `unit`. */
const FOLDERS = {
  /** Short runs of the built command. */
  commands: 'test/commandline/**/*.test.ts',
  /** One whole life of each daemon. */
  stories: 'test/stories/**/*.test.ts',
  /** Runs of commands, installations and rehearsals of pages that take long. */
  long: 'test/long/**/*.test.ts',
  /** Daemons that are killed, moved, starved and looked at in a browser. */
  e2e: 'test/e2e/**/*.test.ts',
  /** The packages of the library and of the client, packed and installed. */
  packages: 'test/packages/**/*.test.ts',
  interop: 'test/interop/**/*.test.ts',
  faults: 'test/faults/**/*.test.ts',
  /** Three real PostgreSQL nodes per file. */
  cluster: 'test/cluster/**/*.test.ts',
}

/** Of the folder e2e: those that measure how soon something is answered, and wait for most of their time. */
const TIMED = ['test/e2e/{hostile-http,hostile-input,hostile-receiver,sale-moments}.test.ts']
/** Of the folder e2e: those that flood, or measure beside a flood. Each has the machine alone. */
const ALONE = ['test/e2e/{hostile-floods,hostile-wraps,relay-hostile,console-sale}.test.ts']

const PROPERTIES = fileURLToPath(new URL('test/support/properties.ts', import.meta.url))
const BUILT_WORKERS = fileURLToPath(new URL('test/support/built-workers.ts', import.meta.url))
/** Of every suite. */
const COMMON = {
  alias: [
    { find: /^fast-check$/, replacement: PROPERTIES },
    // As sources import it, not as tests do.
    ...(isCurrent() ? [{ find: /^(?:\.\.\/)+lib\/start-worker\.js$/, replacement: BUILT_WORKERS }] : []),
  ],
}
/** Programs take their time. */
const PATIENT = { ...COMMON, testTimeout: 120_000, hookTimeout: 120_000 }

/**
 * `npm test` runs `unit`, `commands` and `stories`; `npm run test:all` also `long`, `packages`, `e2e`, `timed` and `alone` (scripts/test.mjs). `interop` needs a real grin;
 * `faults` holds the long forms: rounds of kill -9, soaks, 100,000 sales; `cluster` runs PostgreSQL (`npm run test:cluster`).
 */
export default defineConfig({
  test: {
    reporters: process.env.GRINPAY_TEST_REPORT
      ? ['default', ['json', { outputFile: process.env.GRINPAY_TEST_REPORT }]]
      : ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [ALL],
          exclude: Object.values(FOLDERS),
          // Half of the time went into loading the same modules for every file. A test leaves no state behind: no globals, no variables of
          // the process, no timers.
          isolate: false,
          setupFiles: ['test/support/process-unchanged.ts'],
          testTimeout: 30_000,
          ...COMMON,
          maxWorkers: Math.max(2, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'commands',
          include: [FOLDERS.commands],
          ...PATIENT,
          ...PROGRAMS,
        },
      },
      {
        test: {
          name: 'stories',
          include: [FOLDERS.stories],
          ...PATIENT,
          ...PROGRAMS,
        },
      },
      {
        test: {
          name: 'long',
          include: [FOLDERS.long],
          globalSetup: ['test/support/other-node.ts'],
          ...PATIENT,
          ...PROGRAMS,
        },
      },
      {
        test: {
          name: 'packages',
          include: [FOLDERS.packages],
          globalSetup: ['test/support/packages-once.ts', 'test/support/other-node.ts'],
          ...PATIENT,
          ...PROGRAMS,
        },
      },
      {
        test: {
          name: 'e2e',
          include: [FOLDERS.e2e],
          exclude: [...TIMED, ...ALONE],
          ...PATIENT,
          ...PROGRAMS,
        },
      },
      {
        test: {
          name: 'timed',
          include: TIMED,
          ...PATIENT,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'alone',
          include: ALONE,
          ...PATIENT,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'interop',
          include: [FOLDERS.interop],
          ...COMMON,
          testTimeout: 600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'faults',
          include: [FOLDERS.faults],
          ...COMMON,
          testTimeout: 5_400_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'cluster',
          include: [FOLDERS.cluster],
          ...PATIENT,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
