// `npm test` runs the quick suites, `npm run test:all` (--all) every suite that needs no foreign program, --rest those that `npm test` leaves
// out. Other arguments go to vitest. Which files a suite has: vitest.config.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const QUICK = ['unit', 'commands', 'stories']
const REST = ['long', 'packages', 'e2e', 'alone']
const OWN = ['--all', '--rest']

const given = process.argv.slice(2)
const isAll = given.includes('--all')
const isRest = given.includes('--rest')
const suites = isRest ? REST : isAll ? [...QUICK, ...REST] : QUICK
const projects = suites.flatMap((suite) => ['--project', suite])
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = [vitest, 'run', ...projects, ...given.filter((arg) => !OWN.includes(arg))]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
if (!isAll && !isRest)
  process.stderr.write(
    'These were the quick suites: unit tests, commands, one end-to-end story per daemon. The whole suite: npm run test:all\n',
  )
process.exit(status ?? 1)
