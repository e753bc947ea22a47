// A payment of the till before this one as one of ours. Its database does not say which key of the wallet holds the money; the range proof
// inside the stored reply does (specification: grin-wallet, 1.6), and so it also shows that the wallet is the same.
import { nanoGrin } from '../../grin/amount/index.js'
import { outputIdentifier, pathOf } from '../../grin/keychain/index.js'
import { digestSlate, encodeSlate, type Slate } from '../../grin/slate/index.js'
import { readSlatepack } from '../../grin/slatepack/index.js'
import { equalBytes, fromHex } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import type { Payment, ReceiverProof, Settlement } from '../model.js'
import {
  hexOf,
  hexOrNull,
  type LegacyRow,
  type MovingParts,
  RowLeftOut,
  RowProblem,
  readCount,
  readText,
  readTime,
  readWord,
  textOrNull,
  timeOrNull,
  wholeOrNull,
} from './parts.js'

type Cells = LegacyRow['cells']

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STATES = ['received', 'replied', 'confirmed'] as const

/** `invoice`: the row of the invoice that it pays, if there is one. */
export async function readPayment(
  { cells }: LegacyRow,
  invoice: LegacyRow | undefined,
  parts: MovingParts,
): Promise<Payment> {
  const settlement = settlementOf(cells, invoice, parts)
  const reply = textOrNull(cells, 's2_armor')
  const isFinal = settlement === 'confirmed'
  if (reply === null || textOrNull(cells, 'kernel') === null)
    throw isFinal
      ? new RowLeftOut('it is confirmed, and its reply was not kept: the money is in the wallet, the row stays behind')
      : new RowProblem('it is not confirmed and its reply was not kept: run the old till until it is')
  const slate = await slateOf(reply, parts)
  const amount = amountOf(cells)
  const minedHeight = readCount(cells, 'confirmed_height') || null
  const minedAt = timeOrNull(cells, 'confirmed_at')
  const createdAt = readTime(cells, 'created_at')
  return {
    id: readText(cells, 'id', UUID),
    invoiceId: invoice ? hexOf(invoice.cells, 'id', 32) : null,
    userId: textOrNull(cells, 'user_id'),
    amount,
    feeFields: slate.fee,
    rail: railOf(cells, invoice),
    payer: hexOrNull(cells, 'payer', 64),
    recipientPubkey: hexOrNull(cells, 'recipient', 64),
    settlement,
    // The S1 was not kept: a repeat of it counts as another slate of the same id, and is refused.
    s1Digest: digestSlate(slate),
    s2: encodeSlate(slate),
    reply,
    ...ownOutput(slate, amount, parts),
    excess: fromHex(hexOf(cells, 'kernel', 66)),
    proof: proofOf(cells),
    receivedHeight: 0,
    minedHeight,
    confirmations: readCount(cells, 'confirmations'),
    createdAt,
    minedAt,
    confirmedAt: isFinal ? ((invoice && timeOrNull(invoice.cells, 'confirmed_at')) ?? minedAt ?? createdAt) : null,
    nextCheckAt: isFinal ? null : parts.now,
    output: null,
    intendedInvoiceId: null,
  }
}

function amountOf(cells: Cells): Payment['amount'] {
  const amount = wholeOrNull(cells, 'amount')
  if (amount === null) throw new RowProblem('amount is missing')
  return nanoGrin(BigInt.asUintN(64, amount))
}

/** In the old till a payment was "confirmed" after one block. Payments of invoices that are only paid are checked again and reported once deep enough. */
function settlementOf(cells: Cells, invoice: LegacyRow | undefined, { settings }: MovingParts): Settlement {
  const status = readWord(cells, 'status', STATES)
  const isDeep = readCount(cells, 'confirmations') >= settings.confirmations
  if (invoice ? invoice.cells.status === 'confirmed' : isDeep) return 'confirmed'
  if (readCount(cells, 'confirmed_height') > 0) return 'mined'
  return status === 'received' ? 'received' : 'replied'
}

function railOf(cells: Cells, invoice: LegacyRow | undefined): Payment['rail'] {
  if (textOrNull(cells, 'payer') !== null) return 'nostr'
  return invoice?.cells.rail === 'grin1' ? 'grin1' : 'slatepack'
}

async function slateOf(reply: string, { prefix }: MovingParts): Promise<Slate> {
  try {
    return (await readSlatepack(reply, { prefix })).slate
  } catch (error) {
    if (!(error instanceof GrinpayError)) throw error
    throw new RowProblem(`s2_armor cannot be read: ${error.message}`)
  }
}

/** Which key made the output, read out of its own proof. */
function ownOutput(slate: Slate, amount: bigint, { keychain }: MovingParts): Pick<Payment, 'keyIndex' | 'commitment'> {
  const [output] = (slate.commitments ?? []).filter(({ proof }) => proof !== undefined)
  if (!output?.proof) throw new RowProblem('s2_armor holds no output')
  const rewound = keychain.rewindOutput(output.commitment, output.proof)
  if (!rewound) throw new RowProblem('its money is not in this wallet: restore the wallet of the old till first')
  if (rewound.value !== amount) throw new RowProblem(`its output is worth ${rewound.value} nanogrin, not ${amount}`)
  const keyIndex = pathOf(rewound.identifier).at(-1) ?? 0
  if (!equalBytes(rewound.identifier, outputIdentifier(0, keyIndex)))
    throw new RowProblem('its output belongs to another account of the wallet; a till has account 0 only')
  return { keyIndex, commitment: output.commitment }
}

/** As the original kept it: JSON with these five members. */
function proofOf(cells: Cells): ReceiverProof | null {
  const text = textOrNull(cells, 'proof')
  if (text === null) return null
  const { amount, kernel_excess, recipient_address, recipient_sig, sender_address } = membersOf(parseJson(text))
  const isHex = (value: unknown, length: number): value is string =>
    typeof value === 'string' && value.length === length && /^[0-9a-f]+$/.test(value)
  if (
    !/^\d{1,20}$/.test(foreignText(amount)) ||
    !isHex(kernel_excess, 66) ||
    !isHex(recipient_address, 64) ||
    !isHex(recipient_sig, 128) ||
    !isHex(sender_address, 64)
  )
    throw new RowProblem('proof cannot be read')
  return {
    amount: nanoGrin(BigInt(foreignText(amount))),
    kernelExcess: kernel_excess,
    recipientAddress: recipient_address,
    recipientSig: recipient_sig,
    senderAddress: sender_address,
  }
}
