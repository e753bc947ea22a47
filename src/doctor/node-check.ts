// Grin nodes: each one's height, whether it keeps up, and whether it is of the right chain.
import { createChain, type TipRules } from '../chain/index.js'
import { messageOf } from '../lib/errors.js'
import { PATIENCE_MS } from './ask.js'
import type { CheckContext, DoctorCheck } from './check.js'
import { about, type Finding, fail, pass, warn } from './finding.js'

interface NodeCheckOptions<C extends CheckContext> {
  readonly limitMs: number
  readonly applies?: (config: C['config']) => boolean
  /** `isComplete`: the addresses name the API, not the node. */
  readonly nodesOf: (config: C['config']) => {
    readonly urls: readonly string[]
    readonly rules?: TipRules
    readonly isComplete?: boolean
  }
  readonly remedy: string
  /** Why a node that answers is of no use, in the order of the addresses; undefined: it is good. */
  readonly reasonsAgainst?: (urls: readonly string[], config: C['config']) => Promise<readonly (string | undefined)[]>
  /** What the settings alone say of the nodes. */
  readonly further?: (config: C['config']) => readonly Finding[]
}

export const createNodeCheck = <C extends CheckContext>(question: NodeCheckOptions<C>): DoctorCheck<C> => ({
  name: 'node',
  limitMs: question.limitMs,
  applies: question.applies ?? (() => true),
  async run({ config, clock }) {
    const { nodesOf, remedy, reasonsAgainst, further } = question
    const nodes = nodesOf(config)
    const chain = createChain({ ...nodes, clock, timeoutMs: PATIENCE_MS })
    try {
      const why = await chain.tip().then(() => undefined, messageOf)
      const verdicts = chain.status()
      if (verdicts.length === 0) return [fail(why ?? 'no node was asked', remedy)]
      const against = (await reasonsAgainst?.(nodes.urls, config)) ?? []
      const seen = verdicts.map(({ host, tip, refusal }, at) => {
        const reason = refusal ?? against[at]
        return { host, height: tip?.height, reason: reason?.replace(`node ${host}: `, '') }
      })
      // A node that is out does no harm while another one is good.
      const level = seen.some(({ reason }) => reason === undefined) ? warn : fail
      const lines = seen.flatMap(({ host, height, reason }) =>
        about(host, [reason === undefined ? pass(`at height ${height}`) : level(reason, remedy)]),
      )
      return [...lines, ...(further?.(config) ?? [])]
    } finally {
      chain.close()
    }
  },
})
