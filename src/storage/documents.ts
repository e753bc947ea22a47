// Small JSON documents, such as operator lists and saved tills. They never hold money.
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import type { ZodType } from 'zod'
import { causedBy, hasCode, messageOf } from '../lib/errors.js'
import { documentDamaged } from './errors.js'

/** Replaces a file in one step; on the disk, under its name, when the promise resolves (system's `replaceFile`). */
export type ReplaceFile = (path: string, content: string, mode: number) => Promise<void>

/** Runs `work` exclusively among callers with the same file. */
export type WhileLocked = <R>(path: string, work: () => Promise<R>) => Promise<R>

/** The file of a document that other processes change too. */
export interface SharedFile {
  readonly path: string
  readonly replace: ReplaceFile
  readonly whileLocked: WhileLocked
}

export interface DocumentParts<T> {
  readonly path: string
  /** What the file must be; checked when it is read and before it is written. A function loads it when there is something to check. */
  readonly schema: ZodType<T> | (() => Promise<ZodType<T>>)
  /** The document while there is no file. */
  readonly initial: T
  readonly replace: ReplaceFile
  /** What the file holds; default: JSON. A document with a text of its own is not checked before it is written: its changes must be valid. */
  readonly text?: (data: T) => Promise<string>
  /** For a document that other processes change too: what they wrote is read before each change. */
  readonly whileLocked?: WhileLocked
}

/** A document held in memory; the file is always one that was written whole. */
export interface Document<T> {
  read(): T
  /** Changes are written one after the other; the promise resolves when this one is on the disk. */
  update(change: (before: T) => T): Promise<T>
  /** What the file holds now; when it is damaged this throws, and what was read before stays. */
  reload(): Promise<T>
}

/** Throws DOCUMENT_DAMAGED, naming the file and the first thing wrong, when what is there is not a document of `schema`. */
export async function openDocument<T>(parts: DocumentParts<T>): Promise<Document<T>> {
  const { path, initial, whileLocked = alone } = parts
  const file = createFsyncJsonFile(parts)
  const low = new Low<T>(file, initial)
  let seen = stampOf(path)
  await low.read()
  let last: Promise<unknown> = Promise.resolve()

  /** A file that is gone is the initial document again; one that is as it was last seen is not read. */
  async function readAgain(): Promise<T> {
    const stamp = stampOf(path)
    if (stamp === seen) return low.data
    low.data = (await file.read()) ?? initial
    seen = stamp
    return low.data
  }

  async function write(change: (before: T) => T): Promise<T> {
    const before = parts.whileLocked ? await readAgain() : low.data
    const after = change(before)
    low.data = parts.text ? after : await check(parts, after)
    try {
      await low.write()
      seen = stampOf(path)
      return low.data
    } catch (error) {
      low.data = before
      throw error
    }
  }

  function inTurn(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    read: () => low.data,
    update: (change) => inTurn(() => whileLocked(path, () => write(change))),
    reload: () => inTurn(readAgain),
  }
}

const alone: WhileLocked = (_path, work) => work()

/** lowdb's own file adapter does not sync, shares one name for its drafts and passes anything that parses. */
function createFsyncJsonFile<T>(parts: DocumentParts<T>): Adapter<T> {
  return {
    async read() {
      const content = await readIfThere(parts.path)
      return content === undefined ? null : check(parts, parse(parts.path, content))
    },
    async write(data) {
      const content = (await parts.text?.(data)) ?? `${JSON.stringify(data, null, 2)}\n`
      await parts.replace(parts.path, content, 0o600)
    },
  }
}

/** Differs when the file has changed. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found ? [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : 'none'
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parse(path: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw causedBy(documentDamaged(path, messageOf(error)), error)
  }
}

async function check<T>({ path, schema }: DocumentParts<T>, data: unknown): Promise<T> {
  const wanted = typeof schema === 'function' ? await schema() : schema
  const checked = wanted.safeParse(data)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw documentDamaged(path, `${issue?.path.join('.') || 'document'}: ${issue?.message ?? 'invalid'}`)
}
