// Where people read their messages, and in which encryption: their newest kind 10050 (specification: invoicing, 4.5 and 4.7).
import { isPrivateHost } from '../../lib/private-host.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import type { Clock } from '../parts.js'
import type { Relays } from './ports.js'

export const RELAY_LIST_KIND = 10050
const LOOK_UP_MS = 3000
const KEPT_MS = 600_000
/** A list that nobody had may be on its way, and a relay that was down may be back. */
const MISSED_MS = 30_000
const MAX_KEPT = 2000
/** Look-ups begun early that run at the same time; strangers cause them. */
const MAX_AHEAD = 32
const MAX_FOREIGN = 3
const MAX_URL = 256

export interface RelayListParts {
  readonly relays: Pick<Relays, 'query'>
  /** The till's own set; looked through for everybody's lists. */
  readonly urls: readonly string[]
  readonly clock: Pick<Clock, 'now'>
}

interface Entry {
  readonly list: Promise<NostrEvent | undefined>
  /** Epoch milliseconds; infinite while it is looked up. */
  until: number
}

export type RelayLists = ReturnType<typeof createRelayLists>

/** Looks lists up once and remembers them for ten minutes. */
export function createRelayLists({ relays, urls, clock }: RelayListParts) {
  const known = new Map<string, Entry>()
  let looking = 0

  /** The pool checked id and signature; what it was asked for is checked here again: the list decides where money goes. */
  async function lookUp(pubkey: string): Promise<NostrEvent | undefined> {
    looking += 1
    try {
      const found = await relays.query({ kinds: [RELAY_LIST_KIND], authors: [pubkey], limit: 1 }, urls, LOOK_UP_MS)
      return found.find(({ kind, pubkey: author }) => kind === RELAY_LIST_KIND && author === pubkey)
    } catch {
      return undefined // an answer can be sent without a list
    } finally {
      looking -= 1
    }
  }

  /** The newest list of this key, or undefined when there is none within three seconds. Never rejects. */
  function find(pubkey: string): Promise<NostrEvent | undefined> {
    const before = known.get(pubkey)
    if (before && before.until > clock.now()) return before.list
    known.delete(pubkey)
    makeRoom()
    const entry: Entry = { list: lookUp(pubkey), until: Number.POSITIVE_INFINITY }
    known.set(pubkey, entry)
    return entry.list.then((list) => {
      entry.until = clock.now() + (list ? KEPT_MS : MISSED_MS)
      return list
    })
  }

  function makeRoom(): void {
    const [oldest] = known.keys()
    if (known.size >= MAX_KEPT && oldest !== undefined) known.delete(oldest)
  }

  return {
    find,
    /** Begins the look-up that a reply to this key will need. */
    lookAhead(pubkey: string): void {
      if (looking < MAX_AHEAD) find(pubkey).catch(() => undefined)
    },
  }
}

/** Where a letter goes: the own relays and the first three of the receiver's that may be dialled. */
export function targetsOf(list: NostrEvent | undefined, own: readonly string[]): readonly string[] {
  const mine = new Set(own.map(plainUrl))
  const named = (list?.tags ?? []).filter(([name]) => name === 'relay').map(([, url = '']) => url)
  const theirs = [...new Set(named.slice(0, 20).map(plainUrl))].filter((url) => !mine.has(url) && isDiallable(url))
  return [...own, ...theirs.slice(0, MAX_FOREIGN)]
}

/** One spelling per address: without a trailing slash, the host in lower case. Unreadable ones stay as they are. */
function plainUrl(url: string): string {
  if (url.length > MAX_URL || !URL.canParse(url)) return url
  const { href } = new URL(url)
  return href.replace(/\/$/, '')
}

/** Strangers choose these addresses: only encrypted ones, and none on this machine or its neighbours. */
function isDiallable(url: string): boolean {
  if (url.length > MAX_URL || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return protocol === 'wss:' && username === '' && password === '' && !isPrivateHost(hostname)
}
