// Several nodes are fail-over, not agreement: the first usable one is believed. Where the operator wants more, every step follows what most
// nodes tell, at least that many, and so many must show the same kernel and say the same of our output, each at the required depth, before a
// payment counts as confirmed (specification: grin-wallet, 5). Only where no majority tells one story is the first node followed, up to one block less.
import type { NanoGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { Payment } from '../model.js'
import type { Chain, Sighting, Witness } from '../ports.js'
import type { ChainFacts, ChainFinding } from './sightings.js'

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

type Agreement =
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

/** What most hosts tell, at least `needed` of them; and those that tell otherwise although they are as far. */
interface Majority {
  readonly facts: Omit<ChainFacts, 'inPool'>
  readonly alone: readonly Answer[]
}

function majorityOf(witnesses: readonly Witness[], needed: number): Majority | undefined {
  const answers = [...new Map(witnesses.filter(isAnswer).map((answer) => [answer.host, answer])).values()]
  const stories = [...new Set(answers.map(storyOf))]
    .map((story) => answers.filter((answer) => storyOf(answer) === story))
    .sort((one, other) => other.length - one.length)
  const [most = [], next = []] = stories
  const [first] = most
  if (first === undefined || most.length < needed || most.length === next.length) return undefined
  const { kernelHeight, outputThere } = first
  const tips = most.map(({ tip }) => tip).sort((one, other) => other - one)
  const tip = tips[needed - 1] ?? first.tip
  /** One that is a block behind or ahead tells the same soon. */
  const isAsFar = (other: Answer) => other.tip >= (kernelHeight ?? 0) && (other.kernelHeight ?? 0) <= tip
  const alone = answers.filter((answer) => !most.includes(answer) && isAsFar(answer))
  return { facts: { tip, kernelHeight, outputThere }, alone }
}

/** Names the hosts that stand alone. */
const aloneText = ({ facts, alone }: Majority): string =>
  `${alone.map(wordsOf).join('; ')}: alone against the other nodes, which ${facts.kernelHeight === undefined ? 'know no such kernel' : `show it in block ${facts.kernelHeight}`}; check PAY_NODE_URL`

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

/** Where a kernel search begins, when to look again when the nodes do not agree, and what facts mean. */
interface Look {
  readonly minHeight: number
  readonly nextCheckAt: number
  readonly findingOf: (facts: ChainFacts) => ChainFinding
}

/**
 * The finding of the first node's facts where one node is enough. Where more are needed, most nodes give the facts, and only their agreement
 * confirms a payment. While nodes dispute the tip, their agreement confirms even if the facts fall short of the depth. Without agreement a
 * payment reaches at most one confirmation less than required, and is not abandoned while a node still shows it.
 */
export function createAgreement({ chain, settings }: AgreementParts) {
  return async (payment: Payment, ofFirst: ChainFacts, look: Look): Promise<ChainFinding> => {
    const { minHeight, nextCheckAt, findingOf } = look
    const needed = nodesNeeded(payment.amount, settings)
    if (needed < 2) return findingOf(ofFirst)
    const witnesses = await chain.witnesses(payment, minHeight)
    const majority = majorityOf(witnesses, needed)
    const finding = findingOf(majority ? { ...majority.facts, inPool: ofFirst.inPool } : ofFirst)
    const isDisputed = chain.isDisputed()
    const isDecision = finding.kind === 'confirm' || finding.kind === 'abandon'
    if (payment.settlement === 'confirmed' || !(isDecision || isDisputed)) return naming(finding, majority, witnesses)
    const result = agreementOf(witnesses, needed, settings.confirmations)
    if (result.agreed && (isDisputed || finding.kind === 'confirm')) return confirming(payment, result, nextCheckAt)
    const doubt = { depth: settings.confirmations, nextCheckAt, isShown: witnesses.some(showsKernel) }
    return unagreed(finding, { ...doubt, alarm: alarmOf(result) })
  }
}

const showsKernel = (witness: Witness): boolean => isAnswer(witness) && witness.kernelHeight !== undefined

const alarmOf = (result: Agreement): Doubt['alarm'] =>
  'alarm' in result && result.alarm !== undefined ? { alarm: result.alarm } : {}

/** An alarm that rests on some of the nodes only says on which; one that has no node left to look at is none. */
function naming(finding: ChainFinding, majority: Majority | undefined, witnesses: readonly Witness[]): ChainFinding {
  if (finding.kind !== 'wait' && finding.kind !== 'sighting') return finding
  if (majority && majority.alone.length > 0 && !(finding.kind === 'wait' && finding.nextCheckAt === null))
    return { ...finding, alarm: aloneText(majority) }
  if (majority || finding.alarm === undefined) return finding
  return { ...finding, alarm: `${finding.alarm}: ${witnesses.map(wordsOf).join('; ')}` }
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

// The pools of the nodes as one pass sees them: each question is asked once, whatever the number of payments.

/** Excesses (hex) in the pools of at least so many nodes. */
export type PoolView = (nodes: number) => Promise<ReadonlySet<string>>

export function createPoolView(chain: Pick<Chain, 'poolExcesses'>): PoolView {
  const pools = new Map<number, Promise<ReadonlySet<string>>>()
  return (nodes) => {
    const pool = pools.get(nodes) ?? chain.poolExcesses(nodes)
    pools.set(nodes, pool)
    return pool
  }
}
