// Files that hold secrets or settings: right mode from the first byte, durable before the promise resolves.
import { constants, statSync } from 'node:fs'
import { chmod, mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type SystemRandom, systemRandom } from './random.js'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Whose a file is to be; only root can give files away. */
export interface FileOwner {
  readonly uid: number
  readonly gid: number
}

/** Creates a file that must not exist yet (EEXIST otherwise), with exactly this mode whatever the umask says. */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  owner?: FileOwner,
): Promise<void> {
  const file = await open(path, NEW_FILE, mode)
  try {
    await file.chmod(mode)
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncDirectory(dirname(path))
}

/** Replaces or creates a file atomically: readers see the old or the new content, never a part. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  random: SystemRandom = systemRandom,
  owner?: FileOwner,
): Promise<void> {
  const draft = `${path}.${Buffer.from(random.bytes(6)).toString('hex')}.tmp`
  try {
    await createFile(draft, content, mode, owner)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Creates a directory and its parents; only those that are new get the mode, whatever the umask says. Answers the topmost new one. */
export async function createDirectory(path: string, mode: number): Promise<string | undefined> {
  const top = await mkdir(path, { recursive: true, mode })
  if (top === undefined) return undefined
  for (let at = resolve(path); at.length >= resolve(top).length; at = dirname(at)) await chmod(at, mode)
  return top
}

/** A new name survives a power cut only when its directory was synced too. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** When a file was changed, in milliseconds; undefined when it is missing or unreadable. */
export function modifiedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs
  } catch {
    return undefined // who runs the file says more about why
  }
}

/** In bytes; `free`: what ordinary users may still take. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** Throws what the system throws for a path that is not there. */
export async function diskSpace(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { free: bavail * bsize, size: blocks * bsize }
}
