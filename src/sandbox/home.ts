// Where a sandbox keeps its database and wallet: a folder that says SANDBOX, thrown away unless the developer named one.
import { rmSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Cost, sealSeed } from '../grin/seedfile/index.js'
import { Secret } from '../lib/secret.js'
import { atExit, createDirectory, createFile, dataFiles, markNewWallet, type SystemRandom } from '../system/index.js'
import { notASandboxFolder } from './errors.js'

interface SandboxSecrets {
  readonly apiToken: Secret
  readonly adminToken: Secret
  readonly webhookSecret: Secret
  readonly walletPassword: Secret
}

export interface SandboxHome {
  readonly directory: string
  readonly secrets: SandboxSecrets
  /** Removes the folder when it was made for this run only; the end of the process does it too, however that comes. */
  leave(): Promise<void>
}

const MARK = 'SANDBOX.json'
const NAMES = { apiToken: 'pay_live_', adminToken: 'pay_admin_', webhookSecret: 'whsec_', walletPassword: '' } as const

type Texts = Record<keyof SandboxSecrets, string>

function freshTexts(random: SystemRandom): Texts {
  const draw = (prefix: string) => prefix + Buffer.from(random.bytes(32)).toString('hex')
  return {
    apiToken: draw(NAMES.apiToken),
    adminToken: draw(NAMES.adminToken),
    webhookSecret: draw(NAMES.webhookSecret),
    walletPassword: draw(NAMES.walletPassword),
  }
}

function parseTexts(directory: string, text: string): Texts {
  const value: unknown = JSON.parse(text)
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const read = (name: keyof SandboxSecrets): string => {
    const secret = members[name]
    if (members.network !== 'SANDBOX' || typeof secret !== 'string') throw notASandboxFolder(directory)
    return secret
  }
  return {
    apiToken: read('apiToken'),
    adminToken: read('adminToken'),
    webhookSecret: read('webhookSecret'),
    walletPassword: read('walletPassword'),
  }
}

/** The wallet guards nothing, so opening it need not be slow. */
const CHEAP: Cost = { N: 2 ** 14, r: 8, p: 1 }

/** A fresh seed, sealed for chain `sandbox`: no till on another chain opens it. */
async function makeWallet(directory: string, password: string, random: SystemRandom): Promise<void> {
  const path = dataFiles(directory).seed
  const entropy = new Secret(random.bytes(32))
  await markNewWallet(directory)
  const sealed = await sealSeed({ entropy, password: new Secret(password), chain: 'sandbox', random, cost: CHEAP })
  await createFile(path, sealed, 0o600)
}

/** Reads the mark of a folder, or sets it in an empty one. Throws NOT_A_SANDBOX_FOLDER for a folder with other things in it. */
async function claim(directory: string, random: SystemRandom): Promise<Texts> {
  await createDirectory(directory, 0o700)
  const names = await readdir(directory)
  if (names.includes(MARK)) return parseTexts(directory, await readFile(join(directory, MARK), 'utf8'))
  if (names.length > 0) throw notASandboxFolder(directory)
  const texts = freshTexts(random)
  await makeWallet(directory, texts.walletPassword, random)
  const content = { network: 'SANDBOX', about: 'play money only; no real till opens this folder', ...texts }
  await createFile(join(directory, MARK), `${JSON.stringify(content, null, 2)}\n`, 0o600)
  return texts
}

/** With a folder, tokens and invoices stay for the next run; without, nothing stays. Throws NOT_A_SANDBOX_FOLDER. */
export async function openHome(named: string | undefined, random: SystemRandom): Promise<SandboxHome> {
  const directory = named === undefined ? await mkdtemp(join(tmpdir(), 'grinpay-SANDBOX-')) : resolve(named)
  const forget = named === undefined ? atExit(() => rmSync(directory, { recursive: true, force: true })) : () => {}
  const texts = await claim(directory, random)
  return {
    directory,
    secrets: {
      apiToken: new Secret(texts.apiToken),
      adminToken: new Secret(texts.adminToken),
      webhookSecret: new Secret(texts.webhookSecret),
      walletPassword: new Secret(texts.walletPassword),
    },
    leave: async () => {
      if (named === undefined) await rm(directory, { recursive: true, force: true })
      forget()
    },
  }
}
