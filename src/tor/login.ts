// Mutual authentication with tor (torspec, control-spec 3.5, 3.21, 3.24).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { fromHex, toHex } from '../lib/bytes.js'
import { GrinpayError } from '../lib/errors.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import { Secret } from '../lib/secret.js'
import { type Channel, type ControlEndpoint, formatEndpoint } from './channel.js'
import { torCookieUnreadable, torLoginRefused, torNonsense, torNotGenuine, torRefused } from './errors.js'
import { parseWords, type Reply, type ReplyWords } from './replies.js'

// The cookie file: reading it authenticates both the till and tor.
const COOKIE_LENGTH = 32

/** Reads a cookie file of 32 bytes. Rejects with TOR_COOKIE_UNREADABLE, which names the file. */
export type ReadCookie = (path: string) => Promise<Secret<Uint8Array>>

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'there is no such file',
}

/**
 * The path comes from the listener at the control port, which may not be tor. Accepts only what tor writes: a regular file of exactly
 * 32 bytes that is not world-readable, because a public cookie would prove nothing.
 */
export const readCookieFile: ReadCookie = async (path) => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown: NodeJS.ErrnoException) => {
    throw torCookieUnreadable(path, CAUSES[thrown.code ?? ''] ?? `it cannot be opened (${thrown.code ?? 'unknown'})`)
  })
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size !== COOKIE_LENGTH)
      throw torCookieUnreadable(path, `it is not a file of ${COOKIE_LENGTH} bytes`)
    if ((found.mode & 0o004) !== 0)
      throw torCookieUnreadable(path, 'everybody can read it; tor writes it with mode 0640')
    const bytes = new Uint8Array(COOKIE_LENGTH)
    const { bytesRead } = await file.read(bytes, 0, COOKIE_LENGTH, 0)
    if (bytesRead !== COOKIE_LENGTH) throw torCookieUnreadable(path, 'it shrank while being read')
    return new Secret(bytes)
  } finally {
    await file.close()
  }
}

export interface LoginParts {
  readonly endpoint: ControlEndpoint
  readonly password: Secret | undefined
  readonly random: RandomBytes
  readonly readCookie: ReadCookie
}

/** tor's reply before authentication. */
interface Offer {
  readonly methods: readonly string[]
  readonly cookieFile: string | undefined
  readonly version: string
}

const NONCE_LENGTH = 32
const SERVER_KEY = 'Tor safe cookie authentication server-to-controller hash'
const CLIENT_KEY = 'Tor safe cookie authentication controller-to-server hash'

/** Logs in; resolves with tor's version. Rejects with one of the TOR_ errors. */
export async function logIn(channel: Channel, parts: LoginParts): Promise<string> {
  const where = formatEndpoint(parts.endpoint)
  const offer = readOffer(await channel.ask('PROTOCOLINFO', '1'), where)
  const proof = await proofFor(channel, parts, offer)
  // Replies to AUTHENTICATE are not quoted: a listener that is not tor may repeat the password.
  await channel.ask('AUTHENTICATE', proof).catch((thrown: unknown) => {
    if (torRefused.is(thrown)) throw torLoginRefused(where, 'it does not accept our cookie or password')
    throw thrown
  })
  return offer.version
}

/** The argument of AUTHENTICATE. The cookie comes first: only its method authenticates tor. */
async function proofFor(channel: Channel, parts: LoginParts, offer: Offer): Promise<string> {
  const { endpoint, password } = parts
  const where = formatEndpoint(endpoint)
  const byPassword = password && offer.methods.includes('HASHEDPASSWORD') ? password : undefined
  if (offer.methods.includes('SAFECOOKIE') && offer.cookieFile !== undefined) {
    const cookie = await parts.readCookie(offer.cookieFile).catch((thrown: unknown) => {
      if (byPassword && torCookieUnreadable.is(thrown)) return undefined
      throw thrown
    })
    if (cookie) return cookieProof(channel, parts, cookie)
  }
  if (byPassword) return toHex(Buffer.from(byPassword.reveal()))
  if (!offer.methods.includes('NULL'))
    throw torLoginRefused(where, `it asks for ${offer.methods.join(' or ') || 'something unknown'}`)
  // While tor is down, every local user can listen at its TCP port, but not at a socket file in tor's folder.
  if (!('path' in endpoint)) throw torNotGenuine(where, 'it asks for neither cookie nor password')
  return ''
}

async function cookieProof(
  channel: Channel,
  { endpoint, random }: LoginParts,
  cookie: Secret<Uint8Array>,
): Promise<string> {
  const where = formatEndpoint(endpoint)
  const ours = random.bytes(NONCE_LENGTH)
  const reply = await channel.ask('AUTHCHALLENGE', `SAFECOOKIE ${toHex(ours)}`)
  const words = reading(where, () => parseWords(reply.lines[0]?.text ?? ''))
  const theirs = reading(where, () => fromHex(words.get('SERVERNONCE') ?? '', NONCE_LENGTH, 'SERVERNONCE'))
  const shown = reading(where, () => fromHex(words.get('SERVERHASH') ?? '', 32, 'SERVERHASH'))
  const hash = (key: string) => createHmac('sha256', key).update(cookie.reveal()).update(ours).update(theirs).digest()
  if (!timingSafeEqual(hash(SERVER_KEY), shown)) throw torNotGenuine(where, 'it does not know its own cookie')
  return toHex(hash(CLIENT_KEY))
}

function readOffer({ lines }: Reply, where: string): Offer {
  const words = (name: string): ReplyWords | undefined => {
    const line = lines.find(({ text }) => text.startsWith(`${name} `))
    return line && reading(where, () => parseWords(line.text))
  }
  const auth = words('AUTH')
  if (!auth) throw torNonsense(where, 'no AUTH line')
  return {
    methods: (auth.get('METHODS') ?? '').split(',').filter((method) => /^[A-Z]{1,20}$/.test(method)),
    cookieFile: auth.get('COOKIEFILE'),
    version: (words('VERSION')?.get('Tor') ?? 'unknown').slice(0, 40),
  }
}

/** Reads a reply. An unreadable reply is not from tor. */
function reading<T>(where: string, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof GrinpayError || !(thrown instanceof RangeError)) throw thrown
    throw torNonsense(where, thrown.message)
  }
}
