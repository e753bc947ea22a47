// Checks of an AUTH event (NIP-42; specification: relay, 8), except its signature.
import { parseUrl } from '../../lib/url.js'
import { AUTH_KIND, type NostrEvent } from '../../nostr/event/index.js'

export interface AuthCheck {
  /** The challenge of this connection. */
  readonly challenge: string
  /** Host and port of every address of this relay. */
  readonly hosts: ReadonlySet<string>
  /** Epoch seconds. */
  readonly now: number
}

interface Rule {
  readonly refusal: string
  readonly breaks: (event: NostrEvent, check: AuthCheck) => boolean
}

const MOST_SECONDS_OFF = 600
const CHALLENGE_BYTES = 16

/** Checked in this order. */
const RULES: readonly Rule[] = [
  { refusal: 'invalid: not an AUTH event', breaks: ({ kind }) => kind !== AUTH_KIND },
  {
    refusal: 'invalid: created_at is not within 10 minutes of now',
    breaks: ({ created_at }, { now }) => Math.abs(created_at - now) > MOST_SECONDS_OFF,
  },
  {
    refusal: 'invalid: not the challenge of this connection',
    breaks: (event, { challenge }) => valueOfTag(event, 'challenge') !== challenge,
  },
  {
    refusal: 'invalid: not the address of this relay',
    breaks: (event, { hosts }) => !hosts.has(hostAndPortOf(valueOfTag(event, 'relay') ?? '') ?? ''),
  },
]

export const refusalForAuth = (event: NostrEvent, check: AuthCheck): string | undefined =>
  RULES.find((rule) => rule.breaks(event, check))?.refusal

const valueOfTag = ({ tags }: NostrEvent, name: string): string | undefined => tags.find((tag) => tag[0] === name)?.[1]

/** Host and port of a websocket address, in lower case; undefined for anything else. */
export function hostAndPortOf(address: string): string | undefined {
  if (!/^wss?:\/\//i.test(address) || parseUrl(address) === undefined) return undefined
  const { hostname, port, protocol } = new URL(address)
  return `${hostname}:${port || (protocol === 'wss:' ? 443 : 80)}`
}

/** 128 random bits in hex. */
export const newChallenge = (random: { bytes(length: number): Uint8Array }): string =>
  Buffer.from(random.bytes(CHALLENGE_BYTES)).toString('hex')
