// The onion service of the grin1 rail: the wallet's address key as the identity of a service in the tor of this machine.
import type { PayConfig } from '../../../config/index.js'
import { addressOfSeed, formatOnion } from '../../../grin/slatepack/index.js'
import type { Log } from '../../../lib/ports.js'
import type { Secret } from '../../../lib/secret.js'
import type { SystemClock, SystemRandom } from '../../../system/index.js'
import { createOnionKeeper, type OnionState } from '../../../tor/index.js'
import type { Part } from '../../runtime.js'

export interface OnionPart extends Part {
  /** What is reachable over Tor, with `.onion`. */
  readonly onion: string
  /** Undefined when the service is kept outside (PAY_TOR_CONTROL=off). */
  state(): OnionState | undefined
}

interface OnionPartParts {
  readonly config: Pick<PayConfig, 'torControl' | 'torPassword' | 'grin1ForeignPort'>
  /** The ed25519 seed of the slatepack address of index 0, 32 bytes. */
  readonly seed: Secret<Uint8Array>
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** Starts at once and heals by itself: a tor that is missing makes the rail unready, never the start fail. */
export function createOnionPart({ config, seed, clock, random, log }: OnionPartParts): OnionPart {
  const { torControl, torPassword, grin1ForeignPort: port } = config
  const onion = formatOnion(addressOfSeed(seed.reveal()))
  const service = { onion, seed, port }
  const keeper =
    torControl &&
    createOnionKeeper({ ...service, control: { endpoint: torControl, password: torPassword }, clock, random, log })

  async function check() {
    if (!keeper) return { ok: true, detail: `not ours to keep: ${onion}.onion is expected to reach 127.0.0.1:${port}` }
    const { ok, detail } = keeper.state()
    return { ok, detail }
  }

  return {
    name: 'tor',
    onion: `${onion}.onion`,
    state: () => keeper?.state(),
    start: async () => keeper?.start(),
    stop: async () => keeper?.stop(),
    check,
  }
}
