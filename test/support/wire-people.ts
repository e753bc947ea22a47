// People who publish, with events made and signed by a library that is not ours.
import { createHash } from 'node:crypto'
import { finalizeEvent, getPublicKey, type NostrEvent } from 'nostr-tools/pure'

export interface Template {
  readonly kind?: number
  readonly created_at?: number
  readonly tags?: readonly (readonly string[])[]
  readonly content?: string
}

export interface Person {
  readonly pubkey: string
  readonly secret: Uint8Array
  /** A new note of now by default. */
  event(template?: Template): NostrEvent
  /** A deletion. */
  deletion(tags: readonly (readonly string[])[], created_at?: number): NostrEvent
}

let written = 0

/** Epoch seconds. */
export const now = (): number => Math.floor(Date.now() / 1000)

/** The same keys in every run. */
export function person(name: string): Person {
  const secret = new Uint8Array(createHash('sha256').update(`wire ${name}`).digest())
  const pubkey = getPublicKey(secret)
  const event = ({ kind = 1, created_at = now(), tags = [], content }: Template = {}): NostrEvent => {
    const whole = { kind, created_at, tags: tags.map((tag) => [...tag]), content: content ?? `event ${++written}` }
    // Without what the library writes into it for itself.
    return JSON.parse(JSON.stringify(finalizeEvent(whole, secret))) as NostrEvent
  }
  return {
    pubkey,
    secret,
    event,
    deletion: (tags, created_at = now()) => event({ kind: 5, tags, created_at, content: '' }),
  }
}

const NOTED = Array.from({ length: 200 }, (_, n) => `writer ${n}`)
let given = 0

/** A listed author of notes whom no other test has. */
export const writer = (): Person => person(NOTED[given++ % NOTED.length] ?? '')

/** Of everybody who may publish notes. */
export const writers = (): readonly string[] => NOTED.map((name) => person(name).pubkey)

/** All kinds that are events of their own; 22242 is not stored. */
export const ALL_KINDS: readonly number[] = Array.from({ length: 65_536 }, (_, kind) => kind).filter(
  (kind) => kind !== 22_242,
)

/** A gift wrap, from a key that is thrown away, for a recipient. */
export const wrapFor = (recipient: string, template: Template = {}, from = writer()): NostrEvent =>
  from.event({ kind: 1059, tags: [['p', recipient]], content: 'sealed', ...template })

export const ids = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id)

/** As a relay answers: newest first, of one second the lowest id first. */
export const inOrder = (events: readonly NostrEvent[]): readonly string[] =>
  ids([...events].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1)))

/** An event whose compact JSON has exactly so many bytes. */
export function eventOfBytes(who: Person, bytes: number): NostrEvent {
  const empty = Buffer.byteLength(JSON.stringify(who.event({ content: '' })))
  return who.event({ content: 'x'.repeat(bytes - empty) })
}
