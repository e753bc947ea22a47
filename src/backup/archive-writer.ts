// Writing an archive: the manifest first, then what it lists. Whatever happens, a file under the final name is whole.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { causedBy, hasCode, messageOf } from '../lib/errors.js'
import { backupTargetExists } from './errors.js'
import { formatManifest, type Manifest, type ManifestFile } from './manifest.js'
import { BLOCK, MANIFEST_NAME, paddingOf, tarHeader } from './tar.js'

/** What goes in: bytes, or a file that no longer changes. */
export interface ArchiveSource extends Pick<ManifestFile, 'path' | 'role' | 'database'> {
  readonly content: Uint8Array | { readonly file: string }
}

export interface ArchiveOrder {
  readonly manifest: Omit<Manifest, 'files'>
  readonly sources: readonly ArchiveSource[]
  /** A new file of a folder on the same disk as `target`; nothing of it stays when this throws. */
  readonly draft: string
  readonly target: string
  /** Encrypts what passes. */
  readonly seal: ((content: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>) | undefined
}

/** Mode 0600, on the disk when it resolves. Throws BACKUP_TARGET_EXISTS, and what the disk throws. */
export async function writeArchive(order: ArchiveOrder): Promise<Manifest> {
  const { sources, draft, target, seal } = order
  const manifest: Manifest = { ...order.manifest, files: await Promise.all(sources.map(fileOf)) }
  const plain = tarOf(manifest, sources)
  try {
    await writeSynced(draft, seal ? await seal(plain) : plain)
    await publish(draft, target)
  } finally {
    await rm(draft, { force: true })
  }
  return manifest
}

const piecesOf = ({ content }: ArchiveSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> =>
  content instanceof Uint8Array ? [content] : createReadStream(content.file, { highWaterMark: 1 << 20 })

async function fileOf(source: ArchiveSource): Promise<ManifestFile> {
  const { path, role, database } = source
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of piecesOf(source)) {
    hash.update(piece)
    size += piece.length
  }
  return { path, size, sha256: hash.digest('hex'), role, ...(database && { database }) }
}

async function* tarOf(manifest: Manifest, sources: readonly ArchiveSource[]): AsyncGenerator<Uint8Array> {
  const seconds = Math.floor(Date.parse(manifest.created_at) / 1000)
  const text = new TextEncoder().encode(formatManifest(manifest))
  yield* [tarHeader({ name: MANIFEST_NAME, size: text.length }, seconds), text, new Uint8Array(paddingOf(text.length))]
  for (const [at, { path: name, size }] of manifest.files.entries()) {
    yield tarHeader({ name, size }, seconds)
    for (const source of sources.slice(at, at + 1)) yield* piecesOf(source)
    yield new Uint8Array(paddingOf(size))
  }
  yield new Uint8Array(2 * BLOCK)
}

async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.chmod(0o600)
    for await (const piece of content) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A second name first, so that nothing that is there is ever replaced. */
async function publish(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) throw causedBy(backupTargetExists(target), thrown)
    throw new Error(`${messageOf(thrown)} (the disk of the archive must know hard links)`, { cause: thrown })
  }
  const folder = await open(dirname(target), 'r')
  await folder.sync().finally(() => folder.close())
}
