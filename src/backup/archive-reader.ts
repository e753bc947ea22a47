// Reads an untrusted archive front to back. A member is accepted only when the manifest and its header agree.
import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { causedBy, GrinpayError, messageOf } from '../lib/errors.js'
import { AGE_HEAD, unseal } from './age.js'
import { backupCompressed, backupDamaged, backupNewer, backupSealed, backupUnreadable } from './errors.js'
import { type Manifest, type ManifestFile, readManifest } from './manifest.js'
import { BLOCK, MANIFEST_NAME, paddingOf, readTarHeader, type TarMember } from './tar.js'

// Untrusted bytes that arrive in pieces of all sizes, read front to back without being kept.
interface ByteSource {
  /** Exactly this many bytes; meant for small pieces. Throws RangeError when the input ends before. */
  take(length: number): Promise<Uint8Array>
  /** The next `length` bytes in pieces; to be read to the end. Throws RangeError when the input ends before. */
  pieces(length: number): AsyncGenerator<Uint8Array>
  /** Throws RangeError when anything is left. */
  end(): Promise<void>
}

function createByteSource(input: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = input[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()

  /** At most `most` bytes, at least one; none: the input ended. */
  async function some(most: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { done, value } = await iterator.next()
      if (done) return rest
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  async function* pieces(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      const piece = await some(left)
      if (piece.length === 0) throw new RangeError('it ends early')
      left -= piece.length
      yield piece
    }
  }

  return {
    pieces,
    async take(length) {
      const all: Uint8Array[] = []
      for await (const piece of pieces(length)) all.push(piece)
      return Buffer.concat(all)
    },
    async end() {
      if ((await some(1)).length > 0) throw new RangeError('something follows its end')
    },
  }
}

export interface ArchiveMember {
  readonly file: ManifestFile
  /** To be read to the end before the next member is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>
}

export interface Archive {
  readonly manifest: Manifest
  readonly isSealed: boolean
  /** In the order of the manifest; once. Its end closes the file. Throws BACKUP_DAMAGED when the archive ends early or holds anything else. */
  members(): AsyncGenerator<ArchiveMember>
}

/** Bytes. A damaged header must not cause a read of gigabytes. */
const LONGEST_MANIFEST = 1 << 20

/** How files of other programs begin that people put archives into. */
const COMPRESSED: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  bzip2: [0x42, 0x5a, 0x68],
  zip: [0x50, 0x4b, 0x03, 0x04],
}

/** Throws BACKUP_UNREADABLE, BACKUP_COMPRESSED, BACKUP_SEALED, BACKUP_NOT_FOR_YOU, BACKUP_NEWER, BACKUP_DAMAGED. */
export async function openArchive(path: string, identities: readonly string[] | undefined): Promise<Archive> {
  const head = await headOf(path)
  const [format] = Object.entries(COMPRESSED).find(([, begin]) => begin.every((byte, at) => head[at] === byte)) ?? []
  if (format !== undefined) throw backupCompressed(path, format)
  const isSealed = head.toString('latin1') === AGE_HEAD
  if (isSealed && identities === undefined) throw backupSealed(path)
  return await telling(path, async () => {
    const raw = createReadStream(path, { highWaterMark: 1 << 20 })
    try {
      const source = createByteSource(isSealed ? await unseal(path, raw, identities ?? []) : raw)
      const manifest = await manifestOf(path, source)
      return { manifest, isSealed, members: () => closing(raw, membersOf(path, source, manifest)) }
    } catch (thrown) {
      raw.destroy()
      throw thrown
    }
  })
}

/** The byte source reads piece by piece and never ends the stream itself. */
async function* closing<T>(raw: ReadStream, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } finally {
    raw.destroy()
  }
}

/** The bytes at the start of the file by which a sealed archive is recognised. */
async function headOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE_HEAD.length), 0, AGE_HEAD.length, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (thrown) {
    throw causedBy(backupUnreadable(path, messageOf(thrown)), thrown)
  }
}

async function manifestOf(path: string, source: ByteSource): Promise<Manifest> {
  const member = await nextMember(source)
  if (member?.name !== MANIFEST_NAME || member.size > LONGEST_MANIFEST)
    throw new RangeError('it does not begin with a manifest')
  const text = new TextDecoder().decode(await source.take(member.size))
  await source.take(paddingOf(member.size))
  const read = readManifest(text)
  if (read.outcome === 'newer') throw backupNewer(path, read.what)
  if (read.outcome === 'damaged') throw new RangeError(read.cause)
  return read.manifest
}

const nextMember = async (source: ByteSource): Promise<TarMember | undefined> => readTarHeader(await source.take(BLOCK))

async function* membersOf(path: string, source: ByteSource, manifest: Manifest): AsyncGenerator<ArchiveMember> {
  for (const file of manifest.files) {
    await telling(path, async () => {
      const member = await nextMember(source)
      if (member?.name !== file.path || member.size !== file.size)
        throw new RangeError(`${file.path} is missing, or not as long as its manifest says`)
    })
    yield { file, pieces: piecesOf(path, source, file.size) }
    await telling(path, () => source.take(paddingOf(file.size)))
  }
  await telling(path, async () => {
    if ((await nextMember(source)) !== undefined) throw new RangeError('it holds more than its manifest says')
    if ((await nextMember(source)) !== undefined) throw new RangeError('something follows its end')
    await source.end()
  })
}

async function* piecesOf(path: string, source: ByteSource, size: number): AsyncGenerator<Uint8Array> {
  const pieces = source.pieces(size)
  for (;;) {
    const { done, value } = await telling(path, () => pieces.next())
    if (done) return
    yield value
  }
}

async function telling<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof GrinpayError) throw thrown
    const isOfDisk = thrown instanceof Error && 'syscall' in thrown
    throw causedBy((isOfDisk ? backupUnreadable : backupDamaged)(path, causeOf(thrown)), thrown)
  }
}

/** Our own words; what an outside library says about a broken seal means nothing to an operator. */
const causeOf = (thrown: unknown): string =>
  thrown instanceof RangeError || (thrown instanceof Error && 'syscall' in thrown)
    ? messageOf(thrown)
    : 'its encryption does not add up: it was cut or changed'

/** Passes everything on to `take`; whether it is what the manifest says. */
export async function receiveMember(
  member: ArchiveMember,
  take: (piece: Uint8Array) => Promise<unknown>,
): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const piece of member.pieces) {
    hash.update(piece)
    await take(piece)
  }
  return hash.digest('hex') === member.file.sha256
}
