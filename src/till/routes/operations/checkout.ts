// What the payer uses.
import { z } from 'zod'
import type { Operation } from '../../../http/index.js'
import * as requests from '../requests.js'
import * as schemas from '../schemas.js'
import { failing, html, ok } from './parts.js'

export const CHECKOUT: readonly Operation[] = [
  {
    method: 'get',
    path: '/pay/{token}',
    id: 'showCheckout',
    tag: 'checkout',
    summary: 'The checkout page, HTML without scripts',
    query: z.object({
      method: z.enum(['goblin', 'invoice', 'address', 'slatepack']).optional().describe('The tab to show.'),
    }),
    answers: { 200: html, ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/pay/{token}/frame',
    id: 'showStatusFrame',
    tag: 'checkout',
    summary: 'The part of the checkout page that loads itself again',
    description: 'With `seen` it is held open for up to 25 seconds, until the status is another one.',
    query: z.object({
      view: z.enum(['card', 'status']).optional().describe('The whole card, or only the status beside a form.'),
      method: z.string().optional().describe('The tab to show on the card.'),
      copy: z.string().optional().describe('1: with the texts to copy.'),
      seen: z.string().optional().describe('Status and depth that the frame has shown, as `open.0`.'),
    }),
    answers: { 200: html, ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/pay/{token}/status',
    id: 'readCheckoutStatus',
    tag: 'checkout',
    summary: 'The status for a shop’s own page',
    answers: { ...ok('Where the payment stands.', schemas.checkoutStatusSchema), ...failing(404, 429) },
  },
  {
    method: 'post',
    path: '/pay/{token}/slatepack',
    id: 'pasteSlatepack',
    tag: 'checkout',
    summary: 'Give the till a slatepack, get its reply',
    description:
      'Answers a page, or JSON with `Accept: application/json`. The same slatepack gets the same reply again.',
    body: { schema: requests.pasteForm, contentType: 'application/x-www-form-urlencoded' },
    answers: {
      ...ok('The reply.', schemas.pasteSchema),
      ...failing(400, 404, 413, 415, 429, 503),
      409: { description: 'The invoice is paid already.', schema: schemas.pasteRefusalSchema },
      410: { description: 'The invoice has expired or was cancelled.', schema: schemas.pasteRefusalSchema },
      422: { description: 'The slatepack is refused; `error` says why.', schema: schemas.pasteRefusalSchema },
    },
  },
  {
    method: 'post',
    path: '/pay/{token}/requote',
    id: 'requote',
    tag: 'checkout',
    summary: 'A new price for an expired fiat invoice',
    answers: {
      303: { description: 'Back to the page.', headers: { Location: 'The checkout page.' } },
      ...failing(404, 409, 415, 429, 502),
    },
  },
]
