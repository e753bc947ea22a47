// Several nodes are fail-over, not agreement: the first usable one is believed. Where the operator wants more, that many nodes must show
// the same kernel and say the same of our output, each at the required depth, before a payment counts as confirmed (specification:
// grin-wallet, 5). Steps before that, `seen` and `mined`, follow one node.
import type { NanoGrin } from '../grin/amount/index.js'
import type { TillSettings } from './api.js'
import type { Payment } from './model.js'
import type { Chain, Witness } from './ports.js'
import type { Finding } from './sightings.js'

type Terms = Pick<TillSettings, 'confirmNodes' | 'confirmNodesFrom'>

/** How many nodes must agree on a payment of this amount. */
export function nodesNeeded(amount: NanoGrin, { confirmNodes = 1, confirmNodesFrom }: Terms): number {
  const isLarge = confirmNodesFrom !== undefined && amount >= confirmNodesFrom
  return isLarge ? Math.max(2, confirmNodes) : confirmNodes
}

export type Agreement =
  | { readonly agreed: true; readonly height: number; readonly confirmations: number }
  /** Without `alarm`: some nodes have only not come as far as the others. */
  | { readonly agreed: false; readonly alarm?: string }

type Answer = Extract<Witness, { readonly tip: number }>
const isAnswer = (witness: Witness): witness is Answer => 'tip' in witness
const depthIn = ({ tip, kernelHeight }: Answer): number =>
  kernelHeight === undefined ? 0 : Math.max(0, tip - kernelHeight + 1)
const storyOf = ({ kernelHeight, outputThere }: Answer): string => `${kernelHeight} ${outputThere}`

/** The story that enough nodes tell; one node more that denies it does not take it back. */
export function agreementOf(witnesses: readonly Witness[], needed: number, confirmations: number): Agreement {
  const answers = witnesses.filter(isAnswer)
  const deep = answers.filter((answer) => depthIn(answer) >= confirmations)
  for (const { kernelHeight: height, ...one } of deep) {
    const same = deep.filter((other) => storyOf(other) === storyOf({ ...one, kernelHeight: height }))
    if (height !== undefined && new Set(same.map(({ host }) => host)).size >= needed)
      return { agreed: true, height, confirmations: Math.min(...same.map(depthIn)) }
  }
  const highest = Math.max(...answers.map(({ kernelHeight = 0 }) => kernelHeight))
  const isOneStory = new Set(answers.filter(({ tip }) => tip >= highest).map(storyOf)).size === 1
  if (answers.length >= needed && isOneStory) return { agreed: false }
  const said = witnesses.map(wordsOf).join('; ')
  return { agreed: false, alarm: `${needed} nodes must agree before it is confirmed, and they do not: ${said}` }
}

/** Hosts only: an address may hold a secret. */
function wordsOf(witness: Witness): string {
  if (!isAnswer(witness)) return `${witness.host} gives no usable answer`
  const { host, kernelHeight, outputThere, tip } = witness
  const kernel = kernelHeight === undefined ? 'knows no such kernel' : `shows its kernel in block ${kernelHeight}`
  return `${host} ${kernel} and its output ${outputThere ? '' : 'not '}unspent, at height ${tip}`
}

interface AgreementParts {
  readonly chain: Pick<Chain, 'witnesses'>
  readonly settings: Terms & Pick<TillSettings, 'confirmations'>
}

/** Where a kernel search begins, and when to look again when the nodes do not agree. */
interface Look {
  readonly minHeight: number
  readonly nextCheckAt: number
}

/**
 * The finding as it is where one node is enough. Else a confirmation waits for the nodes that are needed, and nothing is abandoned that
 * any of them shows.
 */
export function createAgreement({ chain, settings }: AgreementParts) {
  return async (payment: Payment, finding: Finding, { minHeight, nextCheckAt }: Look): Promise<Finding> => {
    const needed = nodesNeeded(payment.amount, settings)
    if (needed < 2 || (finding.kind !== 'confirm' && finding.kind !== 'abandon')) return finding
    const witnesses = await chain.witnesses(payment, minHeight)
    if (finding.kind === 'abandon' && !witnesses.some((one) => isAnswer(one) && one.kernelHeight !== undefined))
      return finding
    const result = agreementOf(witnesses, needed, settings.confirmations)
    if (!result.agreed || finding.kind === 'abandon') return { kind: 'wait', nextCheckAt, ...alarmOf(result, finding) }
    const { height: minedHeight, confirmations } = result
    return { ...finding, sighting: { ...finding.sighting, minedHeight, confirmations } }
  }
}

const HIDDEN = 'it has waited too long for its kernel, which another node than the first one shows: check PAY_NODE_URL'

const alarmOf = (result: Agreement, { kind }: Finding): { readonly alarm?: string } => {
  if (kind === 'abandon') return { alarm: ('alarm' in result && result.alarm) || HIDDEN }
  return 'alarm' in result && result.alarm !== undefined ? { alarm: result.alarm } : {}
}
