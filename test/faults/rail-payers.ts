// People who pay over Nostr, with an envelope library and a slatepack reader that are not the till's: what they got is judged by
// their own eyes.
import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { nip44, type NostrEvent as ToolsEvent, verifyEvent } from 'nostr-tools'
import { finalizeEvent, generateSecretKey, getEventHash, getPublicKey } from 'nostr-tools/pure'
import type { NostrEvent } from '../../src/nostr/event/index.js'

export interface RailPayer {
  readonly secret: Uint8Array
  readonly pubkey: string
  /** The armored S1 and the slate's id. */
  readonly s1: string
  readonly slateId: string
  /** The key that is paid, and its invoice. */
  readonly to: string
  readonly invoiceId: string
  /** Another payer pays the same invoice: one of them gets no reply. */
  readonly isRival: boolean
  /** Ids of the wraps that held the S1. */
  readonly wraps: string[]
  /** It took the payment back: after it had the S2, or before. */
  voided: 'never' | 'answered' | 'unanswered'
}

const PREAMBLE = '[Goblin] GRIN payment message — open in Goblin (https://goblin.st) to process.'

export function newRailPayer(about: Pick<RailPayer, 's1' | 'slateId' | 'to' | 'invoiceId' | 'isRival'>): RailPayer {
  const secret = generateSecretKey()
  return { ...about, secret, pubkey: getPublicKey(secret), wraps: [], voided: 'never' }
}

const DAYS_BACK = 172_800

interface Layer {
  readonly kind: number
  readonly by: Uint8Array
  readonly to: string
  readonly tags: string[][]
  /** Epoch seconds; up to two days before it is what the layer claims. */
  readonly now: number
}

/** NIP-59 by nostr-tools' own parts, not by its `wrapEvent`: that one reads the real clock, and a round may play in another time. */
function layer(inner: object, { kind, by, to, tags, now }: Layer): NostrEvent {
  const content = nip44.encrypt(JSON.stringify(inner), nip44.getConversationKey(by, to))
  const created_at = now - Math.floor(Math.random() * DAYS_BACK)
  const { id, pubkey, sig } = finalizeEvent({ kind, created_at, tags, content }, by)
  return { id, pubkey, created_at, kind, tags, content, sig }
}

/** `at` in epoch milliseconds. */
function wrapFrom(
  { secret, to }: Pick<RailPayer, 'secret' | 'to'>,
  content: string,
  more: string[][],
  at: number,
): NostrEvent {
  const now = Math.floor(at / 1000)
  const unsigned = { kind: 14, pubkey: getPublicKey(secret), content, tags: [['p', to], ...more], created_at: now }
  const seal = layer({ ...unsigned, id: getEventHash(unsigned) }, { kind: 13, by: secret, to, tags: [], now })
  return layer(seal, { kind: 1059, by: generateSecretKey(), to, tags: [['p', to]], now })
}

/** Another gift wrap of the same S1. */
export function payment(payer: RailPayer, now: number): NostrEvent {
  const wrap = wrapFrom(payer, `${PREAMBLE}\n\n${payer.s1}`, [['goblin', '1']], now)
  payer.wraps.push(wrap.id)
  return wrap
}

export const takeBack = (payer: RailPayer, now: number): NostrEvent =>
  wrapFrom(payer, 'Payment cancelled', [['goblin-action', 'void', payer.slateId]], now)

export interface ReceivedMessage {
  readonly wrap: string
  /** Who wrote it, by the signature of the seal. */
  readonly author: string
  readonly content: string
}

/** Opens a gift wrap by NIP-59 with nostr-tools. Throws when anything about it is not as it must be. */
export function readWrap({ secret }: Pick<RailPayer, 'secret'>, wrap: NostrEvent): ReceivedMessage {
  const seal = openLayer(wrap, secret)
  if (seal.kind !== 13 || !verifyEvent(seal)) throw new Error('the seal is forged')
  const rumor = openLayer(seal, secret)
  if (rumor.pubkey !== seal.pubkey || rumor.kind !== 14) throw new Error('the rumor is not by the author of the seal')
  return { wrap: wrap.id, author: seal.pubkey, content: rumor.content }
}

function openLayer(event: NostrEvent, secret: Uint8Array): ToolsEvent {
  const asTools = { ...event, tags: event.tags.map((tag) => [...tag]) }
  if (!verifyEvent({ ...asTools })) throw new Error('the signature is wrong')
  return JSON.parse(nip44.decrypt(event.content, nip44.getConversationKey(secret, event.pubkey)))
}

const ARMOR = /BEGINSLATEPACK\.([^.]*)\.\s*ENDSLATEPACK\./
const twice = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()

export interface ReadSlate {
  readonly armor: string
  readonly id: string
  /** 2 is S2. */
  readonly state: number
}

/** The slate in a text: armor, check bytes, the plain envelope, and of the binary slate (version 4) what its head says. */
export function slateIn(text: string): ReadSlate | undefined {
  const [armor, words] = ARMOR.exec(text) ?? []
  if (armor === undefined || words === undefined) return undefined
  const bytes = Buffer.from(base58.decode(words.replace(/\s/g, '')))
  const body = bytes.subarray(4)
  if (!twice(body).subarray(0, 4).equals(bytes.subarray(0, 4))) throw new Error('the check bytes are wrong')
  if (body[2] !== 0) throw new Error('the slatepack is encrypted')
  const slate = body.subarray(9 + body.readUInt32BE(5) + 8)
  if (slate.readUInt16BE(0) !== 4) throw new Error('not a slate of version 4')
  const id = slate.subarray(4, 20).toString('hex')
  return { armor, id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), state: slate[20] ?? 0 }
}
