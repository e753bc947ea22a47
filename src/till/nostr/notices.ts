// What the messages for people say (specification: invoicing, 4.7). One table; every text is signed with the program's own name.
import { formatGrin } from '../../grin/amount/index.js'
import type { LetterKind, Payment } from '../model.js'

interface Facts {
  /** In GRIN, for people. */
  readonly amount: string
  readonly slateId: string
}

type Notice = Exclude<LetterKind, 'reply'>

const TEXTS: Readonly<Record<Notice, (facts: Facts) => string>> = {
  thanks: ({ amount }) => `[grinpay] Payment of ${amount} GRIN received. Thank you.`,
  'merchant-received': ({ amount, slateId }) => `[grinpay] Received ${amount} GRIN (slate ${slateId}).`,
  'merchant-confirmed': ({ amount, slateId }) => `[grinpay] Confirmed ${amount} GRIN (slate ${slateId}).`,
}

/** The words of a notice about this payment. */
export const noticeText = (kind: Notice, { id, amount }: Pick<Payment, 'id' | 'amount'>): string =>
  TEXTS[kind]({ amount: formatGrin(amount), slateId: id })
