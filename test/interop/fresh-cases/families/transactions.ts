// Whole transactions: read, written, hashed, and the verdict on good and broken ones.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family, type Round } from '../family.js'
import type { Library } from '../library.js'
import { bytesOf, fromPool } from '../proof-pool.js'
import { okOf } from '../reference.js'
import { kernelSignedBy } from './fees.js'

type Transaction = ReturnType<Library['tx']['parseTransactionJson']>
type Output = Transaction['outputs'][number]

interface Checked {
  readonly json: string
  readonly valid: boolean
  readonly pays: boolean
  readonly reason: string | null
}

export const transactionsFamily: Family = {
  name: 'transactions',
  weight: 5,
  async run(round) {
    const { dice, library, ask, same, agree } = round
    const { tx } = library
    const good = balanced(round)
    const json = JSON.stringify(tx.transactionJson(dice.chance(0.3) ? good : broken(round, good)))
    const answer = await ask('transaction', { json })
    const ours = await attempt(() => {
      const read = tx.parseTransactionJson(JSON.parse(json))
      return {
        json: JSON.stringify(tx.transactionJson(read)),
        v1: toHex(tx.encodeTransaction(read, 1)),
        v2: toHex(tx.encodeTransaction(read, 2)),
        v3: toHex(tx.encodeTransaction(read, 3)),
        hash: toHex(tx.transactionHash(read)),
        weight: tx.transactionWeight(tx.shapeOfTransaction(read)),
        least: `${tx.minimumFee(tx.shapeOfTransaction(read))}`,
      }
    })
    if (!('ok' in answer)) return agree(json, ours, answer)
    const { valid, pays, reason, ...form } = okOf<Checked>(answer)
    same(`form of ${json}`, ours, { ok: form })
    const failure = await tx.validateTransaction(tx.parseTransactionJson(JSON.parse(json)))
    const verdict = failure ? { refused: `${failure.code}: ${failure.text}` } : { ok: 'taken' }
    agree(json, verdict, valid && pays ? { ok: 'taken' } : { refused: reason ?? 'it pays too little' })
  },
}

/** A transaction that balances: outputs of the pool, inputs that pay for them, one or two kernels, mostly with enough of a fee. */
function balanced({ dice, library, seed }: Round): Transaction {
  const { crypto, tx } = library
  const proved = fromPool(
    library,
    seed,
    dice.many(dice.upTo(3), () => dice.below(24)),
  )
  const kernels = dice.chance(0.25) ? 2 : 1
  const inputCount = dice.upTo(4)
  const least = tx.minimumFee({ inputs: inputCount, outputs: proved.length, kernels })
  const shift = BigInt(dice.chance(0.2) ? dice.upTo(5) : 0)
  const around = dice.chance(0.8) ? dice.below(1000) : -dice.upTo(2000)
  const fee = ((least << (dice.chance(0.7) ? shift : 0n)) + BigInt(around)) / BigInt(kernels) + 1n
  const total = proved.reduce((sum, { value }) => sum + value, fee * BigInt(kernels))
  const parts = shares(dice, total, inputCount).map((value) => ({
    value,
    blind: crypto.scalarFromBytes(dice.secret()),
  }))
  const offset = dice.chance(0.2) ? 0n : crypto.scalarFromBytes(dice.secret())
  const first = crypto.scalarFromBytes(dice.secret())
  const all = crypto.blindSum(
    proved.map(({ blind }) => blind),
    [...parts.map(({ blind }) => blind), offset],
  )
  const keys = kernels === 2 ? [first, crypto.blindSum([all], [first])] : [all]
  const inputs = parts.map(({ value, blind }) => ({
    coinbase: dice.chance(0.15),
    commitment: crypto.commit(value, blind),
  }))
  const outputs = proved.map((one) => ({ coinbase: false, ...bytesOf(one) }))
  const signed = keys.map((key) => kernelSignedBy(dice, library, key, features(dice, library.tx.feeField(fee, shift))))
  return {
    offset: crypto.scalarToBytes(offset),
    inputs: tx.sortByHash(inputs),
    outputs: tx.sortByHash(outputs),
    kernels: signed.sort((a, b) => (toHex(tx.kernelHash(a)) < toHex(tx.kernelHash(b)) ? -1 : 1)),
  }
}

const features = (dice: Dice, fee: bigint): Transaction['kernels'][number]['features'] =>
  dice.chance(0.8) ? { kind: 'plain', fee } : { kind: 'height-locked', fee, lockHeight: BigInt(dice.below(10_000_000)) }

/** Splits a value at random. */
function shares(dice: Dice, total: bigint, count: number): bigint[] {
  const cuts = dice.many(count - 1, () => dice.bigBelow(total)).sort((a, b) => (a < b ? -1 : 1))
  return [...cuts, total].map((cut, at) => cut - (cuts[at - 1] ?? 0n))
}

type Breaking = (round: Round, tx: Transaction) => Transaction

const changeFirst = <T>([first, ...others]: readonly T[], change: (one: T) => T): T[] =>
  first === undefined ? [] : [change(first), ...others]

const BREAKINGS: readonly Breaking[] = [
  (_, tx) => ({ ...tx, kernels: tx.kernels.toReversed() }),
  (_, tx) => ({
    ...tx,
    inputs: tx.inputs.toReversed(),
    outputs: tx.outputs.toReversed(),
    kernels: tx.kernels.toReversed(),
  }),
  (_, tx) => ({ ...tx, inputs: [...tx.inputs, tx.inputs[0]!] }),
  ({ library }, tx) => ({ ...tx, inputs: library.tx.sortByHash([...tx.inputs, tx.inputs[0]!]) }),
  ({ library }, tx) => ({ ...tx, outputs: library.tx.sortByHash([...tx.outputs, tx.outputs[0]!]) }),
  (_, tx) => ({ ...tx, kernels: [...tx.kernels, tx.kernels[0]!] }),
  (_, tx) => ({ ...tx, inputs: tx.inputs.slice(1) }),
  (_, tx) => ({ ...tx, outputs: tx.outputs.slice(1) }),
  (_, tx) => ({ ...tx, kernels: tx.kernels.slice(1) }),
  ({ dice }, tx) => ({ ...tx, offset: damaged(dice, tx.offset, false) }),
  ({ library }, tx) => ({
    ...tx,
    inputs: library.tx.sortByHash([
      ...tx.inputs,
      ...tx.outputs.map(({ commitment }) => ({ coinbase: false, commitment })),
    ]),
  }),
  (_, tx) => ({ ...tx, inputs: changeFirst(tx.inputs, (one) => ({ ...one, coinbase: !one.coinbase })) }),
  (_, tx) => ({ ...tx, outputs: changeFirst(tx.outputs, (one) => ({ ...one, coinbase: true })) }),
  ({ dice }, tx) => ({ ...tx, outputs: changeFirst(tx.outputs, (one) => damagedOutput(dice, one)) }),
  ({ dice }, tx) => ({
    ...tx,
    inputs: changeFirst(tx.inputs, (one) => ({ ...one, commitment: damaged(dice, one.commitment, false) })),
  }),
  ({ dice }, tx) => ({
    ...tx,
    kernels: changeFirst(tx.kernels, (one) => ({ ...one, signature: damaged(dice, one.signature, false) })),
  }),
  ({ dice }, tx) => ({
    ...tx,
    kernels: changeFirst(tx.kernels, (one) => ({ ...one, excess: damaged(dice, one.excess, false) })),
  }),
  (_, tx) => ({ ...tx, kernels: changeFirst(tx.kernels, (one) => ({ ...one, features: { kind: 'coinbase' } })) }),
  exchanged,
]

const broken = (round: Round, tx: Transaction): Transaction => round.dice.pick(BREAKINGS)(round, tx)

function damagedOutput(dice: Dice, one: Output): Output {
  return dice.chance(0.5)
    ? { ...one, proof: damaged(dice, one.proof, false) }
    : { ...one, commitment: damaged(dice, one.commitment, false) }
}

/** Proofs of two outputs exchanged, or of one by a stranger's. */
function exchanged({ dice, library, seed }: Round, tx: Transaction): Transaction {
  const [a, b] = tx.outputs
  if (a && b) return { ...tx, outputs: [{ ...a, proof: b.proof }, { ...b, proof: a.proof }, ...tx.outputs.slice(2)] }
  const [other] = fromPool(library, seed, [dice.below(24)])
  return { ...tx, outputs: changeFirst(tx.outputs, (one) => ({ ...one, proof: fromHex(other!.proof) })) }
}
