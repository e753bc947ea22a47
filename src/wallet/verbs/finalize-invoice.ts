// I2 in, I3 and transaction out. Specification: grin-wallet.md 4.3.
import { nanoGrin } from '../../grin/amount/index.js'
import { identifierFromPath } from '../../grin/keychain/index.js'
import { finalizeInvoice } from '../../grin/receive/index.js'
import type { Slate } from '../../grin/slate/index.js'
import { splitFee } from '../../grin/tx/index.js'
import { fromHex, toHex, wipe } from '../../lib/bytes.js'
import { walletStorageDamaged } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { heightOf } from '../rows.js'
import { readingRow } from '../storage/tables.js'
import type { Open } from './finalize.js'

/** Signs, and returns how the entry changes. Throws an I2_… refusal or a TX_… failure. */
export async function finalizeInvoiceSlate(parts: WalletParts, { row, context }: Open, slate: Slate) {
  const [output] = row.outputs
  if (!output || !context.rangeProof) throw walletStorageDamaged(`context/${slate.id}`)
  const secrets = readingRow(`context/${slate.id}`, () => parts.vault.open(slate.id, context.sealed))
  const invoice = {
    slateId: slate.id,
    amount: nanoGrin(row.amount),
    identifier: identifierFromPath(output.path),
    commitment: fromHex(output.commitment),
    rangeProof: context.rangeProof,
    secrets,
  }
  const { keychain, prover, ledger } = parts
  const tip = heightOf(await ledger.read())
  try {
    const final = await finalizeInvoice({ keychain, invoice, slate, tip, verifyRange: prover.verify })
    return (_: Draft, now: Open): WalletTransaction => ({
      ...now.row,
      written: 'I3',
      fee: splitFee(slate.fee).fee,
      excess: toHex(final.excess),
      slate: final.bytes,
    })
  } finally {
    wipe(secrets)
  }
}
