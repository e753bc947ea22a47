// Publishes events to a running relay over its own address. Refuses locally what would get a client disconnected.
import { hasTrueId, type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import type { Verifier } from '../ports.js'
import { openPeer, type Peer, type PeerParts } from '../sync/peer.js'
import type { PublishAnswer } from './import.js'

export interface PublisherParts extends PeerParts {
  readonly verifier: Verifier
  /** Longer messages end the connection. */
  readonly maxMessageBytes: number
}

export interface Publisher {
  /** Rejects with RELAY_SYNC_FAILED. */
  take(values: readonly unknown[]): Promise<readonly PublishAnswer[]>
  close(): void
}

const RATE_LIMITED = 'rate-limited:'
const PAUSE_MS = 1000
/** A rate limit per minute ends within this many pauses. */
const MOST_PAUSES = 90
/** `["EVENT",` and `]`. */
const AROUND = 10

/** Rejects with RELAY_UNREACHABLE. */
export async function openPublisher(parts: PublisherParts): Promise<Publisher> {
  const peer = await openPeer(parts)
  const underWay = new Map<string, Promise<PublishAnswer>>()

  /** After earlier copies of the event, because one OK answers all copies that wait for one. */
  async function publishInTurn(value: unknown): Promise<PublishAnswer> {
    const event = parseEvent(value)
    if (!event) return refusal('?', 'invalid: not an event')
    const { id } = event
    const answer = (underWay.get(id) ?? Promise.resolve()).then(() => publish(event, peer, parts))
    underWay.set(id, answer)
    return answer.finally(() => underWay.get(id) === answer && underWay.delete(id))
  }

  return {
    take: (values) => Promise.all(values.map(publishInTurn)),
    close: peer.close,
  }
}

async function publish(event: NostrEvent, peer: Peer, parts: PublisherParts): Promise<PublishAnswer> {
  const { id } = event
  if (!hasTrueId(event)) return refusal(id, 'invalid: id is not that of the content')
  if (Buffer.byteLength(JSON.stringify(event)) + AROUND > parts.maxMessageBytes)
    return refusal(id, 'invalid: event too large')
  if (!(await isSigned(event, parts.verifier))) return refusal(id, 'invalid: bad signature')
  return { id, ...(await publishWithRetries(event, peer, parts)) }
}

async function publishWithRetries(event: NostrEvent, peer: Peer, { clock }: PublisherParts) {
  let answer = await peer.publish(event)
  for (let pauses = 0; pauses < MOST_PAUSES && answer.text.startsWith(RATE_LIMITED); pauses++) {
    await clock.sleep(PAUSE_MS)
    answer = await peer.publish(event)
  }
  return answer
}

const isSigned = (event: NostrEvent, verifier: Verifier): Promise<boolean> =>
  new Promise((resolve) => verifier.submit(event, resolve))

const refusal = (id: string, text: string): PublishAnswer => ({ id, accepted: false, text })
