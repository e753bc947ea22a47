// Several nodes are fail-over, not agreement: the first usable one is believed. Where the operator wants more, that many nodes must show
// the same kernel and say the same of our output, each at the required depth, before a payment counts as confirmed (specification:
// grin-wallet, 5). Steps before that, `seen` and `mined`, follow one node; one that claims a tip far ahead is not the only one asked.
import type { NanoGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Payment } from '../model.js'
import type { Chain, Sighting, Witness } from '../ports.js'
import type { ChainFinding } from './sightings.js'

type Terms = Pick<TillSettings, 'confirmNodes' | 'confirmNodesFrom'>

/** How many nodes must agree on a payment of this amount. */
export function nodesNeeded(amount: NanoGrin, { confirmNodes = 1, confirmNodesFrom }: Terms): number {
  const isLarge = confirmNodesFrom !== undefined && amount >= confirmNodesFrom
  return isLarge ? Math.max(2, confirmNodes) : confirmNodes
}

/** What they tell in common; the depth is that of the one with the lowest tip. */
interface Agreed {
  readonly agreed: true
  readonly height: number
  readonly confirmations: number
  readonly outputThere: boolean
}

export type Agreement =
  | Agreed
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
  for (const one of deep) {
    const { kernelHeight: height, outputThere } = one
    const same = deep.filter((other) => storyOf(other) === storyOf(one))
    if (height !== undefined && new Set(same.map(({ host }) => host)).size >= needed)
      return { agreed: true, height, confirmations: Math.min(...same.map(depthIn)), outputThere }
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
  readonly chain: Pick<Chain, 'witnesses' | 'isDisputed'>
  readonly settings: Terms & Pick<TillSettings, 'confirmations'>
}

/** Where a kernel search begins, and when to look again when the nodes do not agree. */
interface Look {
  readonly minHeight: number
  readonly nextCheckAt: number
}

/**
 * Returns the finding unchanged where one node is enough. Where more are needed, only their agreement confirms a payment. While nodes
 * dispute the tip, all are asked even if the first one does not report the depth. Without agreement a kernel in a block counts to one
 * below the depth, and a payment that a node still shows is not abandoned.
 */
export function createAgreement({ chain, settings }: AgreementParts) {
  return async (payment: Payment, finding: ChainFinding, { minHeight, nextCheckAt }: Look): Promise<ChainFinding> => {
    const needed = nodesNeeded(payment.amount, settings)
    const isDisputed = chain.isDisputed()
    const isDecision = finding.kind === 'confirm' || finding.kind === 'abandon'
    if (needed < 2 || payment.settlement === 'confirmed' || !(isDecision || isDisputed)) return finding
    const witnesses = await chain.witnesses(payment, minHeight)
    const result = agreementOf(witnesses, needed, settings.confirmations)
    if (result.agreed && (isDisputed || finding.kind === 'confirm')) return confirming(payment, result, nextCheckAt)
    const isShown = witnesses.some((one) => isAnswer(one) && one.kernelHeight !== undefined)
    const alarm = 'alarm' in result && result.alarm !== undefined ? { alarm: result.alarm } : {}
    return unagreed(finding, { depth: settings.confirmations, nextCheckAt, isShown, alarm })
  }
}

interface Doubt {
  readonly depth: number
  readonly nextCheckAt: number
  /** Some node shows the kernel. */
  readonly isShown: boolean
  readonly alarm: { readonly alarm?: string }
}

/** What the first node's finding is worth without the others. */
function unagreed(finding: ChainFinding, { depth, nextCheckAt, isShown, alarm }: Doubt): ChainFinding {
  switch (finding.kind) {
    case 'confirm':
      return { kind: 'sighting', sighting: shortOf(depth, finding.sighting, nextCheckAt), ...alarm }
    case 'abandon':
      return isShown ? { kind: 'wait', nextCheckAt, alarm: HIDDEN, ...alarm } : finding
    default:
      return { ...alarm, ...finding }
  }
}

const confirming = ({ id }: Payment, agreed: Agreed, nextCheckAt: number): ChainFinding => {
  const { height: minedHeight, confirmations, outputThere } = agreed
  const output = outputThere ? null : 'spent-or-missing'
  return {
    kind: 'confirm',
    sighting: { paymentId: id, settlement: 'confirmed', minedHeight, confirmations, nextCheckAt, output },
  }
}

const shortOf = (depth: number, sighting: Sighting, nextCheckAt: number): Sighting => ({
  ...sighting,
  settlement: 'mined',
  confirmations: Math.min(sighting.confirmations, depth - 1),
  nextCheckAt,
})

const HIDDEN = 'it has waited too long for its kernel, which another node than the first one shows: check PAY_NODE_URL'
