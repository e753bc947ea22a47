// The Grin nodes of the till: each one's height, whether it keeps up, and whether it is of our chain at all.

import { chainOfNode, createChain, tipRulesOf } from '../../chain/index.js'
import type { PayConfig } from '../../config/index.js'
import { messageOf } from '../../lib/errors.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { PATIENCE_MS } from '../ask.js'
import type { Check, Context } from '../check.js'
import { about, type Finding, fail, pass, warn } from '../finding.js'

const REMEDY =
  'name another node: grinpay setup pay --reconfigure --node-url URL, then systemctl restart grinpay-pay; until then confirmations wait'

const LONE_REMEDY =
  'run a node of your own, or name a second one in PAY_NODE_URL and set PAY_CONFIRM_NODES=2, then systemctl restart grinpay-pay'

const AGREE_REMEDY =
  'set PAY_CONFIRM_NODES=2, or run a node of your own and name it first, then systemctl restart grinpay-pay'

/** A Grin node wants this user name beside its API secret. */
const NODE_USER = 'grin'

export const nodeCheck: Check = {
  name: 'node',
  limitMs: 25_000,
  applies: () => true,
  async run({ config, clock }) {
    const urls = addressesOf(config)
    const chain = createChain({ urls, clock, timeoutMs: PATIENCE_MS, rules: tipRulesOf(config.chain) })
    try {
      const why = await chain.tip().then(() => undefined, messageOf)
      const nodes = chain.status()
      if (nodes.length === 0) return [fail(why ?? 'no node was asked', REMEDY)]
      const chains = await Promise.all(urls.map((url) => chainOfNode(url, PATIENCE_MS)))
      const found = nodes.map(({ host, tip, refusal }, at) => {
        const reason = refusal ?? foreignReason(chains[at], config)
        return { host, height: tip?.height, reason: reason?.replace(`node ${host}: `, '') }
      })
      const isOneGood = found.some(({ reason }) => reason === undefined)
      const lines = found.flatMap(({ host, height, reason }) => about(host, [verdictOn(height, reason, isOneGood)]))
      return [...lines, ...thirdPartyFinding(config)]
    } finally {
      chain.close()
    }
  },
}

/** The secret goes to the first node only: the others usually belong to third parties. */
const addressesOf = ({ nodeUrls, nodeSecret }: Context['config']): readonly string[] =>
  nodeUrls.map((text, index) => {
    if (index > 0 || !nodeSecret) return text
    const url = new URL(text)
    url.username = NODE_USER
    url.password = encodeURIComponent(nodeSecret.reveal())
    return url.href
  })

const foreignReason = (found: string | undefined, { chain }: Pick<PayConfig, 'chain'>): string | undefined =>
  found === undefined || found === chain ? undefined : `it is a node of ${found}, and the till is on ${chain}`

/** Whether all money hangs on the word of one node of a third party; of several, one that claims a tip far ahead is the only one asked. */
function thirdPartyFinding({ nodeUrls, confirmNodes, confirmNodesFrom }: Context['config']): readonly Finding[] {
  const hosts = [...new Set(nodeUrls.map((url) => new URL(url).hostname))]
  if (confirmNodes > 1 || confirmNodesFrom !== undefined || hosts.some(isPrivateHost)) return []
  const [only = '', ...others] = hosts
  if (others.length === 0)
    return about(only, [warn('it alone says what is paid, and a third party runs it', LONE_REMEDY)])
  return [warn(`one of ${hosts.join(', ')} alone says what is paid, and third parties run them`, AGREE_REMEDY)]
}

/** A node that is out does no harm while another one is good. */
function verdictOn(height: number | undefined, reason: string | undefined, isOneGood: boolean): Finding {
  if (reason === undefined) return pass(`at height ${height}`)
  return isOneGood ? warn(reason, REMEDY) : fail(reason, REMEDY)
}
