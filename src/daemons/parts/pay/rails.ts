// The rails of a till: of a single one its parts as they are; of several instances those parts run where the lease is (rails-lease.ts).
import type { PayConfig } from '../../../config/index.js'
import type { Keychain } from '../../../grin/keychain/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import {
  createSharedRail,
  type NostrRail,
  type NostrRailParts,
  type RunningTill,
  type SharedRail,
  type TillLoop,
  type TillParts,
} from '../../../till/index.js'
import type { Part } from '../../runtime.js'
import { createLoop } from '../loop.js'
import { grin1Parts } from './grin1.js'
import type { TillNetwork } from './network.js'
import { createNostrPart, openNostrRail } from './nostr.js'
import { createOwnRelayPart } from './own-relay.js'
import { createRailsLease } from './rails-lease.js'
import type { Sharing } from './till-store.js'

interface RailsParts extends Pick<NostrRailParts, 'store' | 'workerId' | 'wallet' | 'identity' | 'settings'> {
  readonly config: PayConfig
  /** Undefined: there is no other instance. */
  readonly sharing: Sharing | undefined
  readonly keychain: Keychain
  /** Of the package. */
  readonly version: string
  readonly openSocket?: TillNetwork['openSocket']
  readonly foreign?: TillNetwork['foreign']
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: SystemLog
}

export interface TillRails {
  /** What `createTill` takes from them. */
  readonly seams: Pick<TillParts, 'oneTimeKeys' | 'messages' | 'watchEndpub' | 'watchInvoice' | 'relayState' | 'bell'>
  /** In start order. The rails use this till from their start on. */
  partsFor(till: RunningTill): readonly Part[]
  /** Of every instance. */
  readonly loops: readonly TillLoop[]
}

/** Nothing connects and nothing runs before the parts start. */
export const createRails = (parts: RailsParts): TillRails =>
  parts.sharing ? sharedRails(parts, parts.sharing) : singleRails(parts)

function singleRails(parts: RailsParts): TillRails {
  const till = createLater()
  const nostr = parts.config.ingest ? openNostrRail({ ...parts, till: till.verbs }) : undefined
  return {
    seams: nostr?.seams ?? {},
    loops: nostr?.loops ?? [],
    partsFor(running) {
      till.set(running)
      return [...relayParts(parts, nostr), ...onionParts(parts, running)]
    },
  }
}

function sharedRails(parts: RailsParts, sharing: Sharing): TillRails {
  const { config, clock, log } = parts
  const { bell, keepLease } = sharing
  const till = createLater()
  const shared = config.ingest ? createSharedRail({ ...parts, bell }) : undefined
  // An onion service that is kept outside leads to the port of each machine.
  const isOnionOurs = config.torControl !== undefined

  function leased(running: RunningTill): readonly Part[] {
    const nostr = shared && openNostrRail({ ...parts, till: till.verbs, isShared: true })
    return [
      ...relayParts(parts, nostr),
      ...(shared && nostr ? [useOf(shared, nostr)] : []),
      ...(nostr?.loops ?? []).map((loop) => createLoop({ ...loop, sleep: clock.sleep, log })),
      ...(isOnionOurs ? onionParts(parts, running) : []),
    ]
  }

  return {
    seams: { ...shared?.seams, bell },
    loops: shared?.loops ?? [],
    partsFor(running) {
      till.set(running)
      return [
        ...(shared ? [sharedRailPart(shared)] : []),
        ...(isOnionOurs ? [] : onionParts(parts, running)),
        ...(config.role === 'front' ? [] : [createRailsLease({ keepLease, open: () => leased(running), clock, log })]),
      ]
    },
  }
}

/** The own relay before those who dial it. */
const relayParts = (parts: RailsParts, nostr: NostrRail | undefined): readonly Part[] => [
  ...(parts.config.ownRelay ? [createOwnRelayPart(parts.config.ownRelay, parts)] : []),
  ...(nostr ? [createNostrPart(nostr, parts.config)] : []),
]

const onionParts = (parts: RailsParts, till: RunningTill): readonly Part[] =>
  parts.config.grin1Rail ? grin1Parts({ ...parts, till }) : []

const sharedRailPart = (rail: SharedRail): Part => ({
  name: 'receiving keys',
  start: async () => rail.start(),
  stop: async () => rail.close(),
})

/** From its start on the other instances have their keys watched and their messages sent by this rail. */
function useOf(shared: SharedRail, rail: NostrRail): Part {
  let end = (): void => {}
  return {
    name: 'announced keys',
    async start() {
      end = shared.use(rail)
    },
    stop: async () => end(),
  }
}

/** The till's verbs for a rail that is opened before it and uses them after the start. */
function createLater() {
  let till: RunningTill | undefined
  const running = (): RunningTill => {
    if (!till) throw new Error('the rails were started before their till')
    return till
  }
  const verbs: NostrRailParts['till'] = {
    accept: (offer) => running().accept(offer),
    voidPayment: (paymentId, author) => running().voidPayment(paymentId, author),
  }
  return {
    verbs,
    set(one: RunningTill) {
      till = one
    },
  }
}
