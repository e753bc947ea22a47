// What a payment rail contributes to the till. The core reads these from the table in rails.ts and knows no rail by name.
import type { NanoGrin } from '../grin/amount/index.js'
import type { QrOptions } from '../lib/qr.js'
import type { TillSettings } from './api.js'
import type { Invoice, MessageDraft, MessageLayout, Payment, RailName } from './model.js'
import type { TextKey } from './pages/texts/en.js'
import type { Translator } from './pages/texts/index.js'
import type { Match } from './payments/matching.js'
import type { TillStore } from './ports.js'

/** The link that opens a payer's wallet, and the code that its camera scans. */
export type PayLinks = Pick<Invoice, 'payLink' | 'qrSvg'>
type Linked = Pick<Invoice, 'amount' | 'memo' | 'matchKey' | 'recipientPubkey'>

/** What the operator lets the checkout offer (`PAY_CHECKOUT_METHODS`): Nostr wallets; Grin's own ways, which are three tabs. */
export type CheckoutMethod = 'nostr' | 'slatepack'

/** What decides which tabs an invoice has. */
export interface Offered {
  readonly methods: readonly CheckoutMethod[]
  /** Whether the bare address alone tells which invoice is paid. */
  readonly plainSend: boolean
}

/** What a tab can show of the till. */
export interface TabContext {
  readonly address: string
  readonly nprofile: (pubkey: string) => string
  /** A QR code as SVG; empty when the text does not fit. */
  readonly code: (text: string, options: QrOptions) => string
}

/** One way to pay, as a tab of the checkout page (specification: invoicing, 2.5). */
export interface CheckoutTab {
  /** `method` in the address of the page, 4 to 9 letters. Never changes: shops link to it. */
  readonly id: string
  /** Tabs stand in this order, over all rails. */
  readonly position: number
  readonly label: (translator: Translator) => string
  /** The partial below `templates/checkout/` that shows it. */
  readonly template: string
  readonly isUsable: (invoice: Invoice, offered: Offered) => boolean
  /** What its template finds in `page`, beside what every tab finds there. Absent: nothing. */
  readonly view?: (invoice: Invoice, context: TabContext, translator: Translator) => Readonly<Record<string, string>>
  /** The button of its form for slatepacks. What is typed there must outlive every reload, so only the status lives in a frame. Absent: no form. */
  readonly form?: TextKey
  /** Commands that pay here: `grinpay sandbox pay --rail` with this rail, and whether grin-wallet's `send` does. Absent: none. */
  readonly terminal?: { readonly rail: RailName; readonly hasSend: boolean }
}

export interface PaymentRail {
  /** As the database, the API and the log write it. Never changes. */
  readonly name: RailName
  /** What happens to a payment that matches no invoice, unless `PAY_UNMATCHED` decides. */
  readonly unmatched: 'accept' | 'refuse'
  /** Finds the invoice of a payment. Absent: by receiving key, then subject, then amount. `now` in epoch milliseconds. */
  readonly match?: (amount: NanoGrin, parts: { readonly store: TillStore }, now: number) => Promise<Match>
  /** Payers paste slatepacks on an invoice's page and carry the reply to their wallet. Absent: the rail delivers the reply by itself. */
  readonly isPasted?: true
  /** Its clients hand in responses (I2) to the till's invoice slates, outside of any page. */
  readonly finalizes?: true
  /** An invoice that offers it shows an invoice slate of the till (I1). The store's indexes name this rail: `SLATE_RAIL`. */
  readonly issuesSlate?: true
  /** Sends to the bare address of the till arrive over it. */
  readonly takesPlainSends?: true
  /** Whether a new invoice stores this rail as `offeredRail`; the first rail of the table that says so is stored. Absent: no. */
  readonly isOffered?: (settings: TillSettings) => boolean
  /** Its tabs on the checkout. Absent: none. */
  readonly tabs?: readonly CheckoutTab[]
  /** The pay link of an invoice. Absent: this rail has none. */
  readonly linksOf?: (invoice: Linked, settings: TillSettings, walletAddress: string) => PayLinks
  /** Messages to queue in the transaction that stores a received payment, whatever its rail; `layout` is that of the payer's message. */
  readonly messagesOnReceipt?: (
    payment: Pick<Payment, 'rail' | 'payer'>,
    settings: TillSettings,
    layout?: MessageLayout,
  ) => readonly MessageDraft[]
  /** Messages to queue in the transaction that confirms a payment, whatever its rail. */
  readonly messagesOnConfirmation?: (settings: TillSettings) => readonly MessageDraft[]
}
