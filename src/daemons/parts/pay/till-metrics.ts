// The till's figures as metrics: one table. docs/till.md lists the names.
import type { MetricFamily, MetricSample } from '../../../http/index.js'
import type { ReceiverStatus, Till, TillStatus } from '../../../till/index.js'
import {
  counter,
  familiesOf,
  gauge,
  type Metric,
  type OperatingMetrics,
  one,
  operatingFamilies,
  processFamilies,
  type ReadProcess,
} from '../metrics.js'

/** Everything that is asked for one page; what could not be read is undefined. */
export interface TillMetrics extends ReadProcess, Omit<OperatingMetrics, 'daemon'> {
  readonly status: TillStatus | undefined
  readonly balance: Awaited<ReturnType<Till['balance']>> | undefined
  /** Since the start. */
  readonly invoices: { readonly created: number; readonly cancelled: number }
}

type TillMetric = Metric<TillMetrics>

type Relay = TillStatus['relays'][number]
const perRelay =
  (value: (relay: Relay) => MetricSample['value']): TillMetric['samples'] =>
  ({ status }) =>
    (status?.relays ?? []).map((relay) => ({ labels: { relay: relay.url }, value: value(relay) }))

/** By number only: an address may hold a secret. */
const perReceiver =
  (value: (receiver: ReceiverStatus) => number): TillMetric['samples'] =>
  ({ status }) =>
    (status?.webhooks.receivers ?? []).map((one) => ({ labels: { receiver: String(one.receiver) }, value: value(one) }))

const perSettlement =
  (value: (sum: { readonly count: number; readonly amount: bigint }) => number | bigint): TillMetric['samples'] =>
  ({ balance }) =>
    Object.entries(balance ?? {}).map(([settlement, sum]) => ({ labels: { settlement }, value: value(sum) }))

const GRINPAY: readonly TillMetric[] = [
  counter('grinpay_invoices_total', 'Invoices created and cancelled since the start.', ({ invoices }) => [
    { labels: { status: 'created' }, value: invoices.created },
    { labels: { status: 'cancelled' }, value: invoices.cancelled },
  ]),
  gauge(
    'grinpay_payments_total',
    'Payments by where they stand.',
    perSettlement(({ count }) => count),
  ),
  gauge(
    'grinpay_payments_nanogrin',
    'Their amounts.',
    perSettlement(({ amount }) => amount),
  ),
  gauge(
    'grinpay_webhook_queue_length',
    'Events on their way to each receiver.',
    perReceiver(({ pending }) => pending),
  ),
  gauge(
    'grinpay_webhook_queue_oldest_seconds',
    'Age of the oldest of them.',
    perReceiver(({ oldestSeconds }) => oldestSeconds ?? 0),
  ),
  gauge(
    'grinpay_webhook_abandoned',
    'Events that were given up.',
    perReceiver(({ abandoned }) => abandoned),
  ),
  gauge('grinpay_letters_queue_length', 'Replies and messages that are owed over Nostr.', ({ status }) =>
    one(status?.messages.pending),
  ),
  gauge('grinpay_letters_queue_oldest_seconds', 'Age of the oldest of them.', ({ status }) =>
    one(status && (status.messages.oldestSeconds ?? 0)),
  ),
  gauge(
    'grinpay_relay_connected',
    'Whether this relay is connected.',
    perRelay(({ state }) => state === 'connected'),
  ),
  gauge(
    'grinpay_relay_subscribed',
    'Whether it was asked for everything.',
    perRelay(({ subscribed }) => subscribed),
  ),
  gauge(
    'grinpay_relay_round_trip_seconds',
    'Answer to the last ping.',
    perRelay(({ roundTripMs }) => (roundTripMs === null ? null : roundTripMs / 1000)),
  ),
  counter(
    'grinpay_relay_received_total',
    'Messages that it brought.',
    perRelay(({ received }) => received),
  ),
  counter(
    'grinpay_relay_blamed_total',
    'Forgeries that it brought.',
    perRelay(({ blamed }) => blamed),
  ),
  gauge('grinpay_inbox_waiting', 'Messages that wait to be opened.', ({ status }) => one(status?.inbox?.waiting)),
  gauge('grinpay_inbox_retrying', 'Messages that are tried again.', ({ status }) => one(status?.inbox?.retrying)),
  counter('grinpay_inbox_dropped_total', 'Messages that had no room when they came.', ({ status }) =>
    one(status?.inbox?.dropped),
  ),
  counter('grinpay_inbox_messages_total', 'What became of messages.', ({ status }) =>
    Object.entries(status?.inbox?.outcomes ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value })),
  ),
  gauge('grinpay_node_up', 'Whether a Grin node answers.', ({ status }) => one(status?.node.ok)),
  gauge('grinpay_node_height', 'Height of the chain, as last heard.', ({ status }) => one(status?.node.height)),
  gauge('grinpay_node_tip_age_seconds', 'Age of the newest block, by the time in its header.', ({ status, now }) =>
    one(status?.tipTime === undefined ? undefined : Math.max(0, (now - status.tipTime) / 1000)),
  ),
  gauge('grinpay_alarms', 'Things an operator must look at.', ({ status }) => one(status?.alarms.length)),
]

export const metricFamilies = (figures: TillMetrics): readonly MetricFamily[] => [
  ...operatingFamilies({ ...figures, daemon: 'pay' }),
  ...familiesOf(GRINPAY, figures),
  ...processFamilies(figures),
]
