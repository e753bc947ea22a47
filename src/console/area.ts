// What joins the console: pages, actions and streams, grouped in areas. The service mounts them and adds session, role, CSRF token,
// rate limit, audit entry and headers to each one; nothing here can leave one of them out.
import type { Html } from './html.js'
import type { Access, Role } from './sign-in/roles.js'

/** Who asks. */
interface Person {
  /** As in the audit log: `operator`, or the name of the link or invitation. */
  readonly name: string
  readonly role: Role
  /** Public id of the session, 12 hex digits; no secret. */
  readonly session: string
}

/** One GET of a page. */
export interface PageRequest {
  readonly person: Person
  /** Parts of the path: `/console/invoices/:id` has `id`. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters; one that is given twice is refused before. */
  readonly query: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly now: number
  /** Aborted when the client has gone or the console stops. */
  readonly signal: AbortSignal
  /** Renders `templates/console/{name}.eta` with `data` and `ui` (the helpers of `ui.ts`) as `it`. */
  view(name: string, data: object): Html
}

/** A page inside the frame of the console: heading, navigation, foot. */
export interface PageContent {
  readonly body: Html
  /** Replaces the title of the page, e.g. with the id of an invoice. */
  readonly title?: string
  /** Default 200. */
  readonly status?: number
  /** Seconds until the page loads itself again where scripts do not run. Only for pages on which nothing can be typed. */
  readonly refreshSeconds?: number
  /** A path below `/console`, with its query, that it loads then; default: its own address. */
  readonly refreshTo?: string
  /** Of this answer alone, instead of those of the page. */
  readonly scripts?: readonly string[]
}

/** A file to save: CSV, JSON, events as lines of JSON. */
export interface Download {
  /** A plain file name: `report-2026-11.csv`. */
  readonly download: string
  readonly type: 'text/csv' | 'application/json' | 'application/manifest+json' | 'application/x-ndjson'
  readonly content: string | AsyncIterable<string> | AsyncIterable<Uint8Array>
}

export interface ConsolePage {
  /** Below `/console`, as the router writes it: `/invoices/:id`. Not `/`: that leads to the first page of the role. */
  readonly path: string
  /** In the window's title and as the heading. */
  readonly title: string
  readonly least: Access
  /** The entry in the navigation; absent: reached from another page. Lower `order` comes first, hundreds are set apart; the first one allowed is the start page. */
  readonly navigation?: { readonly label: string; readonly order: number }
  /** `bare`: a page by itself, without head and navigation. `counter`: the head only, for the point of sale. */
  readonly frame?: 'console' | 'bare' | 'counter'
  /** Modules of `templates/console/assets/`, loaded by this page only. Without them the page has no script source at all. */
  readonly scripts?: readonly string[]
  /** Address of a web app manifest, `/console/pos/app.webmanifest`: a page of its own that answers a download. */
  readonly manifest?: string
  /** Throws `GrinpayError` for what there is not: shown as a page with text, hint and status. */
  render(request: PageRequest): Promise<PageContent | Download>
}

/** A form field: at most `max` characters, trimmed; absent in the form: an empty text. Unknown fields are refused. */
export interface Field {
  readonly max: number
  /** Whole field must match, checked before the action runs; empty texts pass. */
  readonly pattern?: RegExp
}

/** One POST of a form. */
export interface ActionRequest extends Omit<PageRequest, 'query'> {
  /** The declared fields and nothing else. */
  readonly form: Readonly<Record<string, string>>
}

/** What is asked before an action with a second step runs. The answer counts for these facts only: when they change, it is asked again. */
export interface Confirmation {
  /** "Cancel this invoice?" */
  readonly question: string
  /** Labels and values, escaped when shown. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** What happens, and whether it can be undone. */
  readonly consequence: string
  /** Text of the button: "Cancel the invoice". */
  readonly verb: string
  /** Where "Back" leads: a path below `/console`. */
  readonly back: string
}

/** Where the browser goes after an action (303), and what the next page says. */
export interface ActionOutcome {
  /** A path below `/console`, with its query: `/invoices/abc`. */
  readonly to: string
  readonly flash?: { readonly tone: 'good' | 'warn' | 'bad'; readonly text: string }
  /** Audited as `refused: CODE` instead of `done`; the flash says why. */
  readonly refused?: string
}

export interface ConsoleAction {
  /** Below `/console`, as the router writes it; POST only: `/invoices/:id/cancel`. */
  readonly path: string
  /** In the audit log: `invoice.cancel`. */
  readonly id: string
  readonly least: Access
  readonly fields: Readonly<Record<string, Field>>
  /** What it is done to, for the audit log: the id of an invoice. Never a secret. */
  object(request: ActionRequest): string
  /** Fields whose values the audit log keeps; default none. */
  readonly audited?: readonly string[]
  /** Present: the first POST shows this on a page of its own, the second POST performs. */
  confirm?(request: ActionRequest): Promise<Confirmation>
  /** Throws `GrinpayError` to refuse: audited with its code, shown as a page. Anything else thrown is a fault of the server (500). */
  perform(request: ActionRequest): Promise<ActionOutcome>
}

/** One event of a stream of server-sent events. `data` is one line of text. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/**
 * GET, answered with server-sent events while the session lives. The service sends a comment every 15 s, ends the stream with the session,
 * and allows 20 streams per session.
 */
export interface ConsoleStream {
  /** Below `/console`: `/live`. */
  readonly path: string
  readonly least: Access
  /** Ends when `request.signal` is aborted. */
  events(request: PageRequest): AsyncIterable<StreamEvent>
}

/** What one part of the daemon contributes. */
export interface ConsoleArea {
  /** `till`, `pos`, `names`. */
  readonly id: string
  readonly pages: readonly ConsolePage[]
  readonly actions?: readonly ConsoleAction[]
  readonly streams?: readonly ConsoleStream[]
}
