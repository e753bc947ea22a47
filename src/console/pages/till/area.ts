// The till's part of the console.
import type { ConsoleArea } from '../../area.js'
import { liveStream } from '../live.js'
import type { TillDesk } from './desk.js'
import { cancelAction, invoicePage } from './invoice.js'
import { invoicesPage } from './invoices.js'
import { networkPage } from './network.js'
import { assignAction, paymentPage } from './payment.js'
import { paymentsPage } from './payments.js'
import { todayPage } from './today.js'
import { replayAction, webhookPage } from './webhook.js'
import { webhooksPage } from './webhooks.js'

export const createTillArea = (desk: TillDesk): ConsoleArea => ({
  id: 'till',
  pages: [todayPage, invoicesPage, invoicePage, paymentsPage, paymentPage, webhooksPage, webhookPage, networkPage].map(
    (page) => page(desk),
  ),
  actions: [cancelAction, assignAction, replayAction].map((action) => action(desk)),
  streams: [liveStream('/live', () => desk.changeMark())],
})
