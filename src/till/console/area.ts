// The till's part of the console.
import { type ConsoleArea, liveStream } from '../../console/index.js'
import { cancelAction, invoicePage } from './invoice.js'
import { invoicesPage } from './invoices.js'
import { networkPage } from './network.js'
import { assignAction, paymentPage } from './payment.js'
import { paymentsPage } from './payments.js'
import { todayPage } from './today.js'
import type { TillView } from './view.js'
import { replayAction, webhookPage } from './webhook.js'
import { webhooksPage } from './webhooks.js'

export const createTillArea = (till: TillView): ConsoleArea => ({
  id: 'till',
  pages: [todayPage, invoicesPage, invoicePage, paymentsPage, paymentPage, webhooksPage, webhookPage, networkPage].map(
    (page) => page(till),
  ),
  actions: [cancelAction, assignAction, replayAction].map((action) => action(till)),
  streams: [liveStream('/live', () => till.changeMark())],
})
