// Reads the metrics of a relay of another process: the text of Prometheus, as src/daemons/parts/relay/metrics.ts writes it.
import type { RelayFigures } from '../../../relay/console/index.js'
import { OTHER_KINDS } from '../../../relay/index.js'
import { outcomesOf } from './console-running.js'

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-z_]+)(?:\{(.*)\})? ([0-9.e+-]+)$/gm
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

/** Undefined: this is not the page of a relay. */
export function figuresIn(text: string, at: number): RelayFigures | undefined {
  const samples = samplesIn(text)
  const relay = (name: string): readonly Sample[] => samples.get(`grinpay_relay_${name}`) ?? []
  const one = (name: string): number => relay(name)[0]?.value ?? 0
  const process = (name: string): number => samples.get(name)?.[0]?.value ?? 0
  if (relay('connections').length === 0) return undefined
  const outcomes = relay('events_total').map(({ labels, value }) => [`${labels.outcome} `, value] as const)
  const [check] = relay('signature_check_info')
  return {
    at,
    startedAt: process('process_start_time_seconds') * 1000,
    connections: one('connections'),
    connected: one('connections_total'),
    subscriptions: one('subscriptions'),
    held: one('events_held'),
    signatures: one('signatures_waiting'),
    signatureCheck: check ? `${check.labels.method}, ${check.labels.threads} threads` : null,
    readers: {
      answered: one('reader_answers_total'),
      waiting: one('reader_waiting'),
      replaced: one('readers_replaced_total'),
    },
    ...outcomesOf(outcomes),
    kinds: new Map(relay('accepted_total').map(({ labels, value }) => [kindOf(labels.kind), value])),
    refusals: new Map(relay('refused_total').map(({ labels, value }) => [labels.reason ?? '', value])),
    liveDeliveries: one('live_events_total'),
    bytesIn: one('received_bytes_total'),
    bytesOut: one('sent_bytes_total'),
    lagSeconds: {
      p99: process('nodejs_eventloop_lag_p99_seconds'),
      max: process('nodejs_eventloop_lag_max_seconds'),
    },
    memoryBytes: process('process_resident_memory_bytes'),
  }
}

const kindOf = (label = ''): number => (/^\d{1,5}$/.test(label) ? Number(label) : OTHER_KINDS)

function samplesIn(text: string): ReadonlyMap<string, readonly Sample[]> {
  const samples = new Map<string, Sample[]>()
  for (const [, name = '', labels = '', value] of text.matchAll(LINE)) {
    const sample = { labels: labelsIn(labels), value: Number(value) }
    const known = samples.get(name)
    if (known) known.push(sample)
    else samples.set(name, [sample])
  }
  return samples
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n' }

const labelsIn = (text: string): Sample['labels'] =>
  Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\./g, (pair) => ESCAPES[pair] ?? pair.slice(1)),
    ]),
  )
