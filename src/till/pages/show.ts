// Finding an invoice by its token and answering with its page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiRoute, Bucket, Views } from '../../http/index.js'
import type { Till } from '../api.js'
import { invoiceNotFound } from '../errors.js'
import type { Invoice } from '../model.js'
import type { TillRequest } from '../routes/parts.js'
import { type CheckoutContext, checkoutPage, type InvoicePage, type PasteRefusal } from './checkout-model.js'
import { languageFor, type Translator, translatorOf } from './texts/index.js'

export interface CheckoutParts {
  readonly till: Till
  readonly views: Views
  readonly context: CheckoutContext
}

/** A route below `/pay`. */
export interface CheckoutRoute extends ApiRoute<CheckoutParts, TillRequest> {
  readonly limit: Bucket
}

/** The method that the query asks for. */
const methodIn = ({ query }: FastifyRequest<TillRequest>): string | undefined =>
  typeof query.method === 'string' ? query.method : undefined

/**
 * Of the browser that asks. In a document without an address Firefox takes 'self' of the inherited policy for nothing and shows an empty
 * frame; it does not load such a document again either.
 */
const keepsFramesFor = ({ headers }: FastifyRequest): boolean => !/\bFirefox\//.test(headers['user-agent'] ?? '')

/** The texts in the language of the reader. */
export const translatorFor = ({ headers }: FastifyRequest): Translator =>
  translatorOf(languageFor(headers['accept-language']))

/** Who reads a page, and what of it. */
export type Reader = Pick<InvoicePage, 'translator' | 'wantedMethod' | 'keepsFrames'>

/** Who asks, by the request. */
export const readerOf = (request: FastifyRequest<TillRequest>): Reader => ({
  translator: translatorFor(request),
  wantedMethod: methodIn(request),
  keepsFrames: keepsFramesFor(request),
})

/** Everything that the page of this invoice depends on. */
export async function loadInvoicePage(till: Till, invoice: Invoice, reader: Reader): Promise<InvoicePage> {
  const [payment, plainSend] = await Promise.all([
    invoice.paymentId === null ? undefined : till.findPayment(invoice.paymentId),
    invoice.status === 'open' ? till.takesPlainSends(invoice) : false,
  ])
  return { invoice, payment, plainSend, canRequote: till.canRequote(invoice), ...reader }
}

/** The whole page of an invoice in the state it is in. */
export async function renderPage(
  { till, views, context }: CheckoutParts,
  invoice: Invoice,
  { refusal, ...reader }: Reader & { readonly refusal?: PasteRefusal },
): Promise<string> {
  const { template, data } = checkoutPage(await loadInvoicePage(till, invoice, reader), context, refusal)
  return views.render(template, data)
}

/** Throws INVOICE_NOT_FOUND. */
export async function findByToken(till: Till, token: string): Promise<Invoice> {
  const invoice = await till.findByToken(token)
  if (!invoice) throw invoiceNotFound()
  return invoice
}

export const sendHtml = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(text)
