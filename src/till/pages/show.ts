// Finding an invoice by its token and answering with its page.
import type { FastifyReply } from 'fastify'
import type { Views } from '../../http/index.js'
import type { Till } from '../api.js'
import { invoiceNotFound } from '../errors.js'
import type { Invoice, Rail } from '../model.js'
import { type CheckoutContext, openPage, type Refusal, standingPage } from './checkout-model.js'

export interface CheckoutOptions {
  readonly till: Till
  readonly views: Views
  readonly context: CheckoutContext
}

/** The whole page of an invoice in the state it is in; a refusal is shown only while it can be paid. */
export async function renderPage(
  { till, views, context }: CheckoutOptions,
  invoice: Invoice,
  shown: { readonly method?: string | undefined; readonly refusal?: Refusal } = {},
): Promise<string> {
  if (invoice.status !== 'open') {
    const standing = { canRequote: till.canRequote(invoice), rail: await railOf(till, invoice) }
    return views.render('checkout/standing', standingPage(invoice, context, standing))
  }
  const plainSend = await till.takesPlainSends(invoice)
  const refused = shown.refusal === undefined ? {} : { refusal: shown.refusal }
  return views.render('checkout/pay', openPage(invoice, context, { asked: shown.method, plainSend, ...refused }))
}

/** How a payment came whose transaction nobody has seen yet: that decides how its reply can be had again. */
async function railOf(till: Till, { status, paymentId }: Invoice): Promise<Rail | undefined> {
  const payment = status === 'paid' && paymentId !== null ? await till.findPayment(paymentId) : undefined
  return payment && (payment.settlement === 'received' || payment.settlement === 'replied') ? payment.rail : undefined
}

/** Throws INVOICE_NOT_FOUND. */
export async function find(till: Till, token: string): Promise<Invoice> {
  const invoice = await till.findByToken(token)
  if (!invoice) throw invoiceNotFound()
  return invoice
}

export const html = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(text)
