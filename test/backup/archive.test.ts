import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createSeal, readIdentities } from '../../src/backup/age.js'
import { openArchive, receiveMember } from '../../src/backup/archive-reader.js'
import { writeArchive } from '../../src/backup/archive-writer.js'
import { FORMAT_VERSION, type Manifest } from '../../src/backup/manifest.js'
import { BLOCK, tarHeader } from '../../src/backup/tar.js'
import { openPositions, showsOpenFiles } from '../support/open-files.js'

let identity = ''
let stranger = ''
beforeAll(async () => {
  identity = await generateIdentity()
  stranger = await generateIdentity()
})

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const HEAD: Omit<Manifest, 'files'> = {
  format: 'grinpay-backup',
  version: FORMAT_VERSION,
  grinpay: '0.1.0',
  created_at: '2026-01-31T12:00:00.000Z',
  daemon: 'pay',
  chain: 'testnet',
  wallet: null,
  with_secrets: false,
  left_out: [],
}
const SEED = Buffer.from('{"sealed":"seed"}')
const BIG = Buffer.alloc(300_000, 'pages of a database ')

async function write(folder: string, recipient?: string): Promise<string> {
  const big = join(folder, 'big')
  writeFileSync(big, BIG)
  const target = join(folder, 'a.tar')
  await writeArchive({
    manifest: HEAD,
    sources: [
      { path: 'data/wallet/seed.json', role: 'wallet', content: SEED },
      { path: 'data/pay.db', role: 'document', content: { file: big } },
    ],
    draft: join(folder, 'draft'),
    target,
    seal: recipient === undefined ? undefined : createSeal(recipient),
  })
  return target
}

/** Everything in it by name, or the code of the refusal. */
async function contentsOf(path: string, identities?: readonly string[]): Promise<Record<string, Buffer> | string> {
  try {
    const archive = await openArchive(path, identities)
    const found: Record<string, Buffer> = {}
    for await (const member of archive.members()) {
      const pieces: Uint8Array[] = []
      const isWhole = await receiveMember(member, async (piece) => pieces.push(piece.slice()))
      found[isWhole ? member.file.path : `changed ${member.file.path}`] = Buffer.concat(pieces)
    }
    return found
  } catch (error) {
    return (error as { code: string }).code
  }
}

const WHOLE = { 'data/wallet/seed.json': SEED, 'data/pay.db': BIG }

test('what goes in comes out, and other users cannot read the file', async () => {
  const file = await write(folderOf())
  expect(await contentsOf(file)).toEqual(WHOLE)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each<[string, readonly number[]]>([
  ['gzip', [0x1f, 0x8b, 8, 0]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['bzip2', [0x42, 0x5a, 0x68, 0x39]],
  ['zip', [0x50, 0x4b, 3, 4]],
])('a file of %s is named as such, with what to do', async (format, head) => {
  const file = join(folderOf(), 'a.tar.x')
  writeFileSync(file, Buffer.concat([Buffer.from(head), Buffer.alloc(5000)]))
  await expect(openArchive(file, undefined)).rejects.toMatchObject({
    code: 'BACKUP_COMPRESSED',
    message: `${file} is compressed (${format}); a backup is a plain or an encrypted archive`,
    hint: expect.stringContaining('gunzip'),
  })
})

test('nothing half-made stays beside it', async () => {
  const folder = folderOf()
  await write(folder)
  expect(readdirSync(folder).sort()).toEqual(['a.tar', 'big'])
})

test('an archive that is there is never replaced', async () => {
  const folder = folderOf()
  writeFileSync(join(folder, 'a.tar'), 'mine')
  await expect(write(folder)).rejects.toMatchObject({ code: 'BACKUP_TARGET_EXISTS' })
  expect(readFileSync(join(folder, 'a.tar'), 'utf8')).toBe('mine')
  expect(readdirSync(folder).sort()).toEqual(['a.tar', 'big'])
})

test('only the holder of the key opens a sealed one', async () => {
  const file = await write(folderOf(), await identityToRecipient(identity))
  expect(readFileSync(file).includes('sealed')).toBe(false)
  expect(await contentsOf(file, [stranger, identity])).toEqual(WHOLE)
  expect(await contentsOf(file, [stranger])).toBe('BACKUP_NOT_FOR_YOU')
  expect(await contentsOf(file)).toBe('BACKUP_SEALED')
})

test('one that was cut anywhere is refused', async () => {
  const folder = folderOf()
  const bytes = readFileSync(await write(folder))
  const cut = join(folder, 'cut')
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
      writeFileSync(cut, bytes.subarray(0, length))
      expect(await contentsOf(cut)).toBe('BACKUP_DAMAGED')
    }),
    { numRuns: 60 },
  )
})

test('a sealed one that was cut or changed anywhere is refused', async () => {
  const folder = folderOf()
  const bytes = readFileSync(await write(folder, await identityToRecipient(identity)))
  const other = join(folder, 'other')
  const change = fc.oneof(
    fc.nat(bytes.length - 1).map((length) => bytes.subarray(0, length)),
    fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ by
      return changed
    }),
  )
  await fc.assert(
    fc.asyncProperty(change, async (changed) => {
      writeFileSync(other, changed)
      expect(await contentsOf(other, [identity])).toMatch(/^BACKUP_(DAMAGED|NOT_FOR_YOU)$/)
    }),
    { numRuns: 60 },
  )
})

test('a changed byte of a file shows in its hash, one outside in the form', async () => {
  const folder = folderOf()
  const bytes = readFileSync(await write(folder))
  const at = bytes.indexOf('pages of a database')
  bytes[at + 1000] = 0x21
  const changed = join(folder, 'changed')
  writeFileSync(changed, bytes)
  expect(Object.keys(await contentsOf(changed))).toEqual(['data/wallet/seed.json', 'changed data/pay.db'])
})

test.runIf(showsOpenFiles)('the file is closed when its reader leaves early, and when it is no archive', async () => {
  const folder = folderOf()
  const archive = await write(folder)
  for await (const { file } of (await openArchive(archive, undefined)).members()) {
    expect([file.path, openPositions(archive)]).toEqual(['data/wallet/seed.json', [expect.any(Number)]])
    break
  }
  const other = join(folder, 'big')
  expect(await contentsOf(other)).toBe('BACKUP_DAMAGED')
  const sealed = await write(folderOf(), await identityToRecipient(identity))
  expect(await contentsOf(sealed, [stranger])).toBe('BACKUP_NOT_FOR_YOU')
  await vi.waitFor(() => expect([archive, other, sealed].map(openPositions)).toEqual([[], [], []]))
})

test('something behind the end is refused', async () => {
  const file = await write(folderOf())
  appendFileSync(file, 'x')
  expect(await contentsOf(file)).toBe('BACKUP_DAMAGED')
})

/** A tar file with this manifest, and a file under a name of its own. */
function forged(folder: string, manifest: object, name?: string): string {
  const text = Buffer.from(JSON.stringify(manifest))
  const pad = Buffer.alloc((BLOCK - (text.length % BLOCK)) % BLOCK)
  const header = Buffer.from(tarHeader({ name: 'data/pay.db', size: 0 }, 0))
  if (name !== undefined) {
    header.fill(0, 0, 100).write(name, 0)
    header.fill(0x20, 148, 156)
    header.write(
      `${[...header]
        .reduce((a, b) => a + b, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
  }
  const file = join(folder, 'forged')
  const parts = [tarHeader({ name: 'manifest.json', size: text.length }, 0), text, pad, header, Buffer.alloc(2 * BLOCK)]
  writeFileSync(file, Buffer.concat(parts))
  return file
}

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const fileOf = (path: string) => ({ path, size: 0, sha256: EMPTY, role: 'document' })

test('an archive of one empty file is read, so that the refusals below are of what they name', async () => {
  const file = forged(folderOf(), { ...HEAD, files: [fileOf('data/pay.db')] })
  expect(await contentsOf(file)).toEqual({ 'data/pay.db': Buffer.alloc(0) })
})

test.each([
  ['a manifest that leads out of the folder', { ...HEAD, files: [fileOf('../pay.db')] }, '../pay.db'],
  ['a member that leads out of the folder', { ...HEAD, files: [fileOf('data/pay.db')] }, '../../etc/cron.d/x'],
  ['an absolute name', { ...HEAD, files: [fileOf('/etc/passwd')] }, '/etc/passwd'],
  ['a member that the manifest does not know', { ...HEAD, files: [fileOf('data/other.db')] }, undefined],
  ['a file twice', { ...HEAD, files: [fileOf('data/pay.db'), fileOf('data/pay.db')] }, undefined],
  ['a manifest beside the manifest', { ...HEAD, files: [fileOf('manifest.json')] }, 'manifest.json'],
  ['a manifest of something else', { format: 'other', version: 1 }, undefined],
  ['a daemon that is none', { ...HEAD, daemon: 'wallet', files: [fileOf('data/pay.db')] }, undefined],
])('%s is refused', async (_what, manifest, name) => {
  expect(await contentsOf(forged(folderOf(), manifest, name))).toBe('BACKUP_DAMAGED')
})

test('an archive of a later form differs from a damaged one', async () => {
  expect(await contentsOf(forged(folderOf(), { ...HEAD, version: 2, files: 'elsewhere' }))).toBe('BACKUP_NEWER')
})

test('a file that is no archive, and one that is not there', async () => {
  const folder = folderOf()
  writeFileSync(join(folder, 'x'), 'age-encryption.org/v1\nrubbish')
  writeFileSync(join(folder, 'y'), Buffer.alloc(4096, 7))
  writeFileSync(join(folder, 'z'), '')
  expect(await contentsOf(join(folder, 'x'), [identity])).toBe('BACKUP_DAMAGED')
  expect(await contentsOf(join(folder, 'y'))).toBe('BACKUP_DAMAGED')
  expect(await contentsOf(join(folder, 'z'))).toBe('BACKUP_DAMAGED')
  expect(await contentsOf(join(folder, 'nowhere'))).toBe('BACKUP_UNREADABLE')
})

test.each(['age1', 'age1qqqq', 'AGE-SECRET-KEY-1QQQ', 'ssh-ed25519 AAAA', ''])('%j is no recipient', (text) => {
  expect(() => createSeal(text)).toThrow(expect.objectContaining({ code: 'BAD_RECIPIENT' }))
})

test('a file of age-keygen gives its keys; what is none is refused without a word of it', () => {
  expect(readIdentities('k', `# created: today\n# public key: age1\n${identity}\n`)).toEqual([identity])
  for (const text of ['', '# nothing\n', 'hunter2\n', `${identity}\nhunter2`])
    expect(() => readIdentities('k', text)).toThrow(
      expect.objectContaining({ code: 'BAD_IDENTITY_FILE', message: expect.not.stringContaining('hunter2') }),
    )
})
