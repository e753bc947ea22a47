// The screen of `grinpay status`: a heading and aligned facts for each daemon, within the width of the terminal.
import type { StatusView } from '../client/index.js'
import type { DaemonStatus } from './status-report.js'
import { type Fact, facts } from './table.js'
import { paint, type Tint } from './terminal.js'
import { chainNotice } from './values.js'

const TITLES: Readonly<Record<DaemonStatus['daemon'], string>> = {
  pay: 'till',
  nameauth: 'name authority',
  relay: 'relay',
}
const START: Readonly<Record<DaemonStatus['daemon'], string>> = {
  pay: 'systemctl start grinpay-pay, or grinpay serve pay',
  nameauth: 'systemctl start grinpay-nameauth, or grinpay serve nameauth',
  relay: 'systemctl start grinpay-relay, or grinpay serve relay',
}

/** All daemons below each other. `width` undefined: a program reads, and gets tab separated lines. */
export const statusText = (daemons: readonly DaemonStatus[], width: number | undefined): string =>
  daemons.map((daemon) => `${heading(daemon)}\n${facts(factsOf(daemon), width)}`).join('\n\n')

function heading(status: DaemonStatus): string {
  const [word, tint]: readonly [string, Tint] = status.ready ? ['ready', 'green'] : [notReady(status), 'red']
  return `${TITLES[status.daemon]}: ${paint(word, tint)}`
}

function notReady({ running, address }: DaemonStatus): string {
  if (running) return 'NOT READY'
  return address === null ? 'SETTINGS WRONG' : 'NOT RUNNING'
}

function factsOf(status: DaemonStatus): readonly Fact[] {
  const { daemon, address, running, why, version, not_ok: notOk, alarms } = status
  if (address === null) return settingsFacts(status)
  if (!running) return [['address', address], ['why', why], ...settingsFacts(status), ['start', START[daemon]]]
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
