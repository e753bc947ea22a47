// The reserve of a database: a file beside it that takes room while there is enough, and is deleted when the disk is full. Then a start, and
// commands that free room, find room to work.
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const END = '.reserve'
/** For people who find the file; nothing else is ever deleted. */
const TITLE = 'grinpay: this file only keeps room for a full disk. It may be deleted.\n'

/** Where the reserve of a database lies: beside the file itself, also where `path` is a symbolic link to it, so that it is on the same disk. */
const reservePathOf = (path: string): string => `${realPathOf(path)}${END}`

/** Where the file of a database lies, and so the files beside it. */
export const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** Bytes that the reserves in the folder of a database keep; 0: there is none. */
export const reservedBytes = (path: string): number =>
  reservesBeside(path).reduce((sum, reserve) => sum + (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Bytes of the write-ahead log of a database. */
export const logBytes = (path: string): number =>
  statSync(`${realPathOf(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0

/** What ordinary users may still take on the disk of a database, and its size, in bytes. Throws what the system throws. */
export function roomBeside(path: string): { readonly free: number; readonly size: number } {
  const { bavail, blocks, bsize } = statfsSync(dirname(realPathOf(path)))
  return { free: bavail * bsize, size: blocks * bsize }
}

/**
 * Deletes every reserve in the folder of a database: what a till, a console and a relay keep there share one disk. False: there is none, or
 * this user may not delete it.
 */
export function giveBackReserves(path: string): boolean {
  let isGiven = false
  for (const reserve of reservesBeside(path)) {
    try {
      rmSync(reserve)
      isGiven = true
    } catch {
      // Another process was first, or owns the folder: the write that needs the room says what is wrong.
    }
  }
  return isGiven
}

/** Before a database is opened: a disk that has less room than the reserves keep gets them back. */
export function makeRoomToOpen(path: string): void {
  const kept = reservedBytes(path)
  if (kept > 0 && roomBeside(path).free < kept) giveBackReserves(path)
}

/** Only our own ones: files that begin with the title. */
export function reservesBeside(path: string): readonly string[] {
  const folder = dirname(realPathOf(path))
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(END))
      .map(({ name }) => join(folder, name))
      .filter(hasTitle)
  } catch {
    return [] // opening the database says why
  }
}

function hasTitle(path: string): boolean {
  const start = Buffer.alloc(TITLE.length)
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    readSync(file, start)
    return start.toString('latin1') === TITLE
  } finally {
    closeSync(file)
  }
}

export interface ReserveOrder {
  /** Of the database. */
  readonly path: string
  readonly bytes: number
  /** What is written again and again: random, because some file systems keep no room for what they can compress. */
  readonly filling: Uint8Array
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes the reserve, or what is missing of it. It takes room as soon as it is written, and is not synced: after a power cut it is written
 * again. Rejects with the system's error, with the room free again.
 */
export async function writeReserve({ path, bytes, filling, signal }: ReserveOrder): Promise<void> {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const file = await open(reservePathOf(path), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    await fill(file, { bytes, filling, signal })
  } catch (error) {
    giveBackReserves(path)
    throw error
  } finally {
    await file.close()
  }
}

async function fill(file: FileHandle, { bytes, filling, signal }: Omit<ReserveOrder, 'path'>): Promise<void> {
  let { size } = await file.stat()
  if (size === 0) size += await write(file, Buffer.from(TITLE))
  while (size < bytes && !signal?.aborted) size += await write(file, filling.subarray(0, bytes - size))
}

async function write(file: FileHandle, piece: Uint8Array): Promise<number> {
  await file.writeFile(piece)
  return piece.length
}
