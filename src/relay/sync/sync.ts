// Two relays end with the same events, as far as each takes what the other has. Both are asked over the network, so that the write
// policy of each decides about every event.
import { messageOf } from '../../lib/errors.js'
import { syncFailed } from '../errors.js'
import { BadMessage } from '../negentropy/wire.js'
import { openPeer, type Peer, type PeerParts } from './peer.js'
import { createRelayReconciler, type Side } from './relay-reconciler.js'

export type Direction = 'up' | 'down' | 'both'

export interface SyncParts extends Omit<PeerParts, 'url'> {
  /** Address of our own relay, and of the other one. */
  readonly here: string
  readonly there: string
  /** A filter as NIP-01 writes it. */
  readonly filter: object
  /** `down` is towards us. */
  readonly direction: Direction
  /** More differences than this are too many for one run. */
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
  /** Of these, those that the source showed, and those that the target took. */
  readonly read: number
  readonly stored: number
  /** What the target said to the others, and how often. */
  readonly refused: Readonly<Record<string, number>>
}

export interface SyncSummary {
  readonly messages: number
  readonly only_here: number
  readonly only_there: number
  /** Null where that direction was not wished. */
  readonly down: SyncTransfer | null
  readonly up: SyncTransfer | null
}

const MOST_MESSAGES = 100_000
const EVENTS_AT_ONCE = 50
const MOST_REASONS = 20

/** Rejects with RELAY_UNREACHABLE, RELAY_SYNC_FAILED. What was transferred before stays. */
export async function syncRelays(parts: SyncParts): Promise<SyncSummary> {
  const { direction, onProgress = () => undefined } = parts
  const here = await openPeer({ ...parts, url: parts.here })
  try {
    const there = await openPeer({ ...parts, url: parts.there })
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

async function reconcile(peers: Readonly<Record<Side, Peer>>, { filter, most }: SyncParts, onProgress: OnProgress) {
  const reconciler = createRelayReconciler(most)
  const { have, need } = reconciler.differences
  let messages = 0
  for (let next = reconciler.next(); next; next = reconciler.next()) {
    if (++messages > MOST_MESSAGES) throw syncFailed(peers.there.url, 'reconciling does not end')
    const peer = peers[next.side]
    const answer = await peer.reconcile(next.message, filter)
    try {
      reconciler.answered(answer)
    } catch (error) {
      throw error instanceof BadMessage ? syncFailed(peer.url, messageOf(error)) : error
    }
    onProgress({ step: 'reconciling', done: have.length + need.length, of: undefined })
  }
  for (const peer of [peers.here, peers.there]) peer.endReconciling()
  return { messages, have: [...new Set(have)], need: [...new Set(need)] }
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

/** A stranger's words are counted one by one only so far. */
function count(refused: Map<string, number>, text: string): void {
  const reason = refused.has(text) || refused.size < MOST_REASONS ? text : 'other reasons'
  refused.set(reason, (refused.get(reason) ?? 0) + 1)
}
