// What the checks of a relay work with.
import type { RelayConfig } from '../../config/index.js'
import type { OpenSocket } from '../../nostr/relays/index.js'
import type { Check, DoctorClock } from '../check.js'

/** Bytes of a disk. */
export interface Room {
  readonly free: number
  readonly total: number
}

export interface RelayContext {
  readonly config: RelayConfig
  /** The TOML file; undefined: environment and defaults alone. */
  readonly file: string | undefined
  readonly clock: DoctorClock
  readonly random: { bytes(length: number): Uint8Array }
  readonly openSocket: OpenSocket
  /** Of the disk that a folder lies on. */
  readonly roomOf: (folder: string) => Promise<Room>
  /** Time is up. */
  readonly signal: AbortSignal
}

export type RelayCheck = Check<RelayContext>

/** How long one question to a server may take, in milliseconds. */
export const PATIENCE_MS = 8000

/** The command that prints a proxy which does everything right. */
export const PROXY = 'grinpay config proxy caddy --daemon relay (or nginx) prints a proxy that does'
export const SETUP_ADDRESS = 'grinpay setup relay --reconfigure --relay-url wss://relay.example'
