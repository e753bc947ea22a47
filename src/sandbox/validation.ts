// The curve arithmetic a node does before it believes anything: sums, kernel signatures, range proofs.
import type { VerifyRange } from '../grin/crypto/index.js'
import {
  isSigned,
  kernelSumsBalance,
  parseKernelJson,
  parseTransactionJson,
  sortByHash,
  validateTransaction,
} from '../grin/tx/index.js'
import { fromHex } from '../lib/bytes.js'
import { GrinpayError } from '../lib/errors.js'
import type { PaidCoinbase } from './control.js'
import type { Validate } from './foreign-methods.js'

/** Points off the curve and halves of signatures out of range throw; to a node they are just invalid. */
async function holds(check: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof GrinpayError || error instanceof RangeError) return false
    throw error
  }
}

/** A pushed transaction by itself; the order of bare inputs is judged elsewhere, so inputs are sorted here. */
export function createValidate(verify: VerifyRange): Validate {
  return (transaction) =>
    holds(async () => {
      const parsed = parseTransactionJson(transaction)
      return (await validateTransaction({ ...parsed, inputs: sortByHash(parsed.inputs) }, verify)) === undefined
    })
}

/** A coinbase is worth exactly `value`, signed and proven. */
export function createValidateCoinbase(verify: VerifyRange) {
  return ({ output, kernel, value }: PaidCoinbase): Promise<boolean> =>
    holds(async () => {
      const parsed = parseKernelJson(kernel)
      const commitment = fromHex(output.commit, 33, 'commit')
      const balances = kernelSumsBalance({
        inputs: [],
        outputs: [{ coinbase: true, commitment }],
        excesses: [parsed.excess],
        offset: new Uint8Array(32),
        fees: 0n,
        created: value,
      })
      const isCoinbase = output.features === 'Coinbase' && parsed.features.kind === 'coinbase'
      return isCoinbase && balances && isSigned(parsed) && (await verify(commitment, fromHex(output.proof, 675)))
    })
}
