// Which events of a set a relay still holds after it got all of them.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { classOf, identifierOf, type NostrEvent } from '../../../src/nostr/event/index.js'

export interface Line {
  readonly text: string
  readonly event: NostrEvent
}

/** The events of a file of JSON lines, in its order. Who stops early stops the reading too: it would go on beside the measurement. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  const input = createReadStream(path, { highWaterMark: 1 << 20 })
  try {
    for await (const text of createInterface({ input }))
      if (text !== '') yield { text, event: JSON.parse(text) as NostrEvent }
  } finally {
    input.destroy()
  }
}

/** What an event replaces others under; undefined when it replaces none. */
export function addressOf({ kind, pubkey, tags }: NostrEvent): string | undefined {
  const its = classOf(kind)
  if (its === 'regular' || its === 'ephemeral') return undefined
  return `${kind}:${pubkey}:${its === 'addressable' ? identifierOf(tags) : ''}`
}

const isNewer = (one: NostrEvent, other: NostrEvent): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id < other.id)

/** The ids that are replaced by others of the file. */
export async function replacedIn(path: string): Promise<ReadonlySet<string>> {
  const newest = new Map<string, NostrEvent>()
  const replaced = new Set<string>()
  for await (const { event } of linesOf(path)) {
    const address = addressOf(event)
    if (address === undefined) continue
    const known = newest.get(address)
    if (known) replaced.add(isNewer(event, known) ? known.id : event.id)
    if (!known || isNewer(event, known)) newest.set(address, event)
  }
  return replaced
}
