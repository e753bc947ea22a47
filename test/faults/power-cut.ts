// What a power cut leaves of a relay's database. Simulated: a disk that keeps what a sync which had ended promised, and of everything written later
// nothing, all, or any part in sectors of 512 bytes, in any order, per write; the database and its log apart. Not simulated: disks that lie about syncs, damage to
// what was synced, and file systems that lose the names of files (both files are there from the beginning).
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** 1 the database, 2 its log. */
type File = 1 | 2
type Operation = 'write' | 'truncate' | 'sync begins' | 'sync ends'
const OPERATIONS: readonly Operation[] = ['write', 'truncate', 'sync begins', 'sync ends']

export interface Noted {
  /** Epoch milliseconds. */
  readonly at: number
  /** A sync has the same one at its beginning and its end. */
  readonly number: number
  readonly operation: Operation
  readonly file: File
  /** Of a truncation the new length. */
  readonly offset: number
  readonly bytes: Buffer
}

/** What becomes of a write that no sync covers. */
export type Fate = 'nothing' | 'everything' | 'anything'

const HEAD = 34
const SECTOR = 512

const compiler = ['cc', 'gcc'].find((name) => spawnSync(name, ['--version']).status === 0)
/** Only where there is a C compiler, and Linux. */
export const canCutPower = process.platform === 'linux' && compiler !== undefined

/** The library that a process has to be started with, and where it writes. */
export function powerCutSettings(folder: string) {
  const library = join(folder, 'power-cut.so')
  const source = join(import.meta.dirname, 'power-cut.c')
  const { status, stderr } = spawnSync(compiler ?? '', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    source,
    '-ldl',
    '-pthread',
  ])
  if (status !== 0) throw new Error(String(stderr))
  const journal = join(folder, 'journal')
  return { journal, settings: { LD_PRELOAD: library, POWER_CUT_JOURNAL: journal } }
}

/** In the order in which it happened; the last record may be cut off. */
export function readJournal(path: string): readonly Noted[] {
  const all = readFileSync(path)
  const noted: Noted[] = []
  for (let at = 0; at + HEAD <= all.length; ) {
    const [time, number, offset, length] = [0, 8, 16, 24].map((part) => all.readBigUInt64LE(at + part))
    const end = at + HEAD + Number(length)
    if (end > all.length) break
    noted.push({
      at: Number(time) / 1e6,
      number: Number(number),
      operation: OPERATIONS[all.readUInt8(at + 32) - 1] ?? 'write',
      file: all.readUInt8(at + 33) === 1 ? 1 : 2,
      offset: Number(offset),
      bytes: all.subarray(at + HEAD, end),
    })
    at = end
  }
  return noted
}

/** A file that grows. */
function openImage(bytes: Buffer) {
  let image = Buffer.from(bytes)
  let size = image.length
  return {
    write(offset: number, part: Buffer): void {
      const end = offset + part.length
      if (end > image.length) image = Buffer.concat([image, Buffer.alloc(Math.max(end - image.length, image.length))])
      part.copy(image, offset)
      size = Math.max(size, end)
    },
    truncate(length: number): void {
      image.fill(0, Math.min(length, size))
      size = length
    },
    bytes: () => image.subarray(0, size),
  }
}

/** Parts of a write that reached the disk. */
function* survivorsOf({ offset, bytes }: Noted, fate: Fate, random: () => number): Generator<[number, Buffer]> {
  if (fate === 'everything') yield [offset, bytes]
  if (fate !== 'anything') return
  const share = random()
  for (let at = 0; at < bytes.length; at += SECTOR)
    if (random() < share) yield [offset + at, bytes.subarray(at, at + SECTOR)]
}

export interface Cut {
  /** The files before the first record. */
  readonly base: Readonly<Record<File, Buffer>>
  readonly noted: readonly Noted[]
  /** How many records happened before the power went. */
  readonly until: number
  readonly fate: Fate
  readonly random: () => number
}

/** The two files as the disk has them when the power comes back. */
export function afterPowerCut({ base, noted, until, fate, random }: Cut): Readonly<Record<File, Buffer>> {
  const fileAfter = (file: File): Buffer => {
    const own = noted.slice(0, until).filter((one) => one.file === file)
    const ended = new Set(own.filter(({ operation }) => operation === 'sync ends').map(({ number }) => number))
    const safe = own.findLastIndex(({ operation, number }) => operation === 'sync begins' && ended.has(number))
    const image = openImage(base[file])
    for (const [at, one] of own.entries()) {
      const isSafe = at < safe
      if (one.operation === 'truncate' && (isSafe || fate === 'everything' || (fate === 'anything' && random() < 0.5)))
        image.truncate(one.offset)
      if (one.operation === 'write')
        for (const [offset, bytes] of survivorsOf(one, isSafe ? 'everything' : fate, random)) image.write(offset, bytes)
    }
    return image.bytes()
  }
  return { 1: fileAfter(1), 2: fileAfter(2) }
}

export function writeFiles(path: string, files: Readonly<Record<File, Buffer>>): void {
  writeFileSync(path, files[1])
  writeFileSync(`${path}-wal`, files[2])
}
