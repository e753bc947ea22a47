// A relay for tests: real sessions on a store in memory, signatures checked in this process.
import { loadRelayConfig, openEnvironment } from '../../src/config/index.js'
import { type EventTemplate, isGenuine, type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import type { RelayParts, RelaySettings, Verifier, WritePolicy } from '../../src/relay/index.js'
import { createFakeClock } from './fake-clock.js'
import { fakeEventStore } from './fake-event-store.js'
import { keyPairOf, seededRandom } from './nostr.js'
import { NOON } from './till-builders.js'

export const RELAY_URL = 'wss://relay.example'

const { relay: DEFAULTS } = loadRelayConfig({ environment: openEnvironment({ variables: {} }) })

/** Those of a relay with defaults, and an address. */
export const RELAY_SETTINGS: RelaySettings = { ...DEFAULTS, info: { ...DEFAULTS.info, relayUrls: [RELAY_URL] } }

/** Changed settings of a group leave the others of it as they are. */
export type SettingChanges = {
  readonly [Group in keyof RelaySettings]?: Partial<RelaySettings[Group]> | RelaySettings[Group]
}

export function relaySettings(changes: SettingChanges = {}): RelaySettings {
  const merged: Record<string, unknown> = { ...RELAY_SETTINGS }
  for (const [group, change] of Object.entries(changes))
    merged[group] = typeof change === 'object' ? { ...(merged[group] as object), ...change } : change
  return merged as unknown as RelaySettings
}

/** Everybody may write everything. */
export const openPolicy: WritePolicy = { refusalFor: () => undefined, ask: undefined }

/** Checks at the end of the turn, one after the other. */
const honestVerifier: Verifier = {
  submit: (event, done) => void setImmediate(() => done(isGenuine(event))),
}

/** Signs, with the same bytes in every run. */
export function anEvent(name: string, template: Partial<EventTemplate> = {}): NostrEvent {
  const whole: EventTemplate = { kind: 1, created_at: SECONDS, tags: [], content: 'hello', ...template }
  return signEvent(whole, keyPairOf(name).secret, seededRandom(`${name} ${JSON.stringify(whole)}`))
}

/** The time at which all fixed clocks stand, in seconds. */
export const SECONDS = Math.floor(NOON / 1000)

export function relayParts(changes: Partial<RelayParts> = {}) {
  const store = fakeEventStore()
  const clock = createFakeClock()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const parts: RelayParts = {
    settings: RELAY_SETTINGS,
    store,
    verifier: honestVerifier,
    policy: openPolicy,
    clock,
    random: seededRandom('relay'),
    log,
    ...changes,
  }
  return { parts, store, clock }
}
