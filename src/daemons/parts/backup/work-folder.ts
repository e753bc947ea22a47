// A folder for half-made things, beside what becomes of them. It goes away with its process, whatever ends that.
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../lib/errors.js'
import { onStopSignal, type SystemRandom } from '../../../system/index.js'

const PREFIX = '.grinpay-work-'
const INTERRUPTED = 130

/**
 * Runs `work` with a new private folder in `parent`. A stop signal removes it and ends the process; what a killed process left is removed by
 * the next one that comes here.
 */
export async function withWorkFolder<T>(
  parent: string,
  random: SystemRandom,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  sweep(parent)
  const folder = join(parent, `${PREFIX}${process.pid}-${Buffer.from(random.bytes(6)).toString('hex')}`)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const forget = onStopSignal(() => {
    remove()
    process.exit(INTERRUPTED)
  })
  try {
    await mkdir(folder, { mode: 0o700 })
    return await work(folder)
  } finally {
    remove()
    forget()
  }
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^\.grinpay-work-(\d+)-[0-9a-f]{12}$/.exec(name) ?? []
    const path = join(parent, name)
    if (pid !== undefined && !isAlive(Number(pid)) && isOurs(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** In a world-writable place another user's folder could become a symbolic link while it is being emptied. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid)
}

/** Also true for a process of another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return hasCode(thrown, 'EPERM')
  }
}
