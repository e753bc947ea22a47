// Synchronises two relays as far as each accepts the other's events. Both are reached over the network, so that the write policy of each applies.
import { messageOf } from '../../lib/errors.js'
import { syncFailed } from '../errors.js'
import { BadMessage } from '../negentropy/wire.js'
import { openPeer, type Peer, type PeerKey, type PeerParts } from './peer.js'
import { createRelayReconciler, type SyncSide } from './relay-reconciler.js'

export type Direction = 'up' | 'down' | 'both'

export interface SyncParts extends Omit<PeerParts, 'url' | 'key'> {
  /** Address of our own relay, and of the other one. */
  readonly here: string
  readonly there: string
  /** Proved to a relay that asks for authentication (NIP-42). */
  readonly key?: Omit<PeerKey, 'relay'> | undefined
  /** Address that our own relay expects in an AUTH event. Default: `here`. */
  readonly publicHere?: string | undefined
  /** A filter as NIP-01 writes it. */
  readonly filter: object
  /** `down` is towards us. */
  readonly direction: Direction
  /** Maximum number of differences in one run. */
  readonly most: number
  readonly onProgress?: (progress: SyncProgress) => void
}

export interface SyncProgress {
  readonly step: 'reconciling' | 'down' | 'up'
  readonly done: number
  /** Unknown while reconciling. */
  readonly of: number | undefined
}

export interface SyncTransfer {
  /** Events that only the source has. */
  readonly missing: number
  /** Of these: events that the source returned, and events that the target accepted. */
  readonly read: number
  readonly stored: number
  /** The target's reasons for refusing the others, and how often each occurred. */
  readonly refused: Readonly<Record<string, number>>
}

export interface SyncSummary {
  readonly messages: number
  readonly only_here: number
  readonly only_there: number
  /** Null for a direction that was not requested. */
  readonly down: SyncTransfer | null
  readonly up: SyncTransfer | null
}

const MOST_MESSAGES = 100_000
const EVENTS_AT_ONCE = 50
const MOST_REASONS = 20

/** Rejects with RELAY_UNREACHABLE, RELAY_SYNC_FAILED. Events transferred before stay. */
export async function syncRelays(parts: SyncParts): Promise<SyncSummary> {
  const { direction, key, onProgress = () => undefined } = parts
  const keyFor = (relay: string) => key && { ...key, relay }
  const here = await openPeer({ ...parts, url: parts.here, key: keyFor(parts.publicHere ?? parts.here) })
  try {
    const there = await openPeer({ ...parts, url: parts.there, key: keyFor(parts.there) })
    try {
      const { messages, have, need } = await reconcile({ here, there }, parts, onProgress)
      const down = direction === 'up' ? null : await transfer(there, here, need, report('down', onProgress))
      const up = direction === 'down' ? null : await transfer(here, there, have, report('up', onProgress))
      return { messages, only_here: have.length, only_there: need.length, down, up }
    } finally {
      there.close()
    }
  } finally {
    here.close()
  }
}

type OnProgress = (progress: SyncProgress) => void

const report =
  (step: SyncProgress['step'], onProgress: OnProgress) =>
  (done: number, of: number): void =>
    onProgress({ step, done, of })

type Peers = Readonly<Record<SyncSide, Peer>>

interface Reconciled {
  readonly messages: number
  readonly have: readonly string[]
  readonly need: readonly string[]
}

/** What a relay refuses for its size is reconciled in halves of time. */
async function reconcile(peers: Peers, parts: SyncParts, onProgress: OnProgress): Promise<Reconciled> {
  const [have, need] = [new Set<string>(), new Set<string>()]
  const windows: object[] = [parts.filter]
  let messages = 0
  for (let filter = windows.shift(); filter; filter = windows.shift()) {
    const found = await reconcileOnce(peers, { ...parts, filter, most: parts.most - have.size - need.size }, onProgress)
    messages += found === 'too many' ? 1 : found.messages
    if (messages > MOST_MESSAGES) throw syncFailed(peers.there.url, 'reconciling does not end')
    if (found === 'too many') windows.unshift(...halvesOf(filter, peers.there.url))
    else
      for (const [all, some] of [
        [have, found.have],
        [need, found.need],
      ] as const)
        for (const id of some) all.add(id)
  }
  return { messages, have: [...have], need: [...need] }
}

/** Epoch seconds. */
const LAST_SECOND = 2 ** 32 - 1

/** The later half first. A limit says which events belong to the set, so it cannot be divided. */
function halvesOf(filter: object, url: string): readonly object[] {
  const { since = 0, until = LAST_SECOND, limit } = filter as { since?: number; until?: number; limit?: number }
  if (limit !== undefined || since >= until) throw syncFailed(url, 'it refuses to reconcile so many events')
  const middle = Math.floor((since + until) / 2)
  return [
    { ...filter, since: middle + 1, until },
    { ...filter, since, until: middle },
  ]
}

async function reconcileOnce(
  peers: Peers,
  { filter, most }: SyncParts,
  onProgress: OnProgress,
): Promise<Reconciled | 'too many'> {
  const reconciler = createRelayReconciler(most)
  const { have, need } = reconciler.differences
  const end = () => {
    for (const peer of [peers.here, peers.there]) peer.endReconciling()
  }
  let messages = 0
  for (let next = reconciler.next(); next; next = reconciler.next()) {
    if (++messages > MOST_MESSAGES) throw syncFailed(peers.there.url, 'reconciling does not end')
    const peer = peers[next.side]
    const answer = await peer.reconcile(next.message, filter)
    if (answer === 'too many') {
      end()
      return answer
    }
    try {
      reconciler.answered(answer)
    } catch (error) {
      throw error instanceof BadMessage ? syncFailed(peer.url, messageOf(error)) : error
    }
    onProgress({ step: 'reconciling', done: have.length + need.length, of: undefined })
  }
  end()
  return { messages, have, need }
}

async function transfer(
  source: Peer,
  target: Peer,
  ids: readonly string[],
  onProgress: (done: number, of: number) => void,
): Promise<SyncTransfer> {
  const refused = new Map<string, number>()
  let [read, stored] = [0, 0]
  for (let at = 0; at < ids.length; at += EVENTS_AT_ONCE) {
    const events = await source.read(ids.slice(at, at + EVENTS_AT_ONCE))
    read += events.length
    for (const { accepted, text } of await Promise.all(events.map((event) => target.publish(event)))) {
      if (accepted) stored++
      else count(refused, text)
    }
    onProgress(Math.min(at + EVENTS_AT_ONCE, ids.length), ids.length)
  }
  return { missing: ids.length, read, stored, refused: Object.fromEntries(refused) }
}

/** Counts distinct reasons up to a limit, because the other relay chooses them. */
function count(refused: Map<string, number>, text: string): void {
  const reason = refused.has(text) || refused.size < MOST_REASONS ? text : 'other reasons'
  refused.set(reason, (refused.get(reason) ?? 0) + 1)
}
