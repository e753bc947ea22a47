// `npm run test:cluster`: three real PostgreSQL nodes per file. With --full every test at the bar of the contract, and the tests of the contract that
// need no cluster. Other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Kills of the primary and of the rails; seconds without standbys; invoices that are moved. */
const FULL = { GRINPAY_ROUNDS: '10', GRINPAY_OUTAGE_SECONDS: '60', GRINPAY_INVOICES: '100000' }
const WITHOUT_CLUSTER = [
  'test/faults/followed-log.test.ts',
  'test/e2e/postgres-not-loaded.test.ts',
  'test/commandline/embedded-default.test.ts',
]

const given = process.argv.slice(2)
const isFull = given.includes('--full')
const args = given.filter((arg) => arg !== '--full')
const projects = (isFull ? ['cluster', 'faults', 'e2e', 'commands'] : ['cluster']).flatMap((name) => [
  '--project',
  name,
])
const files = isFull && args.length === 0 ? ['test/cluster/', ...WITHOUT_CLUSTER] : args
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const env = isFull ? { ...FULL, ...process.env } : process.env
const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...files], {
  cwd: root,
  stdio: 'inherit',
  env,
})
process.exit(status ?? 1)
