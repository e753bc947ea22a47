// The Grin nodes of a till, judged by its clock.
import { createChain, tipRulesOf } from '../../../chain/index.js'
import type { PayConfig } from '../../../config/index.js'
import type { SteadyClock } from '../../../lib/steady-clock.js'
import type { TillNetwork } from './network.js'
import { nodeAddresses } from './node-addresses.js'

/** After a jump of the clock a node is in time when either reading says so: its blocks tell which of them is right. */
export const createTillChain = (config: PayConfig, clock: SteadyClock, { fetch }: TillNetwork) =>
  createChain({
    urls: nodeAddresses(config),
    clock: { ...clock, now: () => Math.min(clock.now(), clock.pendingJump()?.wall ?? Number.POSITIVE_INFINITY) },
    rules: tipRulesOf(config.chain),
    ...(fetch && { fetch }),
    ...(config.chain === 'usernet' || config.chain === 'sandbox' ? { tipCacheMs: 500 } : {}),
  })
