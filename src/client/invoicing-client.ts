// A typed client of the till's HTTP API, for the command line, the name authority and the shop's package.

import { parseJson } from '../lib/parse-json.js'
import type { Secret } from '../lib/secret.js'
import type {
  CreateInvoiceBody,
  DeliveryDetailView,
  DeliveryListView,
  DeliveryView,
  ErrorView,
  HealthView,
  IdListView,
  InvoiceListView,
  InvoiceView,
  PaymentListView,
  PaymentRecordView,
  PaymentView,
  ReportView,
  StatusView,
  WebhookTestView,
} from '../till/index.js'
import { errorFromTill, notATill, tokenMissing } from './errors.js'
import { httpTransport, type Transport } from './transport.js'

/** Query members of a list; undefined ones are left out. */
export type ListQuery = Readonly<Record<string, string | number | boolean | undefined>>

export interface ClientParts {
  /** Includes the mount path; a trailing slash is allowed. */
  readonly baseUrl: string
  readonly apiToken?: Secret | undefined
  readonly adminToken?: Secret | undefined
  /** Milliseconds for each request. */
  readonly timeoutMs?: number
  readonly transport?: Transport
}

type Access = 'open' | 'api' | 'admin'

interface Call {
  readonly access: Access
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly query?: ListQuery
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly patienceMs?: number
}

export type InvoicingClient = ReturnType<typeof createInvoicingClient>

const DEFAULT_TIMEOUT_MS = 15_000
/** A report reads every payment of its days. */
const REPORT_TIMEOUT_MS = 300_000
const segment = encodeURIComponent

/** Every verb throws the till's own errors, or DAEMON_UNREACHABLE, DAEMON_TIMEOUT, NOT_A_TILL, TOKEN_MISSING. */
export function createInvoicingClient(parts: ClientParts) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, transport = httpTransport(timeoutMs, undefined, 'the till') } = parts
  const baseUrl = parts.baseUrl.replace(/\/+$/, '')

  function authorization(access: Access): Record<string, string> {
    if (access === 'open') return {}
    const token = access === 'api' ? parts.apiToken : parts.adminToken
    if (!token) throw tokenMissing(access === 'api' ? 'API' : 'admin')
    return { authorization: `Bearer ${token.reveal()}` }
  }

  async function send({ access, method = 'GET', path, query = {}, body, headers = {}, patienceMs }: Call) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    return transport({
      method,
      url: `${baseUrl}${path}${queryText(query)}`,
      headers: { accept: 'application/json', ...authorization(access), ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(patienceMs === undefined ? {} : { patienceMs }),
    })
  }

  async function call<T>(request: Call): Promise<T> {
    const answer = await send(request)
    const view = parseAnswer(answer.text)
    if (view === undefined) throw notATill(baseUrl, answer.status)
    if (answer.status < 200 || answer.status > 299) throw errorFromTill(view as Partial<ErrorView>, answer.status)
    return view as T
  }

  /** A file; failures are JSON. `head`: how the first line of the file begins. */
  async function file(request: Call, head: string): Promise<string> {
    const { status, text } = await send(request)
    if (status >= 200 && status <= 299 && text.startsWith(head)) return text
    const view = parseAnswer(text)
    if (view === undefined || status < 300) throw notATill(baseUrl, status)
    throw errorFromTill(view as Partial<ErrorView>, status)
  }

  const report = (path: string, query: ListQuery): Call => ({
    access: 'admin',
    path,
    query,
    patienceMs: REPORT_TIMEOUT_MS,
  })

  const get = <T>(access: Access, path: string, query?: ListQuery) =>
    call<T>({ access, path, ...(query ? { query } : {}) })
  const post = <T>(path: string, body: unknown = {}) => call<T>({ access: 'admin', method: 'POST', path, body })

  return {
    baseUrl,
    /** With a key, a repeated request within 24 h returns the first invoice again. */
    createInvoice: (body: CreateInvoiceBody, idempotencyKey?: string) =>
      call<InvoiceView>({
        access: 'api',
        method: 'POST',
        path: '/invoice',
        body,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      }),
    invoice: (id: string) => get<InvoiceView>('api', `/invoice/${segment(id)}`),
    invoices: async (query: ListQuery = {}) => {
      const { invoices: items, next_cursor: next } = await get<InvoiceListView>('admin', '/admin/invoices', query)
      return { items, next }
    },
    cancelInvoice: (id: string) => post<InvoiceView>(`/admin/invoices/${segment(id)}/cancel`),

    payment: (id: string) => get<PaymentView>(parts.adminToken ? 'admin' : 'open', `/payment/${segment(id)}`),
    payments: async (query: ListQuery = {}) => {
      const { payments: items, next_cursor: next } = await get<PaymentListView>('admin', '/admin/payments', query)
      return { items, next }
    },
    assignPayment: (paymentId: string, invoiceId: string) =>
      post<PaymentRecordView>(`/admin/payments/${segment(paymentId)}/match`, { invoice_id: invoiceId }),
    resendReply: (paymentId: string) => post<PaymentRecordView>(`/admin/payments/${segment(paymentId)}/resend`),

    deliveries: async (query: ListQuery = {}) => {
      const { deliveries: items, next_cursor: next } = await get<DeliveryListView>('admin', '/admin/webhooks', query)
      return { items, next }
    },
    /** Without a receiver: the delivery to the lowest receiver with the event, and `deliveries` to all. */
    delivery: (eventId: string, receiver?: number) =>
      get<DeliveryDetailView>('admin', `/admin/webhooks/${segment(eventId)}`, { receiver }),
    /** Without a receiver: to every configured one that has the event. */
    replay: (eventId: string, receiver?: number) =>
      post<DeliveryView>(`/admin/webhooks/${segment(eventId)}/replay${queryText({ receiver })}`),
    /** Without a receiver: to the lowest. */
    testWebhook: (receiver?: number) => post<WebhookTestView>(`/admin/webhooks/test${queryText({ receiver })}`),

    /** The few ids that begin with a prefix (6 to 64 of 0-9 a-f -). */
    ids: async (kind: 'invoice' | 'payment' | 'event', prefix: string) =>
      (await get<IdListView>('admin', '/admin/ids', { kind, prefix })).ids,

    /** Sums of sales; `by` is `day`, `month`, `currency` or `rail`. */
    report: (query: ListQuery) => call<ReportView>(report('/admin/report', query)),
    /** `report` as CSV. */
    reportCsv: (query: ListQuery) => file(report('/admin/report.csv', query), 'kind,'),

    status: () => get<StatusView>('admin', '/admin/status'),
    health: () => get<HealthView>('open', '/health'),
    openapi: () => get<Record<string, unknown>>('open', '/openapi.json'),
  }
}

function queryText(query: ListQuery): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined)
  if (members.length === 0) return ''
  return `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`
}

/** A JSON object, or undefined for anything else. */
function parseAnswer(text: string): object | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}
