// The grin1 rail: the Foreign API on its loopback port, and the onion service in front of it (specification: invoicing, 5).
import type { PayConfig } from '../../../config/index.js'
import { Secret } from '../../../lib/secret.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import { createForeignApi, type RunningTill, type Wallet } from '../../../till/index.js'
import type { Part } from '../../runtime.js'
import { createForeignListener } from './foreign.js'
import type { TillNetwork } from './network.js'
import { createOnionPart } from './onion.js'

interface Grin1Parts {
  readonly config: PayConfig
  readonly till: Pick<RunningTill, 'accept' | 'finalize' | 'markReplied'>
  readonly wallet: Pick<Wallet, 'read'>
  /** Its address seed of index 0 is the key of the onion service. */
  readonly keychain: { addressSeed(account: number, index: number): Uint8Array }
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: SystemLog
  readonly foreign?: TillNetwork['foreign']
}

/** In start order: the port listens before the onion service announces it. */
export function grin1Parts({
  config,
  till,
  wallet,
  keychain,
  clock,
  random,
  log,
  foreign,
}: Grin1Parts): readonly Part[] {
  const api = createForeignApi({ till, wallet, clock, log, rateLimits: config.rateLimits })
  if (foreign) foreign(api)
  return [
    ...(foreign ? [] : [createForeignListener({ api, port: config.grin1ForeignPort, log })]),
    createOnionPart({ config, seed: new Secret(keychain.addressSeed(0, 0)), clock, random, log }),
  ]
}
