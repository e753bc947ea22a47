// Whose files these are: an operator who may not touch them is told which user to become.
import { accessSync, chownSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFile } from './files.js'

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
 * when there is no such file. A user without a name in /etc/passwd is told as "#998", which sudo -u takes.
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

/** Of the file, or of the first folder above it that shows its owner. */
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

/**
 * A new empty file, mode 0600, of whoever owns its folder: what root makes for a daemon must be the daemon's. Only root can give
 * files away; what others make is theirs. Throws what the system throws.
 */
export async function createFileForFolder(path: string): Promise<void> {
  const { uid, gid } = statSync(dirname(path))
  await createFile(path, '', 0o600)
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}
