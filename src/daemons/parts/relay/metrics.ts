// The relay's metrics, as one table.
import type { MetricFamily, MetricSample } from '../../../http/index.js'
import { OTHER_KINDS, type Relay, type RelayMetrics } from '../../../relay/index.js'
import type { ReaderCounts } from '../../../storage/index.js'
import type { Check, Part } from '../../runtime.js'
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
  readDisk,
  unread,
} from '../metrics.js'
import { createMetricsListener, type MetricsListenerParts } from '../metrics-listener.js'
import type { SignatureSetup } from './signature-report.js'

/** The input of one page; undefined: could not be read. */
interface RelayPage extends ReadProcess, Omit<OperatingMetrics, 'daemon'> {
  readonly relay: RelayMetrics
  readonly size: { readonly events: number; readonly bytes: number } | undefined
  readonly signatures: SignatureSetup | undefined
  readonly readers: ReaderCounts
  /** Undefined: the relay runs alone. */
  readonly lagMs: number | undefined
}

const perEntry = <Name>(counts: ReadonlyMap<Name, number>, labels: (name: Name) => Readonly<Record<string, string>>) =>
  [...counts].map(([name, value]): MetricSample => ({ labels: labels(name), value }))

/** Splits `accepted gift wrap` into outcome and class. */
function outcomeLabels(name: string): Readonly<Record<string, string>> {
  const end = name.indexOf(' ')
  return { outcome: name.slice(0, end), class: name.slice(end + 1) }
}

const RELAY: readonly Metric<RelayPage>[] = [
  gauge('grinpay_relay_connections', 'Clients that are connected.', ({ relay }) => one(relay.connections)),
  counter('grinpay_relay_connections_total', 'Clients that connected since the start.', ({ relay }) =>
    one(relay.connected),
  ),
  gauge('grinpay_relay_subscriptions', 'Open subscriptions.', ({ relay }) => one(relay.subscriptions)),
  counter('grinpay_relay_messages_total', 'Messages of clients, by command.', ({ relay }) =>
    perEntry(relay.messages, (command) => ({ command })),
  ),
  counter('grinpay_relay_events_total', 'Events of clients, by what became of them and by class.', ({ relay }) =>
    perEntry(relay.events, outcomeLabels),
  ),
  counter('grinpay_relay_accepted_total', 'Accepted events, by kind.', ({ relay }) =>
    perEntry(relay.kinds, (kind) => ({ kind: kind === OTHER_KINDS ? 'other' : String(kind) })),
  ),
  counter('grinpay_relay_refused_total', 'Refused events, by the text of the answer.', ({ relay }) =>
    perEntry(relay.refusals, (reason) => ({ reason })),
  ),
  counter('grinpay_relay_live_events_total', 'Events sent to subscriptions as they came.', ({ relay }) =>
    one(relay.liveDeliveries),
  ),
  counter('grinpay_relay_received_bytes_total', 'Bytes of messages from clients.', ({ relay }) => one(relay.bytesIn)),
  counter('grinpay_relay_sent_bytes_total', 'Bytes of messages to clients.', ({ relay }) => one(relay.bytesOut)),
  gauge('grinpay_relay_signatures_waiting', 'Signatures that wait to be checked.', ({ relay }) =>
    one(relay.verifying.waiting + relay.verifying.underWay),
  ),
  gauge('grinpay_relay_signature_check_info', 'How signatures are checked; always 1.', ({ signatures }) =>
    signatures ? [{ labels: { method: signatures.check, threads: String(signatures.threads) }, value: 1 }] : [],
  ),
  gauge('grinpay_relay_stored_events', 'Stored events.', ({ size }) => one(size?.events)),
  gauge('grinpay_relay_stored_bytes', 'Bytes of the database that are in use.', ({ size }) => one(size?.bytes)),
  counter('grinpay_relay_reader_answers_total', 'Parts of queries that reader threads answered.', ({ readers }) =>
    one(readers.answered),
  ),
  gauge('grinpay_relay_reader_waiting', 'Parts of queries that wait for reader threads.', ({ readers }) =>
    one(readers.waiting),
  ),
  counter('grinpay_relay_readers_replaced_total', 'Reader threads that ended or did not answer.', ({ readers }) =>
    one(readers.replaced),
  ),
  gauge('grinpay_relay_log_lag_seconds', 'For how long entries of the log wait to be applied.', ({ lagMs }) =>
    one(lagMs === undefined ? undefined : lagMs / 1000),
  ),
  gauge('grinpay_relay_events_held', 'Events that are not answered yet.', ({ relay }) => one(relay.held)),
]

const relayFamilies = (page: RelayPage): readonly MetricFamily[] => [
  ...operatingFamilies({ ...page, daemon: 'relay' }),
  ...familiesOf(RELAY, page),
  ...processFamilies(page),
]

export interface RelayMetricsParts extends Omit<MetricsListenerParts, 'collect'> {
  readonly version: string
  readonly relay: Pick<Relay, 'metrics'>
  readonly size: () => RelayPage['size']
  readonly readers: () => ReaderCounts
  /** Absent: the relay runs alone. */
  readonly lagMs?: (() => number) | undefined
  readonly dbPath: string
  /** Undefined until a thread is ready. */
  readonly signatures: () => SignatureSetup | undefined
  /** Checks of the parts. */
  readonly checks: () => Promise<readonly (Check & { readonly name: string })[]>
}

/** Listening throws ADDRESS_IN_USE. */
export function relayMetrics({
  version,
  relay,
  size,
  readers,
  lagMs,
  dbPath,
  signatures,
  checks,
  ...listener
}: RelayMetricsParts): Promise<Part> {
  const collect = async (process: ReadProcess) =>
    relayFamilies({
      version,
      relay: relay.metrics(),
      signatures: signatures(),
      readers: readers(),
      lagMs: lagMs?.(),
      size: await Promise.resolve().then(size).catch(unread),
      checks: await checks().catch(unread),
      disk: await readDisk(dbPath),
      ...process,
    })
  return createMetricsListener({ ...listener, collect })
}
