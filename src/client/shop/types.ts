// The types of `grinpay/client`. They import nothing, so that the package needs no other types; a test compares them with the schemas of the
// till's API and with its events. Members are only ever added.

/** Only `confirmed` means that the money is on the chain, deep enough. */
export type InvoiceStatus = 'open' | 'paid' | 'confirmed' | 'expired' | 'cancelled'

interface Terms {
  /** Your own reference, 1 to 255 characters: comes back in answers and webhooks. */
  readonly order_ref?: string
  /** The customer reads it; at most 256 characters. */
  readonly memo?: string
  /** How a payment over Nostr finds the invoice; absent: as the till is set. */
  readonly match_mode?: 'derived' | 'memo' | 'amount'
  /** 60 to 31536000. A price in money is locked for at most the till's quote time. */
  readonly expiry_secs?: number
  /** Where the checkout page leads back to, http or https, at most 2048 characters: the page of the order. */
  readonly return_url?: string
}

/** Either an exact number of nanogrin (see `nanogrin`), or an amount of money that is priced now. */
export type NewInvoice = Terms &
  (
    | { readonly amount_grin: number; readonly amount_fiat?: never; readonly currency?: never }
    | { readonly amount_fiat: string; readonly currency: string; readonly amount_grin?: never }
  )

/** Times are `YYYY-MM-DDTHH:MM:SSZ`. Every member is always there. */
export interface Invoice {
  readonly invoice_id: string
  readonly token: string
  /** Send the customer here. */
  readonly pay_url: string
  readonly recipient_pubkey: string
  readonly npub: string
  readonly nprofile: string
  readonly pay_link: string
  /** SVG text; empty when the link does not fit a code. */
  readonly qr_svg: string
  /** For people: `1.5 GRIN`, or `12.50 USD (~150 GRIN)`. */
  readonly amount: string
  readonly amount_nanogrin: number
  readonly fiat: {
    readonly amount: string
    readonly currency: string
    readonly rate: string
    readonly source: string
    /** When the rate was asked for; null on invoices of earlier versions. */
    readonly rate_at: string | null
  } | null
  readonly status: InvoiceStatus
  readonly confirmations: number
  readonly confirmations_required: number
  readonly order_ref: string | null
  readonly memo: string | null
  readonly match_mode: 'derived' | 'memo' | 'amount'
  readonly created_at: string
  readonly expires_at: string | null
  readonly paid_at: string | null
  readonly confirmed_at: string | null
  readonly payment_id: string | null
  readonly return_url: string | null
}

interface EventBase {
  /** The same on every retry and replay: act once per id. */
  readonly event_id: string
  readonly created_at: string
  /** Null for a payment that fits no invoice. */
  readonly invoice_id: string | null
  readonly order_ref: string | null
  readonly user_id: string | null
}

interface Paid {
  readonly slate_id: string
  /** Nanogrin. `amount_grin` has the same as exact text, also above 9 million GRIN, where a number rounds. */
  readonly amount: number
  readonly amount_grin: string
  /** The customer's Nostr key, when the payment came over Nostr. */
  readonly payer: string | null
}

/** The till has signed its half. Nothing is on the chain yet: do not ship. */
export interface PaymentReceived extends EventBase {
  readonly event_type: 'payment.received'
  readonly payment: Paid & { readonly status: 'received'; readonly confirmed_height: null }
}

/** Deep enough in the chain: ship. */
export interface PaymentConfirmed extends EventBase {
  readonly event_type: 'payment.confirmed'
  readonly payment: Paid & {
    readonly status: 'confirmed'
    readonly confirmed_height: number | null
    readonly confirmations: number
  }
}

/** Sent by `grinpay webhook test`: answer 200. */
export interface TestPing extends EventBase {
  readonly event_type: 'test.ping'
  readonly payment: null
}

/** What a till sends to a shop; `event_type` says which of them. */
export type ShopEvent = PaymentReceived | PaymentConfirmed | TestPing
