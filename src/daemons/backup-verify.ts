// `backup verify`: every promise of an archive, one line each. Nothing outside a private work folder is written.
import { accessSync, constants, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Archive, ArchiveMember, Manifest } from '../backup/index.js'
import { chainOfSealedSeed, openSeed, takeKeychain } from '../grin/seedfile/index.js'
import { addressOfSeed, formatAddress } from '../grin/slatepack/index.js'
import { GrinpayError, messageOf } from '../lib/errors.js'
import type { Secret } from '../lib/secret.js'
import { openIdentity } from '../nostr/identity/index.js'
import { type CopyFacts, examineCopy } from '../storage/index.js'
import { type SystemRandom, systemRandom } from '../system/index.js'
import { openArchiveFile, unpack } from './parts/backup/archive-file.js'
import { withWorkFolder } from './parts/backup/work-folder.js'

export interface VerifyOrder {
  readonly file: string
  readonly identityFile: string | undefined
  /** Asked for only when there is a wallet; undefined: not known. */
  password(): Promise<Secret | undefined>
  readonly random?: SystemRandom
}

interface VerifyLine {
  readonly name: string
  readonly status: 'pass' | 'fail' | 'skip'
  readonly detail: string
}

/** The `--json` document of `backup verify`. */
export interface VerifyView {
  readonly file: string
  readonly ok: boolean
  /** Undefined while the archive cannot even be opened. */
  readonly daemon: Manifest['daemon'] | null
  readonly created_at: string | null
  readonly checks: readonly VerifyLine[]
}

const pass = (name: string, detail: string): VerifyLine => ({ name, status: 'pass', detail })
const fail = (name: string, detail: string): VerifyLine => ({ name, status: 'fail', detail })
const skip = (name: string, detail: string): VerifyLine => ({ name, status: 'skip', detail })

/** Throws only for a wrong request: BACKUP_UNREADABLE, BACKUP_SEALED, BAD_IDENTITY_FILE, and what `password` throws. */
export async function verifyBackup(order: VerifyOrder): Promise<VerifyView> {
  const { file, random = systemRandom } = order
  const opened = await openOrTell(order)
  if ('checks' in opened) return { file, ok: false, daemon: null, created_at: null, checks: opened.checks }
  const { manifest } = opened
  const checks = await withWorkFolder(workPlace(file), random, (folder) => examine(opened, order, folder))
  const ok = checks.every(({ status }) => status !== 'fail')
  return { file, ok, daemon: manifest.daemon, created_at: manifest.created_at, checks }
}

const REQUEST_ERRORS = ['BACKUP_UNREADABLE', 'BACKUP_SEALED', 'BAD_IDENTITY_FILE']

async function openOrTell({ file, identityFile }: VerifyOrder): Promise<Archive | { readonly checks: VerifyLine[] }> {
  try {
    return await openArchiveFile(file, identityFile)
  } catch (thrown) {
    if (!(thrown instanceof GrinpayError) || REQUEST_ERRORS.includes(thrown.code)) throw thrown
    return { checks: [fail('archive', thrown.message)] }
  }
}

/** Beside the archive, where there is room for it, if that may be written. */
function workPlace(file: string): string {
  const folder = dirname(resolve(file))
  try {
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return tmpdir()
  }
}

async function examine(archive: Archive, order: VerifyOrder, folder: string): Promise<readonly VerifyLine[]> {
  const { manifest, isSealed } = archive
  const of = `${manifest.daemon}${manifest.chain === null ? '' : ` on ${manifest.chain}`}, ${manifest.created_at}`
  const lines = [pass('archive', `${of}, grinpay ${manifest.grinpay}${isSealed ? ', opens with your key' : ''}`)]
  const sealed: Sealed = { wallet: undefined, identity: undefined }
  try {
    for await (const member of archive.members()) lines.push(...(await examineMember(member, folder, sealed)))
  } catch (thrown) {
    // Findings so far are reported; what follows cannot be trusted.
    if (!(thrown instanceof GrinpayError)) throw thrown
    return [...lines, fail('archive', thrown.message)]
  }
  return [...lines, pass('end', 'complete, and nothing follows'), ...(await examineKeys(manifest, sealed, order))]
}

/** The texts of the files that a password opens. */
interface Sealed {
  wallet: string | undefined
  identity: string | undefined
}

async function examineMember(member: ArchiveMember, folder: string, sealed: Sealed): Promise<readonly VerifyLine[]> {
  const { path, size, role } = member.file
  const copy = join(folder, basename(path))
  try {
    if (!(await unpack(member, copy))) return [fail(path, 'it is not what was backed up: its hash is another')]
    if (role === 'wallet' || role === 'identity') sealed[role] = readFileSync(copy, 'utf8')
    return [pass(path, `${size} bytes, hash as in the manifest`), ...(await examineDatabase(member, copy))]
  } finally {
    rmSync(copy, { force: true })
  }
}

async function examineDatabase({ file }: ArchiveMember, copy: string): Promise<readonly VerifyLine[]> {
  const { path, database } = file
  if (!database) return []
  try {
    const { damage, schema, rows } = await examineCopy(copy, database.kind)
    if (damage.length > 0) return [fail(path, damage.join('; '))]
    const wrong = differences(database, { schema, rows })
    if (wrong.length > 0) return [fail(path, wrong.join('; '))]
    return [pass(path, `integrity_check ok, schema ${schema}, ${sum(rows)} rows in ${Object.keys(rows).length} tables`)]
  } catch (thrown) {
    return [fail(path, messageOf(thrown))]
  }
}

const sum = (rows: CopyFacts['rows']): number => Object.values(rows).reduce((all, count) => all + count, 0)

function differences(
  listed: Pick<CopyFacts, 'schema' | 'rows'>,
  found: Pick<CopyFacts, 'schema' | 'rows'>,
): readonly string[] {
  const tables = [...new Set([...Object.keys(listed.rows), ...Object.keys(found.rows)])]
  return [
    ...(listed.schema === found.schema ? [] : [`schema ${found.schema} instead of ${listed.schema}`]),
    ...tables
      .filter((table) => listed.rows[table] !== found.rows[table])
      .map((table) => `${found.rows[table] ?? 'no'} rows of ${table} instead of ${listed.rows[table] ?? 'none'}`),
  ]
}

const NO_PASSWORD = 'not checked without the wallet password: name its file with --password-file'

async function examineKeys(
  manifest: Manifest,
  { wallet, identity }: Sealed,
  order: VerifyOrder,
): Promise<readonly VerifyLine[]> {
  if (manifest.daemon !== 'pay') return []
  if (wallet === undefined) return [fail('wallet', 'there is no seed in it: only the words bring the coins back')]
  const password = await order.password()
  if (!password)
    return [skip('wallet', NO_PASSWORD), ...(identity === undefined ? [] : [skip('identity', NO_PASSWORD)])]
  return [
    await walletLine(wallet, password, manifest.wallet),
    ...(identity === undefined ? [] : [await identityLine(identity, password)]),
  ]
}

async function walletLine(text: string, password: Secret, known: string | null): Promise<VerifyLine> {
  try {
    const chain = chainOfSealedSeed(text)
    const seed = await openSeed(text, password, chain)
    const address = addressOfSeed(takeKeychain(seed).addressSeed(0, 0))
    const found = formatAddress(chain === 'mainnet' ? 'grin' : 'tgrin', address)
    if (known !== null && known !== found) return fail('wallet', `the seed is of ${found}, the database of ${known}`)
    return pass('wallet', `the seed decrypts: ${found}`)
  } catch (thrown) {
    return fail('wallet', messageOf(thrown))
  }
}

async function identityLine(text: string, password: Secret): Promise<VerifyLine> {
  try {
    const write = () => Promise.reject(new Error('nothing is written here'))
    const { pubkey } = await openIdentity({
      nsec: undefined,
      ncryptsec: undefined,
      walletPassword: password,
      random: systemRandom,
      file: { read: async () => text, write },
    })
    return pass('identity', `the Nostr key decrypts: ${pubkey.slice(0, 16)}…`)
  } catch (thrown) {
    return fail('identity', messageOf(thrown))
  }
}
