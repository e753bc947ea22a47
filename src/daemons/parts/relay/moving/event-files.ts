// The folder of exported events and of those to import: what lies in it, and what a new export is called.
import { constants, type Stats } from 'node:fs'
import { lstat, open, opendir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode, messageOf } from '../../../../lib/errors.js'
import { parseJson } from '../../../../lib/parse-json.js'
import { plainText } from '../../../../lib/plain-text.js'
import type { EventFile, EventFolder } from '../../../../relay/console/index.js'
import { moveFileUnusable, moveNoEvents, moveUnreadable } from '../../../errors.js'
import { partOf } from './messages.js'

/** Beside the relay's database. */
export const eventFolder = (dbPath: string): string => join(dirname(dbPath), 'event-files')

/** Names that are looked at, and files that are listed: the newest of those. */
const [MOST_NAMES, MOST_FILES] = [500, 100]
const PART = /\.part$/
/** Our own names. */
const LEFT_OVER = /^events-\d{8}-\d{6}\.jsonl\.part$/
/** An export marks its unfinished file every five seconds; one so old was left by a process that was killed. */
const STALE_MS = 60_000

/** A missing folder is empty. Links are not followed and not listed. Throws CONSOLE_MOVE_UNREADABLE. */
export async function listFolder(path: string): Promise<EventFolder> {
  const names = await namesIn(path)
  const looked = await Promise.all(names.slice(0, MOST_NAMES).map((name) => fileNamed(path, name)))
  const files = looked.flatMap((file) => file ?? []).sort((a, b) => b.modifiedAt - a.modifiedAt)
  return { path, files: files.slice(0, MOST_FILES), isCut: names.length > MOST_NAMES || files.length > MOST_FILES }
}

/** One more than are looked at, at most. */
async function namesIn(path: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(path)) {
      if (isPlain(name) && names.push(name) > MOST_NAMES) break
    }
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw moveUnreadable(path, messageOf(thrown))
  }
  return names
}

/** Others look alike on a page, or do not come back from a form as they are. */
const isPlain = (name: string): boolean =>
  !name.startsWith('.') && plainText(name) === name && name.trim() === name && !name.includes('\uFFFD')

async function fileNamed(folder: string, name: string): Promise<EventFile | undefined> {
  const stats = await lstat(join(folder, name)).catch(() => undefined) // it went away
  return stats?.isFile() ? fileOf(name, stats) : undefined
}

const fileOf = (name: string, { size, mtimeMs }: Stats): EventFile => ({
  name,
  bytes: size,
  modifiedAt: Math.round(mtimeMs),
  isWhole: !PART.test(name),
})

/** A finished file of the listing, looked at anew. Throws CONSOLE_MOVE_FILE, CONSOLE_MOVE_UNREADABLE. */
export async function findFile(folder: string, name: string): Promise<EventFile> {
  const { files } = await listFolder(folder)
  const file = files.find((one) => one.name === name)
  if (!file) throw moveFileUnusable(name, folder, 'no regular file of this name is listed')
  if (!file.isWhole) throw moveFileUnusable(name, folder, 'this export is not finished')
  return file
}

/** A named pipe is not waited for. */
const EXISTING_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const HEAD_BYTES = 65_536
const LINE_BREAK = /\r?\n/

/** Looks at the beginning. Throws CONSOLE_MOVE_NO_EVENTS, CONSOLE_MOVE_UNREADABLE. */
export async function requireEvents(folder: string, { name, bytes }: EventFile): Promise<void> {
  if (bytes === 0) throw moveNoEvents(name, 'it is empty')
  const head = await headOf(join(folder, name))
  const lines = head.toString('utf8').split(LINE_BREAK)
  const at = lines.findIndex((line) => line !== '')
  const line = lines[at]
  if (line === undefined) {
    if (bytes <= HEAD_BYTES) throw moveNoEvents(name, 'it has blank lines only')
    return
  }
  const isCut = at === lines.length - 1 && bytes > HEAD_BYTES
  if (isCut ? !/^[{[]/.test(line) : !isStructure(parseJson(line)))
    throw moveNoEvents(name, `line ${at + 1} is not JSON`)
}

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null

async function headOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, EXISTING_FILE)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (thrown) {
    throw moveUnreadable(path, messageOf(thrown))
  }
}

/** The content, in chunks. Throws CONSOLE_MOVE_UNREADABLE. */
export async function readChunks(folder: string, { name, bytes }: EventFile): Promise<AsyncIterable<Uint8Array>> {
  const path = join(folder, name)
  const file = await open(path, EXISTING_FILE).catch((thrown: unknown) => {
    throw moveUnreadable(path, messageOf(thrown))
  })
  return file.createReadStream({ end: Math.max(0, bytes - 1) })
}

/** A name that is free, also unfinished: `events-20261123-194341.jsonl`, UTC. */
export async function newName(folder: string, now: number): Promise<string> {
  for (let at = now; ; at += 1000) {
    const digits = new Date(at).toISOString().replace(/\D/g, '')
    const name = `events-${digits.slice(0, 8)}-${digits.slice(8, 14)}.jsonl`
    const path = join(folder, name)
    if (!(await isThere(path)) && !(await isThere(partOf(path)))) return name
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Removes what exports of killed processes left. */
export async function removeLeftOvers(folder: string, files: readonly EventFile[], now: number): Promise<void> {
  for (const { name, modifiedAt } of files)
    if (LEFT_OVER.test(name) && Math.abs(now - modifiedAt) > STALE_MS) await rm(join(folder, name), { force: true })
}
