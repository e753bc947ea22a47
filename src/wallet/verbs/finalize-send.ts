// S2 in, S3 and transaction out; with a late lock the coins are chosen here. Specification: grin-wallet, 4.2.
import { paymentProofJson } from '../../grin/proof/index.js'
import type { Slate } from '../../grin/slate/index.js'
import { toHex } from '../../lib/bytes.js'
import { changeFor, chooseCoins, spendOf } from '../coins/choose.js'
import { storedSlate } from '../complete.js'
import { walletStorageDamaged } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { addUnconfirmed, areFree, lockInputs, sumOf } from '../rows.js'
import type { Open } from './finalize.js'

interface ChosenCoins {
  readonly inputs: readonly WalletOutput[]
  readonly change: readonly OwnOutput[]
}

/** Signs, and returns how the entry changes: not at all if the coins of a late lock were taken meanwhile. Throws PAYER_REPLY or PAYER_PROOF. */
export async function finalizeSend(parts: WalletParts, open: Open, slate: Slate) {
  const { signer, ledger, rules } = parts
  const { account, fee = 0n, slate: bytes = new Uint8Array() } = open.row
  const coins = await ledger.change((draft) => coinsOf(parts, draft, open))
  const final = await signer.finishSend({
    account,
    s1: storedSlate(open.row, bytes),
    s2: slate,
    spend: spendOf(coins.inputs, coins.change, fee),
    sealed: open.context.sealed,
  })
  return (draft: Draft, now: Open): WalletTransaction | undefined => {
    const row: WalletTransaction = {
      ...now.row,
      written: 'S3',
      excess: toHex(final.excess),
      slate: final.bytes,
      ...(final.proof && { proof: paymentProofJson(final.proof, rules.prefix) }),
    }
    return open.context.late ? locked(draft, row, coins) : row
  }
}

/** The locked coins of the S1, or with a late lock those that fit its fee. */
async function coinsOf({ signer }: WalletParts, draft: Draft, { row, context: { late } }: Open): Promise<ChosenCoins> {
  const { account, amount, fee = 0n } = row
  if (late) {
    const { coins, change } = chooseCoins(draft, account, { ...late, amount, fixedFee: fee })
    return { inputs: coins, change: await changeFor(signer, draft, account, change) }
  }
  const inputs = row.inputs.flatMap((commitment) => draft.get('output', commitment) ?? [])
  if (inputs.length < row.inputs.length) throw walletStorageDamaged(`inputs of transaction/${row.id}`)
  return { inputs, change: row.outputs }
}

function locked(draft: Draft, row: WalletTransaction, { inputs, change }: ChosenCoins): WalletTransaction | undefined {
  if (!areFree(draft, inputs)) return undefined
  lockInputs(draft, inputs, row.id)
  addUnconfirmed(draft, change, row)
  return {
    ...row,
    inputs: inputs.map(({ commitment }) => commitment),
    outputs: change,
    credited: sumOf(change),
    debited: sumOf(inputs),
  }
}
