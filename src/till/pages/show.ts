// Finding an invoice by its token and answering with its page.
import type { FastifyReply } from 'fastify'
import type { Views } from '../../http/index.js'
import type { Till } from '../api.js'
import { invoiceNotFound } from '../errors.js'
import type { Invoice } from '../model.js'
import { type CheckoutContext, openPage, standingPage } from './checkout-model.js'

export interface CheckoutOptions {
  readonly till: Till
  readonly views: Views
  readonly context: CheckoutContext
}

/** The whole page of an invoice in the state it is in. */
export const renderPage = ({ till, views, context }: CheckoutOptions, invoice: Invoice, method?: string): string =>
  invoice.status === 'open'
    ? views.render('checkout/pay', openPage(invoice, context, method))
    : views.render('checkout/standing', standingPage(invoice, context, till.canRequote(invoice)))

/** Throws INVOICE_NOT_FOUND. */
export async function find(till: Till, token: string): Promise<Invoice> {
  const invoice = await till.findByToken(token)
  if (!invoice) throw invoiceNotFound()
  return invoice
}

export const html = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(text)
