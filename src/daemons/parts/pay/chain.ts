// The Grin nodes of a till, judged by its clock.
import { createChain, tipRulesOf } from '../../../chain/index.js'
import type { PayConfig } from '../../../config/index.js'
import type { Secret } from '../../../lib/secret.js'
import type { SteadyClock } from '../../../lib/steady-clock.js'
import type { TillNetwork } from './network.js'

/** After a jump of the clock a node is in time when either reading says so: its blocks tell which of them is right. */
export const createTillChain = (config: PayConfig, clock: SteadyClock, { fetch }: TillNetwork) =>
  createChain({
    urls: nodeAddresses(config),
    clock: { ...clock, now: () => Math.min(clock.now(), clock.pendingJump()?.wall ?? Number.POSITIVE_INFINITY) },
    rules: tipRulesOf(config.chain),
    ...(fetch && { fetch }),
    ...(config.chain === 'usernet' || config.chain === 'sandbox' ? { tipCacheMs: 500 } : {}),
  })

/** A Grin node wants this user name beside its API secret. */
const NODE_USER = 'grin'

interface NodeSettings {
  /** Best first. */
  readonly nodeUrls: readonly string[]
  readonly nodeSecret: Secret | undefined
}

/** The secret goes to the first node only: the others usually belong to third parties. Never log the result. */
export const nodeAddresses = ({ nodeUrls, nodeSecret }: NodeSettings): readonly string[] =>
  nodeUrls.map((text, index) => {
    if (index > 0 || !nodeSecret) return text
    const url = new URL(text)
    url.username = NODE_USER
    url.password = encodeURIComponent(nodeSecret.reveal())
    return url.href
  })
