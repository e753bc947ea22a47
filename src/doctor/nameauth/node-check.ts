// The Grin nodes that see the payments of sales: each one's height, and whether it keeps up.

import { messageOf } from '../../lib/errors.js'
import { PATIENCE_MS } from '../ask.js'
import { about, type Finding, fail, pass, warn } from '../finding.js'
import type { NameCheck } from './context.js'

const REMEDY =
  'check NAMEAUTH_GRIN_NODE_URL (each address ends with /v2/foreign), or name another node; until then buyers have to wait'

export const nodeCheck: NameCheck = {
  name: 'node',
  limitMs: 20_000,
  applies: ({ transfers }) => transfers !== undefined,
  async run({ config: { transfers }, clock }) {
    const urls = transfers?.nodeUrls ?? []
    const { createChain } = await import('../../chain/index.js')
    const chain = createChain({ urls, clock, timeoutMs: PATIENCE_MS, isComplete: true })
    try {
      const why = await chain.tip().then(() => undefined, messageOf)
      const nodes = chain.status()
      if (nodes.length === 0) return [fail(why ?? 'no node was asked', REMEDY)]
      return nodes.flatMap(({ host, tip, refusal }) =>
        about(host, [verdictOn(tip?.height, refusal?.replace(`node ${host}: `, ''), why === undefined)]),
      )
    } finally {
      chain.close()
    }
  },
}

/** A node that is out does no harm while another one is good. */
function verdictOn(height: number | undefined, refusal: string | undefined, isOneGood: boolean): Finding {
  if (refusal === undefined) return pass(`at height ${height}`)
  return isOneGood ? warn(refusal, REMEDY) : fail(refusal, REMEDY)
}
