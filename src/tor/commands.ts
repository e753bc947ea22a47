// The till's commands to tor, and their replies (torspec, control-spec 3.9, 3.27, 3.28).
import { createHash } from 'node:crypto'
import { plainText } from '../lib/plain-text.js'
import { Secret } from '../lib/secret.js'
import type { Channel } from './channel.js'
import { onionOther, onionTaken, torRefused } from './errors.js'
import { parseWords, type ReplyWords } from './replies.js'

/** SHA-512 of the 32-byte seed with the clamping of RFC 8032, 5.1.5: 32 bytes of scalar, 32 bytes of prefix. */
function expandedKey(seed: Secret<Uint8Array>): Secret<Uint8Array> {
  const bytes = seed.reveal()
  if (bytes.length !== 32) throw new RangeError(`an ed25519 seed has 32 bytes, not ${bytes.length}`)
  const hash = new Uint8Array(createHash('sha512').update(bytes).digest())
  hash[0] = (hash[0] ?? 0) & 0xf8
  hash[31] = ((hash[31] ?? 0) & 0x7f) | 0x40
  return new Secret(hash)
}

/** tor's bootstrap progress in percent, and tor's text for the step. */
export interface BootstrapProgress {
  readonly percent: number
  readonly step: string
}

export interface OnionService {
  /** The 56 characters without `.onion`. */
  readonly onion: string
  /** The ed25519 seed of the address, 32 bytes. */
  readonly seed: Secret<Uint8Array>
  /** Port of 127.0.0.1 that receives port 80 of the service. */
  readonly port: number
}

/** Adds a service for the life of the connection. Rejects with ONION_TAKEN, ONION_OTHER or TOR_REFUSED. */
export async function addOnion(channel: Channel, { onion, seed, port }: OnionService): Promise<void> {
  const key = Buffer.from(expandedKey(seed).reveal()).toString('base64')
  const adding = channel.ask('ADD_ONION', `ED25519-V3:${key} Flags=DiscardPK Port=80,127.0.0.1:${port}`)
  const { lines } = await adding.catch((thrown: unknown) => {
    if (torRefused.is(thrown) && /collision/i.test(thrown.message)) throw onionTaken(onion)
    throw thrown
  })
  const made = lines.flatMap(({ text }) => /^ServiceID=([a-z2-7]{1,64})$/.exec(text)?.[1] ?? [])[0] ?? 'of no name'
  if (made === onion) return
  // tor made a service with another address.
  await removeOnion(channel, made).catch(() => undefined)
  throw onionOther(made, onion)
}

/** Removes the service, if this connection or a detached one has it; resolves with whether there was one. */
export async function removeOnion(channel: Channel, onion: string): Promise<boolean> {
  return channel.ask('DEL_ONION', onion).then(
    () => true,
    (thrown: unknown) => {
      if (torRefused.is(thrown)) return false
      throw thrown
    },
  )
}

/** Whether this connection still has the service. */
export async function hasOnion(channel: Channel, onion: string): Promise<boolean> {
  const listed = await askInfo(channel, 'onions/current')
  return listed.split('\n').includes(onion)
}

/** Undefined for an unknown form. */
export const readProgress = async (channel: Channel): Promise<BootstrapProgress | undefined> =>
  parseProgress(await askInfo(channel, 'status/bootstrap-phase'))

async function askInfo(channel: Channel, name: string): Promise<string> {
  const { lines } = await channel.ask('GETINFO', name)
  const line = lines.find(({ text }) => text.startsWith(`${name}=`))
  return line?.data ?? line?.text.slice(name.length + 1) ?? ''
}

/** From `NOTICE BOOTSTRAP PROGRESS=80 TAG=… SUMMARY="…"`. */
function parseProgress(text: string): BootstrapProgress | undefined {
  const words = wordsOf(text)
  const percent = /^\d{1,3}$/.exec(words?.get('PROGRESS') ?? '')?.[0]
  if (!words?.has('BOOTSTRAP') || percent === undefined) return undefined
  return { percent: Math.min(Number(percent), 100), step: printable(words.get('SUMMARY') ?? '') }
}

/** An event about the till's service. */
export type Notice =
  | { readonly kind: 'progress'; readonly progress: BootstrapProgress }
  | { readonly kind: 'uploaded' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Events to ask for with SETEVENTS. */
export const TOR_EVENTS = 'HS_DESC STATUS_CLIENT'

/** Undefined for events of other services, and for unrequested events. */
export function parseNotice(line: string, onion: string): Notice | undefined {
  if (line.startsWith('STATUS_CLIENT ')) {
    const progress = parseProgress(line)
    return progress && { kind: 'progress', progress }
  }
  const [event, action, address] = line.split(' ', 3)
  if (event !== 'HS_DESC' || address !== onion) return undefined
  if (action === 'UPLOADED') return { kind: 'uploaded' }
  if (action !== 'FAILED') return undefined
  return { kind: 'refused', reason: printable(wordsOf(line)?.get('REASON') ?? 'UNKNOWN') }
}

function wordsOf(line: string): ReplyWords | undefined {
  try {
    return parseWords(line)
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}

const printable = (text: string): string => plainText(text).slice(0, 100)
