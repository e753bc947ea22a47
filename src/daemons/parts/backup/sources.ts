// From what a daemon keeps to what goes into an archive. Documents are read into memory, where a secret leaves no trace; databases are copied.
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type ArchiveSource, redactSettings, SECRET_NAME } from '../../../backup/index.js'
import { DAEMONS, type FoundSecret, foundSecrets, secretNames, statedSettings } from '../../../config/index.js'
import { hasCode } from '../../../lib/errors.js'
import { type CopyFacts, copyWhileUsed } from '../../../storage/index.js'
import type { BackupScope, KeptDatabase, KeptSettings } from './scope.js'

/** What was found, and what people must know is not there. */
export interface Gathered {
  readonly sources: readonly ArchiveSource[]
  readonly leftOut: readonly string[]
}

/** Reads what is there. Rejects with the system's error for a file that cannot be read. */
export async function gatherFiles(scope: BackupScope, withSecrets: boolean): Promise<Gathered> {
  const secrets = foundSecrets(scope.environment, scope.daemon)
  const parts = [
    await documentsOf(scope),
    ...(await Promise.all(scope.settings.map((settings) => settingsOf(scope, settings, { secrets, withSecrets })))),
    withSecrets ? secretsOf(scope, secrets) : withoutSecrets(secrets),
  ]
  return { sources: parts.flatMap((part) => part.sources), leftOut: parts.flatMap((part) => part.leftOut) }
}

async function documentsOf({ files }: BackupScope): Promise<Gathered> {
  const read = await Promise.all(files.map(async (file) => ({ ...file, content: await contentOf(file.path) })))
  return {
    sources: read.flatMap(({ member: path, role, content }) => (content ? [{ path, role, content }] : [])),
    leftOut: read.flatMap(({ content, otherwise }) => (content || otherwise === undefined ? [] : [otherwise])),
  }
}

/** Undefined: there is none. */
async function contentOf(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return undefined
    throw thrown
  }
}

interface SecretsPolicy {
  readonly secrets: readonly FoundSecret[]
  readonly withSecrets: boolean
}

/** The file without its secrets, or without the seed words alone; when that is not certain, what is set without a word of them. */
async function settingsOf(
  scope: BackupScope,
  { file, member: path }: KeptSettings,
  { secrets, withSecrets }: SecretsPolicy,
): Promise<Gathered> {
  const content = file === undefined ? undefined : await readFile(file, 'utf8')
  const named = secretNames()
  const isHidden = withSecrets ? isWords : (name: string) => named.has(name) || SECRET_NAME.test(name)
  const values = secrets.filter(({ name }) => isHidden(name)).map(({ text }) => text.reveal())
  const redacted = content === undefined ? undefined : redactSettings(content, isHidden, values)
  return settingsFile(path, redacted?.text ?? statedText(scope))
}

/** Seed words are never in an archive: they stay on paper. */
const isWords = (name: string): boolean => /MNEMONIC/i.test(name)

const settingsFile = (path: string, text: string): Gathered => ({
  sources: text === '' ? [] : [{ path, role: 'settings', content: new TextEncoder().encode(text) }],
  leftOut: text === '' ? ['settings: they stand in the environment of the daemon'] : [],
})

/** Settings that stand in the environment, as an env file; those of the relay have other names in their file, and are left. */
function statedText({ environment, daemon }: BackupScope): string {
  if (DAEMONS[daemon].fileForm === 'toml') return ''
  return statedSettings(environment, daemon)
    .filter(({ value }) => value !== 'set' && value !== 'invalid' && !/[\n"\\$`']/.test(value))
    .map(({ name, value }) => (/[\s#]/.test(value) ? `${name}="${value}"\n` : `${name}=${value}\n`))
    .join('')
}

/** Each as a file of its own, unless the settings file holds it. */
const secretsOf = (scope: BackupScope, secrets: readonly FoundSecret[]): Gathered => ({
  sources: secrets
    .filter(({ name, origin }) => origin !== scope.environment.envFile && !isWords(name))
    .map(({ name, text }) => ({
      path: `${scope.secrets}/${name}`,
      role: 'secret',
      content: new TextEncoder().encode(`${text.reveal()}\n`),
    })),
  leftOut: [],
})

const withoutSecrets = (secrets: readonly FoundSecret[]): Gathered => ({
  sources: [],
  leftOut: secrets
    .filter(({ name }) => !isWords(name))
    .map(({ name, origin }) => `${name} (${whereOf(origin)}): keep it elsewhere, or use --with-secrets`),
})

const whereOf = (origin: string): string => (origin === 'environment' ? 'of the environment' : `in ${origin}`)

export interface CopiedDatabase {
  readonly source: ArchiveSource
  readonly facts: CopyFacts
}

/** Copies of one moment each, in `folder`. Throws DATABASE_MISSING for the main one, and what copying throws. */
export async function copyDatabases(
  databases: readonly KeptDatabase[],
  folder: string,
  exists: (path: string) => boolean,
): Promise<readonly CopiedDatabase[]> {
  const copies: CopiedDatabase[] = []
  for (const { path, member, kind, isMain } of databases) {
    if (!isMain && !exists(path)) continue
    const file = join(folder, `${copies.length}-${basename(member)}`)
    const facts = await copyWhileUsed(path, kind, file)
    const { schema, rows } = facts
    copies.push({
      facts,
      source: { path: member, role: 'database', content: { file }, database: { kind, schema, rows } },
    })
  }
  return copies
}
