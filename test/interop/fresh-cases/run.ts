// A run: so many fresh cases of every family, compared.
import { createDice } from './dice.js'
import { addressesFamily, mistypedAddressesFamily, onionsFamily } from './families/addresses.js'
import { coinsFamily } from './families/coins.js'
import { damagedAnswersFamily } from './families/damaged-answers.js'
import { feesFamily, kernelsFamily, sortingFamily } from './families/fees.js'
import { theyPayFamily, theyPayInvoiceFamily, wePayFamily, wePayInvoiceFamily } from './families/flows.js'
import { keysFamily, mnemonicsFamily, outputsFamily } from './families/keys.js'
import { alteredProofsFamily, paymentProofsFamily } from './families/payment-proofs.js'
import { blindSumsFamily, commitmentsFamily, pointsFamily, sumsFamily } from './families/points.js'
import { damagedProofsFamily, provedOutputsFamily, provedValuesFamily } from './families/range-proofs.js'
import { damagedSignaturesFamily, signaturesFamily } from './families/signatures.js'
import {
  alteredJsonPacksFamily,
  damagedArmorFamily,
  damagedEnvelopesFamily,
  encryptedSlatepacksFamily,
  plainSlatepacksFamily,
} from './families/slatepacks.js'
import { alteredJsonFamily, damagedBinaryFamily, slatesFamily } from './families/slates.js'
import { transactionsFamily } from './families/transactions.js'
import type { Family } from './family.js'
import type { Library } from './library.js'
import type { Reference } from './reference.js'
import { createTally, type Tally } from './tally.js'

const FAMILIES: readonly Family[] = [
  keysFamily,
  mnemonicsFamily,
  outputsFamily,
  commitmentsFamily,
  pointsFamily,
  sumsFamily,
  blindSumsFamily,
  provedOutputsFamily,
  provedValuesFamily,
  damagedProofsFamily,
  signaturesFamily,
  damagedSignaturesFamily,
  feesFamily,
  kernelsFamily,
  sortingFamily,
  addressesFamily,
  mistypedAddressesFamily,
  onionsFamily,
  slatesFamily,
  damagedBinaryFamily,
  alteredJsonFamily,
  plainSlatepacksFamily,
  encryptedSlatepacksFamily,
  alteredJsonPacksFamily,
  damagedArmorFamily,
  damagedEnvelopesFamily,
  transactionsFamily,
  paymentProofsFamily,
  alteredProofsFamily,
  coinsFamily,
  theyPayFamily,
  wePayFamily,
  theyPayInvoiceFamily,
  wePayInvoiceFamily,
  damagedAnswersFamily,
]

/** Cases under way at once: the Rust crates answer some while we compute others. */
const AT_ONCE = 8

export interface Run {
  readonly seed: string
  readonly cases: number
  /** One family alone, and one case of it: to look at a difference again. */
  readonly family?: string
  readonly number?: number
  readonly library: Library
  readonly reference: Reference
}

export async function runCases(run: Run): Promise<Tally> {
  const tally = createTally()
  const families = FAMILIES.filter(({ name }) => run.family === undefined || name === run.family)
  const weights = families.reduce((sum, { weight }) => sum + weight, 0)
  for (const family of families) {
    const count = Math.ceil((run.cases * family.weight) / weights)
    const numbers = run.number === undefined ? Array.from({ length: count }, (_, at) => at) : [run.number]
    const started = performance.now()
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(run, family, numbers, tally)))
    tally.spend(family.name, performance.now() - started)
  }
  return tally
}

async function work(run: Run, family: Family, numbers: number[], tally: Tally): Promise<void> {
  const { seed, library, reference } = run
  for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
    const judge = tally.judge(family.name, number)
    const dice = createDice(`${seed}/${family.name}/${number}`)
    try {
      await family.run({ seed, dice, library, ask: reference.ask, ...judge })
    } catch (error) {
      judge.same('no case may break off', error instanceof Error ? (error.stack ?? error.message) : error, null)
    }
  }
}
