// The Nostr rail as a part: relays over websockets, and the readiness of the whole.
import type { PayConfig } from '../../../config/index.js'
import { createRelayPool, type OpenSocket, type RelayHealth } from '../../../nostr/relays/index.js'
import { createOpenWebSocket, type SystemClock, type SystemLog, type SystemRandom } from '../../../system/index.js'
import { createNostrRail, type NostrRail, type NostrRailParts } from '../../../till/index.js'
import type { Check, Part } from '../../runtime.js'

interface NostrParts
  extends Pick<NostrRailParts, 'store' | 'workerId' | 'wallet' | 'identity' | 'settings' | 'till' | 'isShared'> {
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: SystemLog
  readonly openSocket?: OpenSocket | undefined
}

/** Nothing connects before the part starts. */
export const openNostrRail = ({ openSocket = createOpenWebSocket(), ...parts }: NostrParts): NostrRail =>
  createNostrRail({
    ...parts,
    openRelays: (hooks) => createRelayPool({ ...parts, ...hooks, openSocket }),
  })

const isListening = ({ state, subscribed }: Pick<RelayHealth, 'state' | 'subscribed'>): boolean =>
  state === 'connected' && subscribed

/** Unready while no relay brings mail, where customers are offered this way to pay. */
export function createNostrPart(rail: NostrRail, { checkoutMethods }: Pick<PayConfig, 'checkoutMethods'>): Part {
  async function check(): Promise<Check> {
    const { relays } = rail.state()
    const listening = relays.filter(isListening).length
    const [worst] = relays.filter((relay) => !isListening(relay))
    const trouble = worst ? `, ${worst.url}: ${worst.lastError ?? worst.state}` : ''
    const isOffered = checkoutMethods.includes('nostr')
    return { ok: listening > 0 || !isOffered, detail: `${listening} of ${relays.length} relays${trouble}` }
  }
  return { name: 'relays', start: rail.start, stop: rail.close, check }
}
