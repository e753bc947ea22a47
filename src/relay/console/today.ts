// The relay at a glance: whether it is ready, connections, events per second, queues, what is stored, what is refused and why.

import { type ConsolePage, clip, type Plot, plotOf, REFRESH_SECONDS } from '../../console/index.js'
import { hostPort } from '../../lib/url.js'
import type { RelayPast } from './history.js'
import type {
  OpenRelay,
  RelayActivity,
  RelayCheck,
  RelayFacts,
  RelayFigures,
  StoredAnswer,
  StoredEvents,
} from './view.js'
import { clockTime, count, delay, kindName, rate, size } from './words.js'

const REFUSALS = 12
const LONGEST_REASON = 140
/** Less free disk than this share is marked. */
const LEAST_FREE = 0.1
/** Waiting events or a delay above these are marked: a relay that keeps up has almost none. */
const [LONG_QUEUE, LONG_DELAY] = [1000, 0.1]

export const relayPage = (open: OpenRelay): ConsolePage => ({
  path: '/relay/today',
  title: 'Relay',
  least: 'viewer',
  navigation: { label: 'Relay', order: 200 },
  scripts: ['live.js'],
  async render({ view }) {
    const relay = await open()
    const [activity, stored] = await Promise.all([relay.activity(), relay.stored()])
    const { figures, past, unknown } = activity
    const rows = kindRows(activity, stored.stored)
    const body = view('relay/today', {
      health: healthOf(activity),
      unknown,
      figures: figuresOf(activity, stored),
      chart: past && hourChart(past),
      kinds: { columns: kindColumns(activity, stored), rows: rows.map((row) => kindCells(row, activity, stored)) },
      refusals: figures && refusalRows(figures),
      facts: factsOf(relay.facts, activity, stored),
      startedAt: figures?.startedAt ?? null,
      stored: stored.stored ?? null,
      problem: stored.problem && clip(stored.problem, LONGEST_REASON),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

interface Health {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  readonly text: string
  readonly failed: readonly RelayCheck[]
}

function healthOf({ checks, figures }: RelayActivity): Health {
  if (!checks)
    return {
      tone: figures ? 'warn' : 'bad',
      title: 'Not in reach',
      text: 'The relay does not answer at its address. If it was stopped, start it: systemctl start grinpay-relay.',
      failed: [],
    }
  const failed = checks.filter(({ ok }) => !ok)
  const isReady = failed.every(({ informative }) => informative)
  return {
    tone: isReady ? (failed.length > 0 ? 'warn' : 'good') : 'bad',
    title: isReady ? 'Ready' : 'Not ready',
    text: isReady ? 'The relay takes events.' : 'Part of the relay does not work. What it acknowledged is safe.',
    failed: failed.map((check) => ({ ...check, detail: clip(check.detail, LONGEST_REASON) })),
  }
}

interface Figure {
  readonly label: string
  readonly value: string
  readonly unit?: string
  readonly note?: string
  readonly tone?: string
}

/** What is not known is left out. */
function figuresOf(activity: RelayActivity, { stored }: StoredAnswer): readonly Figure[] {
  const { figures, disk } = activity
  return [
    ...(figures ? liveFigures(figures, activity) : []),
    ...(stored ? [{ label: 'Stored events', value: count(stored.events), note: size(stored.bytes) }] : []),
    ...(disk
      ? [
          {
            label: 'Free disk',
            value: size(disk.free),
            note: `of ${size(disk.size)}`,
            tone: disk.free < disk.size * LEAST_FREE ? 'warn' : '',
          },
        ]
      : []),
  ]
}

function liveFigures(figures: RelayFigures, { rate: now, past }: RelayActivity): readonly Figure[] {
  const { connections, subscriptions, held, signatures, lagSeconds, memoryBytes } = figures
  return [
    { label: 'Connections', value: count(connections), note: `${count(subscriptions)} subscriptions` },
    {
      label: 'Events per second',
      value: now ? rate(now.perSecond) : '–',
      note: now ? `over the last ${now.overSeconds} s` : 'from the next look on',
    },
    {
      label: 'Refused',
      value: count(past ? past.hours.reduce((sum, { refused }) => sum + refused, 0) : figures.refused),
      note: past ? 'in the last 24 hours' : 'since the start',
    },
    {
      label: 'Queue',
      value: count(held),
      note: `signatures: ${count(signatures)}`,
      tone: held > LONG_QUEUE ? 'warn' : '',
    },
    {
      label: 'Event loop delay',
      value: delay(lagSeconds.p99),
      note: `p99; longest ${delay(lagSeconds.max)}`,
      tone: lagSeconds.p99 > LONG_DELAY ? 'warn' : '',
    },
    { label: 'Memory', value: size(memoryBytes), note: 'of the process' },
  ]
}

type Columns = readonly { readonly label: string; readonly kind?: 'number' }[]

const kindColumns = ({ figures, past }: RelayActivity, { stored }: StoredAnswer): Columns => [
  { label: 'Kind' },
  ...(past ? [NUMBER('This hour'), NUMBER('24 hours')] : figures ? [NUMBER('Since start')] : []),
  ...(stored ? [NUMBER('Stored')] : []),
]

const NUMBER = (label: string) => ({ label, kind: 'number' as const })

const kindCells = (row: KindRow, { figures, past }: RelayActivity, { stored }: StoredAnswer): readonly string[] => [
  row.name,
  ...(past ? [count(row.lastHour ?? 0), count(row.lastDay ?? 0)] : figures ? [count(row.sinceStart ?? 0)] : []),
  ...(stored ? [count(row.stored ?? 0)] : []),
]

/** The most frequent first. */
const refusalRows = ({ refusals }: RelayFigures): readonly (readonly string[])[] =>
  [...refusals]
    .sort(([, a], [, b]) => b - a)
    .slice(0, REFUSALS)
    .map(([reason, events]) => [clip(reason, LONGEST_REASON), count(events)])

type Fact = readonly [label: string, value: string]

function factsOf(settings: RelayFacts, { figures }: RelayActivity, { stored }: StoredAnswer): readonly Fact[] {
  const { relayUrls, bind, dbPath, durability, retention } = settings
  return [
    ['Address', (relayUrls.length > 0 ? relayUrls : [hostPort(bind.host, bind.port)]).join(', ')],
    ['Events are kept', retention ? retentionText(retention) : 'for ever: no retention is set'],
    ['OK means', durability === 'fsync' ? 'on the disk (fsync)' : 'committed (survives a killed process)'],
    ...(figures ? traffic(figures) : []),
    ['Database', dbPath],
    ...(stored
      ? ([
          ['File and log', `${size(stored.fileBytes)} and ${size(stored.logBytes)}`],
          ['With an expiration', count(stored.expiring)],
          ...(stored.oldest === undefined || stored.newest === undefined
            ? []
            : [['Dated', `${dateOf(stored.oldest)} to ${dateOf(stored.newest)}`] as const]),
        ] as const)
      : []),
  ]
}

const traffic = ({ connected, bytesIn, bytesOut, liveDeliveries, readers, signatureCheck }: RelayFigures) =>
  [
    ['Clients so far', count(connected)],
    ['Received, sent', `${size(bytesIn)}, ${size(bytesOut)}`],
    ['Live deliveries', count(liveDeliveries)],
    [
      'Reader threads',
      `${count(readers.answered)} answers, ${count(readers.waiting)} wait, ${count(readers.replaced)} replaced`,
    ],
    ...(signatureCheck === null ? [] : [['Signatures', signatureCheck] as const]),
  ] as const

function retentionText({ days, maxEvents, maxBytes, kinds = [], keepAuthors }: NonNullable<RelayFacts['retention']>) {
  const bounds = [
    ...(days === undefined ? [] : [`${count(days)} days`]),
    ...(maxEvents === undefined ? [] : [`${count(maxEvents)} events`]),
    ...(maxBytes === undefined ? [] : [size(maxBytes)]),
  ]
  const named = kinds.map((kind) => (typeof kind === 'number' ? String(kind) : `${kind.first}-${kind.last}`))
  const which = named.length > 0 ? `kinds ${clip(named.join(', '), 100)} only` : 'all kinds but gift wraps'
  const authors = keepAuthors.length > 0 ? `; ${count(keepAuthors.length)} authors are exempt` : ''
  return `at most ${bounds.join(', ')}: ${which}${authors}`
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

// The chart of accepted events: one bar an hour, the last 24 of them.

interface HourChart extends Plot {
  /** First hour, middle and now. */
  readonly marks: readonly string[]
  readonly summary: string
  /** Newest first. */
  readonly rows: readonly { readonly hour: string; readonly accepted: string; readonly refused: string }[]
}

function hourChart({ since, hours }: RelayPast): HourChart {
  const rows = hours.map((hour) => ({ ...hour, from: clockTime(hour.start) }))
  const last = rows.length - 1
  return {
    ...plotOf(rows, {
      value: ({ accepted }) => BigInt(accepted),
      title: ({ from, accepted, refused }) => `${from}: ${count(accepted)} accepted, ${count(refused)} refused`,
      label: (value) => count(Number(value)),
      usual: 10n,
    }),
    marks: [rows[0], rows[Math.floor(last / 2)], rows[last]].map((row) => row?.from ?? ''),
    summary: `${summaryOf(hours)}${since > (hours[0]?.start ?? 0) ? ` Counted since ${clockTime(since)} UTC.` : ''}`,
    rows: rows
      .map(({ from, accepted, refused }) => ({ hour: from, accepted: count(accepted), refused: count(refused) }))
      .reverse(),
  }
}

function summaryOf(hours: RelayPast['hours']): string {
  const [accepted, refused] = [
    hours.reduce((sum, hour) => sum + hour.accepted, 0),
    hours.reduce((sum, hour) => sum + hour.refused, 0),
  ]
  if (accepted + refused === 0) return 'No client sent an event in the last 24 hours.'
  return `Accepted in the last 24 hours: ${count(accepted)} events; refused: ${count(refused)}.`
}

// Events by kind: what came in the last hour and day, and what is stored.

/** Rows of the table; all other kinds are summed up below them. */
const ROWS = 20

interface KindRow {
  readonly name: string
  /** Undefined: not known. */
  readonly lastHour: number | undefined
  readonly lastDay: number | undefined
  readonly sinceStart: number | undefined
  readonly stored: number | undefined
}

/** The most frequent first: by stored events, then by those that came. */
function kindRows(
  { figures, past }: Pick<RelayActivity, 'figures' | 'past'>,
  stored: Pick<StoredEvents, 'kinds'> | undefined,
): readonly KindRow[] {
  const there = stored && new Map(stored.kinds.map(({ kind, events }) => [kind, events]))
  const came = figures?.kinds
  const day = past && sumOf(past.hours.map(({ kinds }) => kinds))
  const hour = past && sumOf(past.hours.slice(-1).map(({ kinds }) => kinds))
  const all = [...new Set([...(there?.keys() ?? []), ...(came?.keys() ?? [])])]
  const of = (counts: ReadonlyMap<number, number> | undefined, kinds: readonly number[]) =>
    counts && kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0)
  const row = (name: string, kinds: readonly number[]): KindRow => ({
    name,
    lastHour: of(hour, kinds),
    lastDay: of(day, kinds),
    sinceStart: of(came, kinds),
    stored: of(there, kinds),
  })
  all.sort((a, b) => (there?.get(b) ?? 0) - (there?.get(a) ?? 0) || (came?.get(b) ?? 0) - (came?.get(a) ?? 0) || a - b)
  const [shown, others] = [all.slice(0, ROWS), all.slice(ROWS)]
  return [
    ...shown.map((kind) => row(kindName(kind), [kind])),
    ...(others.length === 0 ? [] : [row(`${others.length} more kinds`, others)]),
  ]
}

function sumOf(counts: readonly ReadonlyMap<number, number>[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const one of counts) for (const [kind, events] of one) sums.set(kind, (sums.get(kind) ?? 0) + events)
  return sums
}
