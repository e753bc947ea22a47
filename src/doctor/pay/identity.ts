// The till's Nostr key, looked up without making one: the doctor changes nothing.
import { readFile } from 'node:fs/promises'
import type { PayConfig } from '../../config/index.js'
import { openSeed, requireSeedOf, weakPassword } from '../../grin/seedfile/index.js'
import { GrinpayError, messageOf } from '../../lib/errors.js'
import type { Secret } from '../../lib/secret.js'
import { openIdentity } from '../../nostr/identity/index.js'
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import { dataFiles } from '../../system/index.js'
import type { DoctorCheck, KnownIdentity } from '../check.js'
import { type Finding, fail, failed, pass, warn } from '../finding.js'

type Settings = Pick<PayConfig, 'dataDir' | 'nsec' | 'ncryptsec' | 'walletPassword'>

/** Looks once for all callers. Never rejects. */
export function createIdentityLookup(
  settings: Settings,
  random: { bytes(length: number): Uint8Array },
): () => Promise<KnownIdentity> {
  let found: Promise<KnownIdentity> | undefined
  return () => {
    found ??= look(settings, random)
    return found
  }
}

async function look({ dataDir, ...sources }: Settings, random: { bytes(length: number): Uint8Array }) {
  const path = dataFiles(dataDir).identity
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => thrown)
  const stored = typeof text === 'string' ? text : undefined
  const unknown = { secret: undefined, pubkey: stored === undefined ? undefined : pubkeyIn(stored) }
  if (!sources.nsec && !sources.ncryptsec && typeof text !== 'string') {
    const why = text.code === 'ENOENT' ? `there is no ${path} yet` : `${path} cannot be read (${text.code})`
    const remedy = text.code === 'ENOENT' ? 'the till makes it at its first start' : 'run grinpay doctor as root'
    return { ...unknown, why, remedy }
  }
  const write = () => Promise.reject(new Error('the doctor writes nothing'))
  try {
    const { secret, pubkey } = await openIdentity({ ...sources, random, file: { read: async () => stored, write } })
    return { secret, pubkey, why: '', remedy: '' }
  } catch (thrown) {
    const { hint, code } = thrown instanceof GrinpayError ? thrown : { hint: undefined, code: undefined }
    const isSealed = unknown.pubkey !== undefined && sources.walletPassword === undefined
    return {
      ...unknown,
      isSealed,
      stopsTheTill: code !== PASSWORD_MISSING,
      why: messageOf(thrown),
      remedy: hint ?? 'grinpay config show tells where the key comes from',
    }
  }
}

/** The one reason that the till may not share: its unit hands the password over. */
const PASSWORD_MISSING = 'IDENTITY_PASSWORD_MISSING'

/** The public half stands in the file in clear. */
function pubkeyIn(stored: string): string | undefined {
  try {
    return parsePubkey(/"npub":"(npub1[a-z0-9]{58})"/.exec(stored)?.[1] ?? '')
  } catch {
    return undefined // a damaged file; opening it says how
  }
}

export const identityCheck: DoctorCheck = {
  name: 'identity',
  limitMs: 30_000,
  applies: ({ ingest }) => ingest,
  async run({ identity }) {
    const { secret, pubkey, why, remedy, isSealed, stopsTheTill } = await identity()
    if (secret && pubkey !== undefined) return [pass(`${formatNpub(pubkey)} opens`)]
    if (pubkey !== undefined && isSealed)
      return [pass(`${formatNpub(pubkey)}, which only the service can open; a stand-in is used here`)]
    if (stopsTheTill) return [fail(`the till does not start: ${why}`, remedy)]
    return [warn(`the till's Nostr key does not open here, a stand-in is used: ${why}`, remedy)]
  },
}

// The wallet's seed: whether its file is one of this till, and the password opens it. The seed itself is wiped at once.

const MAKE_ONE = 'grinpay setup pay makes one; grinpay wallet restore makes it from the seed words'

export const walletCheck: DoctorCheck = {
  name: 'wallet',
  limitMs: 30_000,
  async run({ config: { dataDir, chain, mnemonic, walletPassword: password } }) {
    const path = dataFiles(dataDir).seed
    const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => thrown)
    if (typeof text !== 'string') return [unreadable(path, text, { isMadeAtStart: mnemonic !== undefined, password })]
    try {
      requireSeedOf(text, chain)
      if (!password) return [pass(`${path}, made for ${chain}; only the service has its password`)]
      const seed = await openSeed(text, password, chain)
      seed.wipe()
      return [pass(`${path} opens`)]
    } catch (thrown) {
      return [failed(thrown, MAKE_ONE)]
    }
  },
}

interface FirstStart {
  /** From PAY_MNEMONIC. */
  readonly isMadeAtStart: boolean
  readonly password: Secret | undefined
}

function unreadable(path: string, thrown: NodeJS.ErrnoException, { isMadeAtStart, password }: FirstStart): Finding {
  if (thrown.code !== 'ENOENT')
    return warn(`${path} cannot be read (${messageOf(thrown)})`, 'run grinpay doctor as root')
  const weak = isMadeAtStart && password ? weakPassword(password.reveal()) : undefined
  if (weak !== undefined)
    return fail(
      `there is no ${path} yet, and the first start makes none: ${weak}`,
      'write a longer one into the file of PAY_WALLET_PASSWORD_FILE',
    )
  if (isMadeAtStart) return pass(`there is no ${path} yet: the first start makes it from PAY_MNEMONIC`)
  return warn(`there is no wallet at ${path}: the till does not start without one`, MAKE_ONE)
}
