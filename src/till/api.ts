// The till as its routes, pages, loops and composition see it. Expected failures are GrinpayErrors of ./errors.ts.
import type { NanoGrin } from '../grin/amount/index.js'
import type {
  Attempt,
  Delivery,
  Invoice,
  MatchMode,
  ONE_TIME_KEY_MODES,
  Page,
  Payment,
  RELAY_STATES,
  SearchableId,
  User,
} from './model.js'
import type {
  DayFigures,
  DeliveryFilter,
  IdempotencyKey,
  InvoiceFilter,
  PaymentFilter,
  RecordedDelivery,
} from './ports.js'
import type { MakeReport } from './reports/reports.js'

/** What the operator decided; times in seconds, as in the settings. */
export interface TillSettings {
  /** Without trailing slash, mount path included. */
  readonly publicUrl: string
  readonly chain: 'mainnet' | 'testnet' | 'usernet' | 'sandbox'
  readonly matchMode: MatchMode
  readonly confirmations: number
  /** Nodes that must agree before a payment is confirmed; 1 unless set. */
  readonly confirmNodes?: number | undefined
  /** From this amount on at least two must. */
  readonly confirmNodesFrom?: NanoGrin | undefined
  /** Lower case. */
  readonly currencies: readonly string[]
  readonly quoteTtl: number
  readonly settleTimeout: number
  /** Absent: each rail's own default, which is `accept` except for plain sends to the grin1 address. */
  readonly unmatched?: 'accept' | 'refuse' | undefined
  /** Invoices are payable on the grin1 rail too: by a plain send to the address, and with a native invoice slate. Absent means no. */
  readonly grin1Rail?: boolean
  readonly amountJitter: boolean
  readonly uriScheme: 'nostr' | 'goblin'
  /** Relays named in nprofile, at most three are used. */
  readonly relays: readonly string[]
  /** Who gets the events; none: no events are written. */
  readonly webhooks: readonly WebhookTarget[]
  readonly rotateInterval: number
  /** False: no payments arrive, so no invoices are made (`PAY_INGEST=off`). Absent means on. */
  readonly ingest?: boolean
  /** Whether the merchant and the payer get messages over Nostr, and the merchant's key (64 hex). Absent means no. */
  readonly notifyMerchant?: boolean
  readonly merchantPubkey?: string
  readonly notifyPayer?: boolean
  /** How many earlier receiving keys of a user stay listened to. Absent means 1. */
  readonly overlapEpochs?: number
}

export interface WebhookTarget {
  /** 1 to 8; each has its own secret (`TillParts.webhookSecrets`). */
  readonly receiver: number
  readonly url: string
  readonly compat: boolean
}

/** The body of POST /invoice after its types were checked; what the values mean is the till's business. */
export interface CreateInvoice {
  readonly amountNanogrin?: bigint
  readonly amountFiat?: string
  readonly currency?: string
  readonly orderRef?: string
  readonly memo?: string
  readonly matchMode?: string
  readonly expirySecs?: number
  readonly returnUrl?: string
  /** From the point of sale only: `POST /invoice` has no such member. */
  readonly tip?: string
}

/** The reply to a paste, ready to be shown. `repeated` when these bytes were answered before. */
export interface PasteReply {
  readonly payment: Payment
  readonly slatepack: string
  readonly repeated: boolean
}

/** Specification: invoicing, 7. Members in the order that is hashed. */
export interface Receipt {
  readonly version: 1
  readonly payment_id: string
  readonly amount: number
  readonly kernel_excess: string
  readonly confirmed_height: number | null
  readonly confirmations: number | null
  readonly proof: Readonly<Record<string, unknown>> | null
  readonly issued_at: string
  readonly server_pubkey: string
}

export interface SignedReceipt {
  readonly receipt: Receipt
  readonly sig: string
}

/** A relay as the operator sees it. Times in milliseconds. */
export interface RelayState {
  readonly url: string
  readonly state: (typeof RELAY_STATES)[number]
  /** Whether it has been asked for everything the till listens to. */
  readonly subscribed: boolean
  /** Epoch: when it came into this state. */
  readonly since: number
  readonly lastError: string | null
  readonly roundTripMs: number | null
  /** Messages it brought. */
  readonly received: number
  /** Forgeries it brought. */
  readonly blamed: number
  /** It asked who we are (NIP-42). */
  readonly challenges: boolean
  readonly oneTimeKeys: (typeof ONE_TIME_KEY_MODES)[number]
}

/** Messages that came over Nostr. */
interface InboxState {
  /** Wait to be opened, and to be tried again. */
  readonly waiting: number
  readonly retrying: number
  /** Had no room when they came; they are fetched again. */
  readonly dropped: number
  /** What became of the others since the start. */
  readonly outcomes: Readonly<Record<string, number>>
}

/** What the rails tell about themselves. */
export interface RailsState {
  readonly relays: readonly RelayState[]
  readonly inbox: InboxState
}

/** The deliveries to one webhook receiver. */
export interface ReceiverStatus {
  readonly receiver: number
  /** Host and port; null while it is not in the settings. */
  readonly host: string | null
  readonly pending: number
  /** Age of the oldest that waits; null: none does. */
  readonly oldestSeconds: number | null
  /** For how long every attempt has failed, restarts included; null: nothing waits, none was made, or the last succeeded. */
  readonly failingSeconds: number | null
  readonly abandoned: number
}

export interface TillStatus {
  readonly walletAddress: string
  readonly npub: string
  readonly node: { readonly ok: boolean; readonly height: number | null; readonly detail: string }
  /** In the header of the newest block that was heard of, epoch milliseconds. */
  readonly tipTime?: number | undefined
  /** Of all receivers together, and of each. */
  readonly webhooks: {
    readonly pending: number
    readonly abandoned: number
    readonly oldestSeconds: number | null
    readonly receivers: readonly ReceiverStatus[]
  }
  /** Messages that are owed over Nostr. */
  readonly messages: { readonly pending: number; readonly oldestSeconds: number | null }
  /** Empty without the Nostr rail. */
  readonly relays: readonly RelayState[]
  readonly inbox: InboxState | null
  /** Things an operator must look at, e.g. a kernel that vanished after confirmation. */
  readonly alarms: readonly string[]
}

export interface Till {
  readonly settings: TillSettings
  /** The till's own Grin address and Nostr key. */
  readonly identity: {
    readonly address: string
    readonly pubkey: string
    readonly npub: string
    readonly nprofile: string
  }

  createInvoice(
    request: CreateInvoice,
    key?: IdempotencyKey,
  ): Promise<{ readonly invoice: Invoice; readonly replayed: boolean }>
  /** Reading turns an overdue open invoice into `expired` first. */
  findInvoice(id: string): Promise<Invoice | undefined>
  findByToken(token: string): Promise<Invoice | undefined>
  listInvoices(filter: InvoiceFilter): Promise<Page<Invoice>>
  /** Throws INVOICE_NOT_FOUND, INVOICE_NOT_OPEN. */
  cancelInvoice(id: string): Promise<Invoice>
  /** New price for the same fiat invoice. Throws REQUOTE_REFUSED with the reason. */
  requote(token: string): Promise<Invoice>
  /** Whether the page may offer a new price. */
  canRequote(invoice: Invoice): boolean
  /** Resolves when the invoice's status or depth is no longer what the caller saw, or after `ms`, or on abort. */
  changed(invoice: Invoice, ms: number, signal?: AbortSignal): Promise<Invoice>

  /** Whether the page of this invoice may offer the bare address (specification: invoicing, 5.5). */
  takesPlainSends(invoice: Invoice): Promise<boolean>
  /** Takes a pasted S1, or the I2 of this invoice's own slate (specification: invoicing, 2.7); answers S2 or I3. */
  pasteSlatepack(token: string, text: string): Promise<PasteReply>

  findPayment(id: string): Promise<Payment | undefined>
  listPayments(filter: PaymentFilter): Promise<Page<Payment>>
  /** Attaches an unmatched payment. Throws PAYMENT_NOT_FOUND, INVOICE_NOT_FOUND, ASSIGN_REFUSED. */
  assignPayment(paymentId: string, invoiceId: string): Promise<Payment>
  /** Sends the reply of a payment over Nostr again. Throws PAYMENT_NOT_FOUND, REPLY_NOT_BY_NOSTR, IDENTITY_NOT_LOADED. */
  resendReply(paymentId: string): Promise<Payment>
  /** Throws PAYMENT_NOT_FOUND, RECEIPT_UNAVAILABLE. */
  receipt(paymentId: string): Promise<SignedReceipt>

  listDeliveries(filter: DeliveryFilter): Promise<Page<Delivery>>
  /** The delivery to one receiver, without `receiver` to the lowest that has the event; `all` are those to every receiver. */
  findDelivery(eventId: string, receiver?: number): Promise<FoundDelivery | undefined>
  /**
   * To one receiver, without `receiver` to every configured one that has the event; answers the delivery to the lowest of them.
   * Throws DELIVERY_NOT_FOUND, WEBHOOK_NOT_CONFIGURED, and DELIVERY_IN_FLIGHT while an attempt of it runs.
   */
  replay(eventId: string, receiver?: number): Promise<Delivery>
  /** Ids that begin with the prefix, in order; a few are enough to tell whether it names one. */
  findIds(kind: SearchableId, prefix: string): Promise<readonly string[]>
  /** Sends a signed `test.ping` now to this receiver, else to the lowest, and answers what came back. Throws WEBHOOK_NOT_CONFIGURED. */
  testWebhook(
    receiver?: number,
  ): Promise<{ readonly eventId: string; readonly receiver: number; readonly attempt: Attempt }>

  createUser(id: string | undefined, rotateInterval: number | null): Promise<UserView>
  findUser(id: string): Promise<UserView | undefined>
  listUsers(limit: number, cursor?: string): Promise<Page<UserView & { readonly balance: bigint }>>
  rotateUser(id: string): Promise<UserView>
  setRotateInterval(id: string, seconds: number | null): Promise<void>

  /** Sums of confirmed payments. Throws the errors of `reports/errors.ts`. */
  readonly report: MakeReport
  /** Since midnight UTC. */
  today(): Promise<DayFigures & { readonly since: number }>
  balance(): Promise<Readonly<Record<string, { readonly count: number; readonly amount: bigint }>>>
  status(): Promise<TillStatus>
  /** The loops of the till, one pass each; `workers/` calls them on their periods. */
  readonly passes: {
    sweep(): Promise<void>
    /** Fresh invoice slates for open invoices that show none; ends early when the signal aborts. */
    issueSlates(signal?: AbortSignal): Promise<void>
    confirm(): Promise<void>
    /** Whether a young payment is to be checked before its time, and then checks it. */
    look(): Promise<void>
    push(): Promise<void>
    /** What is due for one receiver, without `receiver` for each of them side by side. */
    deliver(receiver?: number): Promise<void>
    rotate(): Promise<void>
    /** Only where several instances share a database. */
    shareAlarms?(): Promise<void>
  }
}

export interface FoundDelivery extends RecordedDelivery {
  readonly all: readonly Delivery[]
}

export interface UserView extends User {
  readonly npub: string
  readonly nprofile: string
  readonly qrSvg: string
}
