// I2 in, I3 and transaction out. Specification: grin-wallet, 4.3.
import type { Slate } from '../../grin/slate/index.js'
import { splitFee } from '../../grin/tx/index.js'
import { toHex } from '../../lib/bytes.js'
import { walletStorageDamaged } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { heightOf } from '../rows.js'
import type { Open } from './finalize.js'

/** Signs, and returns how the entry changes. Throws an I2_… refusal or a TX_… failure. */
export async function finalizeInvoiceSlate({ signer, ledger }: WalletParts, { row, context }: Open, slate: Slate) {
  const [output] = row.outputs
  const { sealed, rangeProof } = context
  if (!output || !rangeProof) throw walletStorageDamaged(`context/${slate.id}`)
  const tip = heightOf(await ledger.read())
  const final = await signer.finishInvoice({ i2: slate, output, rangeProof, sealed, tip })
  return (_: Draft, now: Open): WalletTransaction => ({
    ...now.row,
    written: 'I3',
    fee: splitFee(slate.fee).fee,
    excess: toHex(final.excess),
    slate: final.bytes,
  })
}
