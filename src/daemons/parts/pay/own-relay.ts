// The till's own relay, in the till's process (PAY_RELAY_MODE=bundled).
import type { RelayConfig } from '../../../config/index.js'
import { hostPort } from '../../../lib/url.js'
import type { SystemLog } from '../../../system/index.js'
import { addressInUse } from '../../errors.js'
import type { Check, Part } from '../../runtime.js'

interface OwnRelayContext {
  /** Version of the package. */
  readonly version: string
  readonly log: SystemLog
}

const RUNS: Check = { ok: true, detail: 'runs in this process', informative: true }
const ELSEWHERE: Check = { ok: true, detail: 'runs in another process', informative: true }

/** Starts the ordinary relay. If its port is taken, the till uses what listens there instead of failing. Throws what opening the database throws. */
export function createOwnRelayPart(config: RelayConfig, { version, log }: OwnRelayContext): Part {
  let stop = async (): Promise<void> => {}
  let state = RUNS
  return {
    name: 'own relay',
    async start() {
      const { openRelayDaemon } = await import('../../relay.js') // most tills do without
      const daemon = await openRelayDaemon(config, { version, log })
      stop = daemon.stop
      try {
        await daemon.start()
      } catch (thrown) {
        if (!addressInUse.is(thrown)) throw thrown
        state = ELSEWHERE
        const address = hostPort(config.bind.host, config.bind.port)
        log.warn({ address }, 'the address of the own relay is taken: what listens there is used')
      }
    },
    stop: () => stop(),
    check: async () => state,
  }
}
