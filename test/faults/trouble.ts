// Troubles of a database other than a kill: another process that holds it, a disk that is full.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

/** Another writer, that holds its lock until released. */
export function holdLock(path: string): () => void {
  const db = new Database(path)
  db.exec('PRAGMA busy_timeout=5000; BEGIN IMMEDIATE')
  return () => {
    db.exec('ROLLBACK')
    db.close()
  }
}

/** Whether this machine lets a test have a small disk of its own. */
export const canHaveDisk = (): boolean => spawnSync('unshare', ['-rm', 'true']).status === 0

/** What a command is to be started through, so that its folder is a disk of this size, which only it and its /proc entry know. Without a size: nothing. */
export function throughSmallDisk(folder: string, diskKiB: number | undefined): readonly string[] {
  if (diskKiB === undefined) return []
  return [
    'unshare',
    '-rm',
    'sh',
    '-c',
    `mount -t tmpfs -o size=${diskKiB}k none ${folder} && cd ${folder} && exec "$@"`,
    'sh',
  ]
}

/** A disk of its own in a folder that every process sees; throws where this user may not mount. */
export function mountSmallDisk(mebibytes: number): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grinpay-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none', path])
  const remove = () => {
    spawnSync('umount', ['-l', path])
    rmSync(path, { recursive: true, force: true })
  }
  if (status === 0) return { path, remove }
  rmSync(path, { recursive: true })
  throw new Error('this user may not mount a file system')
}

/** Whether this user may mount one. */
export function canMount(): boolean {
  try {
    mountSmallDisk(1).remove()
    return true
  } catch {
    return false
  }
}

/** Until there is no room for another block. */
export function fillDisk(ballast: string): void {
  for (const size of [65_536, 4096])
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
      } catch {
        break
      }
    }
}
