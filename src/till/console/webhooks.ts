// The list of webhook deliveries: one row for each event and receiver.
import { address, type ConsolePage, clip, cursorOf, pagesOf, REFRESH_SECONDS } from '../../console/index.js'
import type { DeliveryRow } from '../console-reads.js'
import { deliveryTag, shortId, span } from './labels.js'
import { deliveryChoiceOf } from './query.js'
import type { TillView } from './view.js'

const ROWS = 50
const LONGEST_ERROR = 80

const CHOICES = [
  ['all', 'All'],
  ['failed', 'Ever failed'],
  ['waiting', 'Waiting'],
  ['given-up', 'Given up'],
] as const

export const webhooksPage = (till: TillView): ConsolePage => ({
  path: '/webhooks',
  title: 'Webhooks',
  least: 'viewer',
  navigation: { label: 'Webhooks', order: 40 },
  scripts: ['live.js'],
  async render({ query, view }) {
    const { show, choice } = deliveryChoiceOf(query)
    const cursor = cursorOf(query)
    const [{ items, next }, { receivers }] = await Promise.all([
      till.deliveries(choice, { limit: ROWS, cursor }),
      till.health(),
    ])
    const shown = show === 'all' ? undefined : show
    const further =
      receivers.length > 1
        ? receivers.map(({ receiver }) => [`receiver-${receiver}`, `Receiver ${receiver}`] as const)
        : []
    const body = view('till/webhooks', {
      receivers: receivers.map((one) => ({
        ...one,
        oldest: span(one.oldestSeconds),
        failing: span(one.failingSeconds),
      })),
      choices: [...CHOICES, ...further].map(([value, label]) => ({
        label,
        href: address('/webhooks', { show: value === 'all' ? undefined : value }),
        isCurrent: value === show,
      })),
      rows: items.map(rowOf),
      ...pagesOf('/webhooks', { show: shown }, { cursor, next }),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

const rowOf = ({
  eventId,
  receiver,
  type,
  invoiceId,
  createdAt,
  state,
  attempts,
  nextAttemptAt,
  lastError,
}: DeliveryRow) => ({
  href: `/console/webhooks/${eventId}?receiver=${receiver}`,
  short: shortId(eventId),
  tag: deliveryTag(state, attempts),
  type,
  receiver,
  invoice: invoiceId === null ? undefined : { href: `/console/invoices/${invoiceId}`, short: shortId(invoiceId) },
  attempts,
  nextAttemptAt,
  lastError: state === 'delivered' ? '' : clip(lastError ?? '', LONGEST_ERROR),
  createdAt,
})
