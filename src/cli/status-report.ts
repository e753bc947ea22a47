// What `grinpay status` shows of one daemon. It asks over HTTP with a time limit; a daemon that does not answer is a status, not an error.
import { type HttpResponse, httpTransport, type StatusView } from '../client/index.js'
import { DAEMONS } from '../config/index.js'
import type { DaemonName } from '../lib/daemon-names.js'
import { messageOf } from '../lib/errors.js'
import { membersOf, parseJson } from '../lib/parse-json.js'
import { plainText } from '../lib/plain-text.js'
import type { Secret } from '../lib/secret.js'
import type { NameTotals } from '../storage/index.js'
import { type Fact, facts } from './table.js'
import { paint, type Tint } from './terminal.js'
import { chainNotice } from './values.js'

/** One part that is not well, as /ready says it. */
interface PartStatus {
  readonly name: string
  readonly since: string
  /** Only with the admin token. */
  readonly detail: string | null
  /** The daemon is ready without it. */
  readonly optional: boolean
}

/** One item of the `--json` document. */
export interface DaemonStatus {
  readonly daemon: DaemonName
  /** Null when its settings do not say it. */
  readonly address: string | null
  /** What is wrong with its settings on this machine; null when nothing is. */
  readonly settings: string | null
  /** False also where it could not be asked. */
  readonly running: boolean
  /** False also while it does not run. */
  readonly ready: boolean
  /** Why it counts as not running, or why its figures are missing; null otherwise. */
  readonly why: string | null
  readonly version: string | null
  readonly not_ok: readonly PartStatus[]
  readonly alarms: readonly string[]
  /** Of a till: GET /admin/status; null without an admin token, and of other daemons. */
  readonly till: StatusView | null
  /** Of a name authority; null where its database cannot be read, and of other daemons. */
  readonly names: NameFigures | null
  /** Of a relay; null without `metrics.bind`, and of other daemons. */
  readonly relay: RelayTraffic | null
}

export interface NameFigures {
  readonly names: number
  readonly suspended: number
  readonly open_offers: number
  readonly pending_grants: number
}

interface RelayTraffic {
  readonly connections: number
  readonly subscriptions: number
  readonly events: number
  /** Events that are not answered yet, and signatures that wait to be checked. */
  readonly queue: number
}

const PATIENCE_MS = 8_000
const MOST_BYTES = 1024 * 1024

interface ReadinessQuery {
  readonly daemon: DaemonStatus['daemon']
  readonly address: string
  readonly adminToken?: Secret | undefined
}

const absent = (daemon: DaemonStatus['daemon']): DaemonStatus => ({
  daemon,
  address: null,
  settings: null,
  running: false,
  ready: false,
  why: null,
  version: null,
  not_ok: [],
  alarms: [],
  till: null,
  names: null,
  relay: null,
})

/** Of a daemon whose settings do not even say where it is. */
export const unasked = (daemon: DaemonStatus['daemon'], settings: string): DaemonStatus => ({
  ...absent(daemon),
  settings,
})

/** Ready, and its settings would start it again. */
export const isWell = ({ ready, settings }: Pick<DaemonStatus, 'ready' | 'settings'>): boolean =>
  ready && settings === null

/** Whether the daemon runs and is ready, and which parts are not. Never rejects. */
export async function askReadiness({ daemon, address, adminToken }: ReadinessQuery): Promise<DaemonStatus> {
  const who = `the ${DAEMONS[daemon].title}`
  const headers = adminToken ? { authorization: `Bearer ${adminToken.reveal()}` } : {}
  const ask = (path: string): Promise<HttpResponse> =>
    httpTransport(PATIENCE_MS, MOST_BYTES, who)({ method: 'GET', url: `${address}${path}`, headers })
  const away = { ...absent(daemon), address }
  try {
    const [health, ready] = await Promise.all([ask('/health'), ask('/ready')])
    const { checks } = membersOf(parseJson(ready.text))
    if (!Array.isArray(checks)) return { ...away, why: `${address} answers ${ready.status}, but not as ${who} does` }
    const { version } = membersOf(parseJson(health.text))
    const optional = ready.status === 200
    const not_ok = checks.map(membersOf).flatMap((part) => (part.status === 'ok' ? [] : [partOf(part, optional)]))
    return {
      ...away,
      running: true,
      ready: optional,
      why: null,
      version: typeof version === 'string' ? plain(version) : null,
      not_ok,
    }
  } catch (thrown) {
    return { ...away, why: messageOf(thrown) }
  }
}

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, 300)) : '')

const partOf = ({ name, since, detail }: ReturnType<typeof membersOf>, optional: boolean): PartStatus => ({
  name: plain(name),
  since: plain(since),
  detail: typeof detail === 'string' ? plain(detail) : null,
  optional,
})

export const figuresOf = ({ names, suspended, openOffers, pendingGrants }: NameTotals): NameFigures => ({
  names,
  suspended,
  open_offers: openOffers,
  pending_grants: pendingGrants,
})

/** The relay's figures for Prometheus; null when they are not served there. Never rejects. */
export async function askTraffic(metricsUrl: string): Promise<RelayTraffic | null> {
  try {
    const { status, text } = await httpTransport(
      PATIENCE_MS,
      MOST_BYTES,
      'the relay',
    )({ method: 'GET', url: metricsUrl })
    return status === 200 ? trafficIn(text) : null
  } catch {
    return null // whether the relay runs was asked elsewhere
  }
}

/** Samples without labels, one a line: `name value`. */
function trafficIn(text: string): RelayTraffic {
  const samples = new Map(
    [...text.matchAll(/^(grinpay_relay_\w+) (\d+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
  const of = (name: string): number => samples.get(`grinpay_relay_${name}`) ?? 0
  return {
    connections: of('connections'),
    subscriptions: of('subscriptions'),
    events: of('stored_events'),
    queue: of('events_held') + of('signatures_waiting'),
  }
}

// The screen of `grinpay status`: a heading and aligned facts for each daemon, within the width of the terminal.

/** All daemons below each other. `width` undefined: a program reads, and gets tab separated lines. */
export const statusText = (daemons: readonly DaemonStatus[], width: number | undefined): string =>
  daemons.map((daemon) => `${heading(daemon)}\n${facts(factsOf(daemon), width)}`).join('\n\n')

function heading(status: DaemonStatus): string {
  const [word, tint]: readonly [string, Tint] = status.ready ? ['ready', 'green'] : [notReady(status), 'red']
  return `${DAEMONS[status.daemon].title}: ${paint(word, tint)}`
}

function notReady({ running, address }: DaemonStatus): string {
  if (running) return 'NOT READY'
  return address === null ? 'SETTINGS WRONG' : 'NOT RUNNING'
}

function factsOf(status: DaemonStatus): readonly Fact[] {
  const { daemon, address, running, why, version, not_ok: notOk, alarms } = status
  if (address === null) return settingsFacts(status)
  if (!running)
    return [
      ['address', address],
      ['why', why],
      ...settingsFacts(status),
      ['start', `systemctl start grinpay-${daemon}, or grinpay serve ${daemon}`],
    ]
  return [
    ['address', version === null ? address : `${address} (version ${version})`],
    ...settingsFacts(status),
    ...notOk.map(
      ({ name, detail, since }): Fact => ['not ok', `${name}${detail === null ? '' : `: ${detail}`}, since ${since}`],
    ),
    ...alarms.map((alarm): Fact => ['ALARM', alarm]),
    ...tillFacts(status),
    ...nameFacts(status),
    ...relayFacts(status),
  ]
}

const settingsFacts = ({ daemon, settings }: DaemonStatus): readonly Fact[] =>
  settings === null
    ? []
    : [
        ['settings', settings],
        ['', `grinpay config check --daemon ${daemon}`],
      ]

function tillFacts({ daemon, till, why }: DaemonStatus): readonly Fact[] {
  if (daemon !== 'pay') return []
  if (till === null) return [['figures', why ?? 'need the admin token: --settings FILE, or --token-file FILE']]
  const { node, relays, today, webhooks } = till
  const connected = relays.filter(({ state }) => state === 'connected')
  return [
    ['chain', chainNotice(till.chain)],
    ['node', node.height === null ? node.detail : `height ${node.height}, ${node.detail}`],
    ['relays', relays.length === 0 ? null : `${connected.length} of ${relays.length} connected`],
    ...relays
      .filter(({ state }) => state !== 'connected')
      .map(({ url, state, last_error: error }): Fact => ['', `${url} ${state}${error === null ? '' : `: ${error}`}`]),
    ...(today === undefined
      ? []
      : ([
          ['signed', `${sumText(today.received)} today (UTC)`],
          ['', unsentText(till.balance)],
          ['confirmed', `${sumText(today.confirmed)} today (UTC)`],
          ['open', `${till.open_invoices} invoices; ${till.unmatched_payments} unmatched payments`],
        ] as const)),
    ['webhooks', `${webhooks.pending} waiting, ${webhooks.abandoned} given up`],
    ['', webhooks.abandoned > 0 ? 'grinpay webhook list --state abandoned' : null],
  ]
}

const sumText = ({ count, amount_grin }: { readonly count: number; readonly amount_grin: string }): string =>
  `${amount_grin} GRIN in ${count} payments`

/** Signed at any time, and not seen by the network yet; null without such a payment. */
function unsentText(balance: StatusView['balance']): string | null {
  const count = (balance.received?.count ?? 0) + (balance.replied?.count ?? 0)
  return count === 0 ? null : `signed, waiting for the network: ${count}`
}

function nameFacts({ daemon, names }: DaemonStatus): readonly Fact[] {
  if (daemon !== 'nameauth') return []
  if (names === null) return [['names', 'the database cannot be read by this user, or is not there yet']]
  return [
    ['names', names.suspended === 0 ? names.names : `${names.names}, ${names.suspended} of them suspended`],
    ['offers', `${names.open_offers} open`],
    ['grants', `${names.pending_grants} wait for their payment`],
  ]
}

function relayFacts({ daemon, relay }: DaemonStatus): readonly Fact[] {
  if (daemon !== 'relay') return []
  if (relay === null) return [['figures', 'set metrics.bind for connections, events and queue; grinpay relay stats']]
  return [
    ['connections', `${relay.connections}, with ${relay.subscriptions} subscriptions`],
    ['events', relay.events],
    ['queue', `${relay.queue} events wait`],
  ]
}
