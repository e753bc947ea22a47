// The frame of the doctor: a check is a name, when it applies, and what it does. A new check is a new row in checks.ts.
import type { Environment, PayConfig } from '../config/index.js'
import type { Secret } from '../lib/secret.js'
import type { OpenSocket } from '../nostr/relays/index.js'
import type { RoomOf } from './disk.js'
import type { Finding } from './finding.js'

export interface DoctorClock {
  monotonic(): number
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Where a machine keeps units and copies; others in tests. */
export interface ServicePlaces {
  /** As systemd looks for units, the first that has one counts. */
  readonly unitDirs: readonly string[]
  /** What is below it: `grinpay-backup-pay` and the like. */
  readonly copies: string
  /** Settings below it belong to a service; others may be started by hand. */
  readonly settings: string
}

/** The till's Nostr key as far as the doctor can open it. */
export interface KnownIdentity {
  /** Undefined: the key cannot be opened here; `why` says so. */
  readonly secret: Secret<Uint8Array> | undefined
  /** Known without the wallet password too, when the identity file can be read. */
  readonly pubkey: string | undefined
  readonly why: string
  readonly remedy: string
  /** No wallet password was given here: only the service has it. Nothing is wrong with that. */
  readonly isSealed?: boolean
  /** What keeps it from being opened here keeps the till from starting too. */
  readonly stopsTheTill?: boolean
}

/** What the doctor is given: the settings, and ways to the outside. */
export interface TillDoctorParts {
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
export interface TillDoctorContext extends TillDoctorParts {
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

export interface DoctorCheck<C extends { readonly config: unknown } = TillDoctorContext> {
  /** As `--check` takes it. */
  readonly name: string
  /** After so long it has failed. */
  readonly limitMs: number
  applies(config: C['config']): boolean
  /** One finding per line. What it throws counts as a failure. */
  run(context: C): Promise<readonly Finding[]>
}
