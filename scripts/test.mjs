// `npm test` runs the quick suites, `npm run test:all` (--all) every suite that needs no foreign program, --rest those that `npm test` leaves
// out, `npm run test:faults` (--faults) the long forms: rounds of faults, and every property as often as it names. Other arguments go to vitest.
// Which files a suite has: vitest.config.ts.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const QUICK = ['unit', 'commands', 'stories']
const REST = ['long', 'packages', 'e2e', 'timed', 'alone']
const OWN = ['--all', '--rest', '--faults']
/** Seeds of fast-check are signed numbers of 32 bits. */
const MOST_SEED = 2 ** 31 - 1

const given = process.argv.slice(2)
const has = (flag) => given.includes(flag)
const rest = given.filter((arg) => !OWN.includes(arg))

function vitest(suites, args, variables = {}) {
  const projects = suites.flatMap((suite) => ['--project', suite])
  const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...projects, ...args]
  const env = { ...process.env, ...variables }
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status ?? 1
}

/** Files of properties, of the suites that need no foreign program. */
function filesOfProperties() {
  const files = readdirSync(join(root, 'test'), { recursive: true }).filter((file) => file.endsWith('.test.ts'))
  const text = (file) => readFileSync(join(root, 'test', file), 'utf8')
  return files.filter((file) => /from 'fast-check'/.test(text(file))).map((file) => `test/${file}`)
}

function runFaults() {
  const status = vitest(['faults'], rest)
  if (rest.length > 0) return status
  const { GRINPAY_PROPERTY_SEED: seed = String(randomInt(MOST_SEED)) } = process.env
  process.stderr.write(`Every property as often as it names, from GRINPAY_PROPERTY_SEED=${seed}\n`)
  const variables = { GRINPAY_PROPERTIES: 'full', GRINPAY_PROPERTY_SEED: seed }
  return vitest([...QUICK, ...REST], filesOfProperties(), variables) || status
}

function runSuites() {
  if (has('--rest')) return vitest(REST, rest)
  if (has('--all')) return vitest([...QUICK, ...REST], rest)
  const status = vitest(QUICK, rest)
  process.stderr.write(
    'These were the quick suites: unit tests, commands, one end-to-end story per daemon. The whole suite: npm run test:all\n',
  )
  return status
}

process.exit(has('--faults') ? runFaults() : runSuites())
