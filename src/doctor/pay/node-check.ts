// The Grin nodes of the till: how each one is, and whether one of a third party alone says what is paid.
import { chainOfNode, tipRulesOf } from '../../chain/index.js'
import type { PayConfig } from '../../config/index.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck } from '../check.js'
import { about, type Finding, warn } from '../finding.js'
import { createNodeCheck } from '../node-check.js'

const REMEDY =
  'name another node: grinpay setup pay --reconfigure --node-url URL, then systemctl restart grinpay-pay; until then confirmations wait'

const LONE_REMEDY =
  'run a node of your own, or name a second one in PAY_NODE_URL and set PAY_CONFIRM_NODES=2, then systemctl restart grinpay-pay'

const AGREE_REMEDY =
  'set PAY_CONFIRM_NODES=2, or run a node of your own and name it first, then systemctl restart grinpay-pay'

/** A Grin node wants this user name beside its API secret. */
const NODE_USER = 'grin'

export const tillNodeCheck: DoctorCheck = createNodeCheck({
  limitMs: 25_000,
  nodesOf: (config: PayConfig) => ({ urls: addressesOf(config), rules: tipRulesOf(config.chain) }),
  remedy: REMEDY,
  async reasonsAgainst(urls, config) {
    const chains = await Promise.all(urls.map((url) => chainOfNode(url, PATIENCE_MS)))
    return chains.map((chain) => foreignReason(chain, config))
  },
  further: thirdPartyFinding,
})

/** The secret goes to the first node only: the others usually belong to third parties. */
const addressesOf = ({ nodeUrls, nodeSecret }: PayConfig): readonly string[] =>
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
function thirdPartyFinding({ nodeUrls, confirmNodes, confirmNodesFrom }: PayConfig): readonly Finding[] {
  const hosts = [...new Set(nodeUrls.map((url) => new URL(url).hostname))]
  if (confirmNodes > 1 || confirmNodesFrom !== undefined || hosts.some(isPrivateHost)) return []
  const [only = '', ...others] = hosts
  if (others.length === 0)
    return about(only, [warn('it alone says what is paid, and a third party runs it', LONE_REMEDY)])
  return [warn(`one of ${hosts.join(', ')} alone says what is paid, and third parties run them`, AGREE_REMEDY)]
}
