// What a node's pool refuses, in the order in which a node looks, with the words it answers. Specification: grin-network, 2.
import { type KernelFeaturesJson, MAX_WEIGHT, minimumFee, transactionWeight } from '../grin/tx/index.js'
import type { Ledger } from './ledger.js'
import { feesOf, isSorted, kernelIdentity, type TransactionJson, transactionShape } from './transaction.js'

/** The state a transaction is judged against. */
export interface Judged {
  readonly ledger: Ledger
  readonly pool: readonly TransactionJson[]
  readonly maturity: number
}

interface Rule {
  readonly refusal: (transaction: TransactionJson) => string
  readonly breaks: (transaction: TransactionJson, judged: Judged) => boolean
}

/** The one misleading text a node has for order, sums and signatures. */
export const INVALID = 'Invalid Tx some kind of keychain error'
const UNSPENDABLE = 'General pool error failed to validate tx'

const lockHeight = (features: KernelFeaturesJson): number =>
  features !== 'Coinbase' && 'HeightLocked' in features ? features.HeightLocked.lock_height : 0

const createdIn = (pool: readonly TransactionJson[]): ReadonlySet<string> =>
  new Set(pool.flatMap(({ body }) => body.outputs.map((output) => output.commit)))

const spentIn = (pool: readonly TransactionJson[]): ReadonlySet<string> =>
  new Set(pool.flatMap(({ body }) => body.inputs.map((input) => input.commit)))

function spendsWhatIsNotThere({ body }: TransactionJson, { ledger, pool }: Judged): boolean {
  const [created, spent] = [createdIn(pool), spentIn(pool)]
  return body.inputs.some(({ commit }) => spent.has(commit) || !(ledger.output(commit) ?? created.has(commit)))
}

function createsWhatIsThere({ body }: TransactionJson, { ledger, pool }: Judged): boolean {
  const created = createdIn(pool)
  return body.outputs.some(({ commit }) => ledger.output(commit) !== undefined || created.has(commit))
}

function spendsYoungCoinbase({ body }: TransactionJson, { ledger, maturity }: Judged): boolean {
  const next = ledger.tip().height + 1
  return body.inputs.some(({ commit }) => {
    const output = ledger.output(commit)
    return output?.features === 'Coinbase' && output.height + maturity > next
  })
}

/** Looked at before the costly arithmetic. */
const QUICK: readonly Rule[] = [
  {
    refusal: () => 'Duplicate tx',
    breaks: (transaction, { pool }) => pool.some((other) => kernelIdentity(other) === kernelIdentity(transaction)),
  },
  {
    refusal: (transaction) => `Low fee transaction ${feesOf(transaction).named}`,
    breaks: (transaction) => feesOf(transaction).paid < minimumFee(transactionShape(transaction)),
  },
  {
    refusal: () => INVALID,
    breaks: (transaction) =>
      transactionWeight(transactionShape(transaction)) > MAX_WEIGHT ||
      !isSorted(transaction.body.inputs) ||
      !isSorted(transaction.body.outputs) ||
      transaction.body.outputs.some((output) => output.features === 'Coinbase') ||
      transaction.body.kernels.some((kernel) => kernel.features === 'Coinbase'),
  },
]

/** Looked at after it, against the chain as it is then. */
const STATE: readonly Rule[] = [
  {
    refusal: () => 'Immature transaction',
    breaks: ({ body }, { ledger }) =>
      body.kernels.some((kernel) => lockHeight(kernel.features) > ledger.tip().height + 1),
  },
  { refusal: () => UNSPENDABLE, breaks: spendsWhatIsNotThere },
  { refusal: () => 'Immature coinbase', breaks: spendsYoungCoinbase },
  { refusal: () => 'Duplicate commitment', breaks: createsWhatIsThere },
]

const firstRefusal = (rules: readonly Rule[], transaction: TransactionJson, judged: Judged): string | undefined =>
  rules.find((rule) => rule.breaks(transaction, judged))?.refusal(transaction)

/** Duplicates, fee and form. */
export const quickRefusal = (transaction: TransactionJson, judged: Judged): string | undefined =>
  firstRefusal(QUICK, transaction, judged)

/** Everything that does not need curve arithmetic. */
export const refusalFor = (transaction: TransactionJson, judged: Judged): string | undefined =>
  firstRefusal([...QUICK, ...STATE], transaction, judged)
