// File owners: an operator without access learns which user to become.
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { chown, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createDirectory, createFile, type FileOwner, replaceFile } from './files.js'
import { systemRandom } from './random.js'

export interface OwnerParts {
  /** Throws an error with a `code` when this process may not do so. */
  access(path: string, mode: number): void
  ownerId(path: string): number
  /** The text of /etc/passwd. */
  users(): string
}

const REAL: OwnerParts = {
  access: accessSync,
  ownerId: (path) => statSync(path).uid,
  users: () => readFileSync('/etc/passwd', 'utf8'),
}

const MODES = { read: constants.R_OK, write: constants.R_OK | constants.W_OK } as const

/**
 * The user who must be asked, when this process may not read or write the file although it may be there; undefined when it may, or
 * when there is no such file. A user without a name in /etc/passwd reads "#998", which sudo -u takes.
 */
export function ownerInTheWay(path: string, want: keyof typeof MODES, parts: OwnerParts = REAL): string | undefined {
  try {
    parts.access(path, MODES[want])
    return undefined
  } catch (error) {
    return isDenied(error) ? nameOf(nearestOwner(path, parts), parts) : undefined
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')

/** The owner of the file, or of the first folder above it that shows its owner. */
function nearestOwner(path: string, parts: OwnerParts): number {
  try {
    return parts.ownerId(path)
  } catch (error) {
    if (dirname(path) === path) throw error
    return nearestOwner(dirname(path), parts)
  }
}

function nameOf(id: number, { users }: OwnerParts): string {
  const line = users()
    .split('\n')
    .find((entry) => entry.split(':')[2] === String(id))
  return line?.split(':')[0] ?? `#${id}`
}

/** A file that root creates for a daemon gets the owner of its folder. Files of other users stay their own. */
function ownerFor(path: string): FileOwner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(dirname(path))
  return { uid, gid }
}

/** A new empty file, mode 0600, owned by the owner of its folder. Throws what the system throws. */
export const createFileForFolder = (path: string): Promise<void> => createFile(path, '', 0o600, ownerFor(path))

/** `replaceFile`, owned by the owner of the folder. */
export const replaceFileForFolder = (path: string, content: string | Uint8Array, mode: number): Promise<void> =>
  replaceFile(path, content, mode, systemRandom, ownerFor(path))

/** Replaces a file that keeps its owner and its mode; a new one gets this mode, and gets the owner of the folder. */
export async function replaceInPlace(path: string, content: string, mode: number): Promise<void> {
  if (!existsSync(path)) return replaceFileForFolder(path, content, mode)
  const real = realpathSync(path)
  const { uid, gid, mode: kept } = statSync(real)
  const owner = process.getuid?.() === 0 ? { uid, gid } : undefined
  await replaceFile(real, content, kept & 0o777, systemRandom, owner)
}

/** A folder, mode 0700 when it is new, owned by the owner of the parent folder. */
export async function createFolderForFolder(path: string): Promise<void> {
  const owner = ownerFor(path)
  if ((await createDirectory(path, 0o700)) !== undefined && owner) await chown(path, owner.uid, owner.gid)
}

/** Adds a line to a file of one entry per line (0600, made when missing, owned by the owner of the folder); on the disk when it resolves. */
export async function appendLine(path: string, line: string): Promise<void> {
  const owner = ownerFor(path)
  // Root gives the file away: it must be that one, and not what a link in the daemon's folder leads to.
  const whole = owner === undefined ? 0 : constants.O_NOFOLLOW
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | whole, 0o600)
  try {
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.appendFile(`${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The uid of the owner of a file, or of the link to it, that is neither this user nor root; undefined otherwise. */
export function strangerOf(path: string, own: number | undefined = process.getuid?.()): number | undefined {
  if (own === undefined) return undefined // no user numbers here
  return [lstatSync(path), statSync(path)].map(({ uid }) => uid).find((uid) => uid !== own && uid !== 0)
}
