// The frame of the doctor: a check is a name, when it applies, and what it does. A new check is a new row in checks.ts.
import type { Environment, PayConfig } from '../config/index.js'
import type { OpenSocket } from '../nostr/relays/index.js'
import type { RoomOf } from './disk.js'
import type { Finding } from './finding.js'
import type { KnownIdentity } from './pay/identity.js'
import type { ServicePlaces } from './service-check.js'

export interface DoctorClock {
  monotonic(): number
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** What the doctor is given: the settings, and ways to the outside. */
export interface Surroundings {
  readonly environment: Environment
  /** Where the till of this machine answers. */
  readonly tillUrl: string
  /** The grin1 address of the till; rejects when neither database nor wallet tells it. */
  readonly address: () => Promise<string>
  readonly clock: DoctorClock
  readonly random: { bytes(length: number): Uint8Array }
  readonly openSocket: OpenSocket
  readonly roomOf: RoomOf
  readonly services: ServicePlaces
}

/** What a check works with. */
export interface Context extends Surroundings {
  readonly config: PayConfig
  /** The till's Nostr key, looked up once for all checks. Never makes one. */
  readonly identity: () => Promise<KnownIdentity>
  /** Time is up. */
  readonly signal: AbortSignal
}

/** The least that every check works with. */
export interface CheckContext {
  readonly config: unknown
  readonly clock: DoctorClock
  /** Aborts when time is up. */
  readonly signal: AbortSignal
}

export interface Check<C extends { readonly config: unknown } = Context> {
  /** As `--check` takes it. */
  readonly name: string
  /** After so long it has failed. */
  readonly limitMs: number
  applies(config: C['config']): boolean
  /** One finding per line. What it throws counts as a failure. */
  run(context: C): Promise<readonly Finding[]>
}
