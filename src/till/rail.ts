// What a payment rail contributes to the till. The core reads these from the table in rails.ts and knows no rail by name.
import type { NanoGrin } from '../grin/amount/index.js'
import type { TillSettings } from './api.js'
import type { Invoice, LetterDraft, LetterLayout, Payment, RailName } from './model.js'
import type { Match } from './payments/matching.js'
import type { TillStore } from './ports.js'

/** The link that opens a payer's wallet, and the code that its camera scans. */
export type PayLinks = Pick<Invoice, 'payLink' | 'qrSvg'>
type Linked = Pick<Invoice, 'amount' | 'memo' | 'matchKey' | 'recipientPubkey'>

export interface PaymentRail {
  /** As the database, the API and the log write it. Never changes. */
  readonly name: RailName
  /** What happens to a payment that matches no invoice, unless `PAY_UNMATCHED` decides. */
  readonly unmatched: 'accept' | 'refuse'
  /** Finds the invoice of a payment. Absent: by receiving key, then subject, then amount. `now` in epoch milliseconds. */
  readonly match?: (amount: NanoGrin, parts: { readonly store: TillStore }, now: number) => Promise<Match>
  /**
   * Whether a new invoice stores this rail as `offeredRail`. Only grin1 may: the column `invoice.rail` and native invoice slates know no
   * other. Absent: no.
   */
  readonly isOffered?: (settings: TillSettings) => boolean
  /** The pay link of an invoice. Absent: this rail has none. */
  readonly linksOf?: (invoice: Linked, settings: TillSettings, walletAddress: string) => PayLinks
  /** Messages to queue in the transaction that stores a received payment of any rail; `layout` is that of the payer's message. */
  readonly messagesOnReceipt?: (
    payment: Pick<Payment, 'rail' | 'payer'>,
    settings: TillSettings,
    layout?: LetterLayout,
  ) => readonly LetterDraft[]
  /** Messages to queue in the transaction that confirms a payment of any rail. */
  readonly messagesOnConfirmation?: (settings: TillSettings) => readonly LetterDraft[]
}
