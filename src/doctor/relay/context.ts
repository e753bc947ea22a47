// What the checks of a relay work with.
import type { RelayConfig, RelaySources } from '../../config/index.js'
import type { SignatureCheck } from '../../nostr/keys/index.js'
import type { DoctorCheck, DoctorWays } from '../check.js'

export interface RelayDoctorContext extends DoctorWays {
  readonly config: RelayConfig
  readonly sources: RelaySources
  /** Which code checks signatures on this machine. */
  readonly signatureCheck: () => SignatureCheck
  /** Time is up. */
  readonly signal: AbortSignal
}

export type RelayCheck = DoctorCheck<RelayDoctorContext>

/** The command that prints a proxy which does everything right. */
export const PROXY = 'grinpay proxy print --kind caddy --daemon relay (or nginx) prints a proxy that does'
export const SETUP_ADDRESS = 'grinpay setup relay --reconfigure --relay-url wss://relay.example'
