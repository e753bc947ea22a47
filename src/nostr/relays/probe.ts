// Sends a gift wrap to a fresh key: tests whether an authenticating relay delivers to one-time keys over the main connection.
import type { RandomBytes } from '../../lib/random-bytes.js'
import { GIFT_WRAP_KIND, signEvent } from '../event/index.js'
import { freshSecret, publicKeyOf } from '../keys/index.js'
import type { RelayClient } from './client.js'
import { liveFilters, seconds } from './filters.js'
import type { RelayClock } from './ports.js'

const SUB = 'probe'
const ANSWER_MS = 10_000
const ARRIVAL_MS = 5000
/** As long and as random as a small message, so that a relay cannot distinguish the two. */
const CONTENT_BYTES = 900

/** Whether the wrap came back. Undefined: the relay refused it, or the connection ended. */
export async function probe(
  client: RelayClient,
  { clock, random }: { readonly clock: RelayClock; readonly random: RandomBytes },
): Promise<boolean | undefined> {
  const to = publicKeyOf(freshSecret(random))
  const content = Buffer.from(random.bytes(CONTENT_BYTES)).toString('base64')
  const letter = { kind: GIFT_WRAP_KIND, created_at: seconds(clock.now()), tags: [['p', to]], content }
  const arrival = new AbortController()
  let cameBack = false
  const nothing = () => undefined
  client.subs.open(SUB, liveFilters([to], clock.now()), {
    event() {
      cameBack = true
      arrival.abort()
      return true
    },
    eose: nothing,
    closed: nothing,
  })
  const { accepted } = await client.publish(signEvent(letter, freshSecret(random), random), ANSWER_MS)
  if (accepted && !cameBack) await clock.sleep(ARRIVAL_MS, arrival.signal)
  client.subs.close(SUB)
  return accepted ? cameBack : undefined
}
