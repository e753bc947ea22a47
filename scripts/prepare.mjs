// Makes a fresh clone runnable with nothing but Node and npm: installs when the lock file changed, builds when the
// sources did. Says nothing, and takes well under a second, when there is nothing to do.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.grinpay-lock')
const FLOOR = [20, 19]

const say = (text) => process.stderr.write(`prepare: ${text}\n`)

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return
  say(`Node ${FLOOR.join('.')} or newer is needed, this is ${process.versions.node}`)
  process.exit(1)
}

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

function installIsCurrent() {
  if (!existsSync(modules)) return false
  // A linked folder belongs to another checkout, which looks after it.
  if (lstatSync(modules).isSymbolicLink()) return true
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockDigest()
  return installedByHand()
}

/** npm leaves its own note of what it did; it counts when it is younger than the lock file and has the tools. */
function installedByHand() {
  const note = join(modules, '.package-lock.json')
  if (!existsSync(note) || !existsSync(join(modules, 'typescript'))) return false
  return statSync(note).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Exactly what the lock file says, on every platform. A shrinkwrap that an interrupted `npm pack` left would be read in its place. */
function install() {
  say('installing dependencies with npm, once per change of the lock file')
  rmSync(join(root, 'npm-shrinkwrap.json'), { force: true })
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const shell = process.platform === 'win32' // npm is a .cmd file there
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (status !== 0) {
    say('npm ci failed; its message is above')
    process.exit(1)
  }
  writeFileSync(stamp, lockDigest())
}

checkNode()
if (!installIsCurrent()) install()
const { build } = await import('./build.mjs')
if (build({ ifNeeded: true })) say('built dist')
