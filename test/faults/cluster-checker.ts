// What clients of a whole cluster were told against what its stores hold, in plain SQL.
import { isDeepStrictEqual } from 'node:util'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { idsIn } from '../support/event-store.js'
import type { ReceivedEvent } from '../support/hook-receiver.js'
import type { PostgresNode } from '../support/postgres/node.js'
import { type RelayFrontEnd, stateIn } from '../support/relay-front-ends.js'
import type { ClusterLedger } from './cluster-load.js'
import type { Ledger } from './till-load.js'

/** Where the rows are read. */
type Reader = Pick<PostgresNode, 'sql'>
type Rows = readonly Readonly<Record<string, unknown>>[]

/** By kind; all empty when nothing was lost or doubled. */
export interface Findings {
  readonly tills: readonly string[]
  readonly keys: readonly string[]
  readonly webhooks: readonly string[]
  readonly names: readonly string[]
  readonly relays: readonly string[]
  readonly subscribers: readonly string[]
}

/** The relays must have stopped for `relays`; before, only what the database and the subscribers show is compared. */
export async function examine(
  primary: Reader,
  current: ClusterLedger,
  { relays, hooks }: { readonly relays?: readonly RelayFrontEnd[]; readonly hooks?: readonly ReceivedEvent[] } = {},
): Promise<Findings> {
  const ledger = snapshotOf(current)
  return {
    tills: [...ledger.till.contradictions, ...(await lostInvoices(primary, ledger.till))],
    keys: await keysUsedTwice(primary),
    webhooks: hooks ? await lostWebhooks(primary, hooks) : [],
    names: await wrongNames(primary, ledger),
    relays: relays ? wrongStores(relays, ledger) : [],
    subscribers: [...ledger.doubled, ...missedBySubscribers(ledger)],
  }
}

/** What was acknowledged before anything is read; clients go on. */
const snapshotOf = (ledger: ClusterLedger): ClusterLedger => ({
  ...ledger,
  till: {
    ...ledger.till,
    invoices: new Map(ledger.till.invoices),
    keys: new Map(ledger.till.keys),
    replies: new Map(ledger.till.replies),
  },
  names: new Map([...ledger.names].map(([name, holders]) => [name, new Set(holders)])),
})

async function lostInvoices(primary: Reader, { invoices, keys, replies }: Ledger): Promise<string[]> {
  const rows: Rows = await primary.sql('SELECT id, order_ref FROM pay.invoice')
  const ids = new Set(rows.map(({ id }) => String(id)))
  const orders = new Map<string, number>()
  for (const { order_ref: order } of rows) orders.set(String(order), (orders.get(String(order)) ?? 0) + 1)
  const payments: Rows = await primary.sql('SELECT id, reply FROM pay.payment')
  const stored = new Map(payments.map(({ id, reply }) => [String(id), String(reply)]))
  return [
    ...[...invoices.keys()].filter((id) => !ids.has(id)).map((id) => `invoice ${id} is gone`),
    ...[...keys.keys()].filter((key) => orders.get(key) !== 1).map((key) => `key ${key} has not exactly one invoice`),
    ...[...replies]
      .filter(([id, reply]) => stored.get(id) !== reply)
      .map(([id]) => `the reply to ${id} is lost or changed`),
  ]
}

/** Of the commitments that were handed out, each is of one key. */
async function keysUsedTwice(primary: Reader): Promise<string[]> {
  const rows: Rows = await primary.sql(`SELECT key_index, count(*) FROM (
      SELECT key_index FROM pay.payment UNION ALL SELECT key_index FROM pay.invoice_slate
    ) used GROUP BY key_index HAVING count(*) > 1`)
  const next: Rows = await primary.sql(`SELECT key_index FROM (
      SELECT key_index FROM pay.payment UNION ALL SELECT key_index FROM pay.invoice_slate
    ) used WHERE key_index >= (SELECT next_key_index FROM pay.wallet)`)
  return [
    ...rows.map(({ key_index: index }) => `key ${index} was used twice`),
    ...next.map(({ key_index: index }) => `key ${index} will be handed out again`),
  ]
}

async function lostWebhooks(primary: Reader, hooks: readonly ReceivedEvent[]): Promise<string[]> {
  const received = new Map<string, Set<string>>()
  for (const { json, body } of hooks) received.set(json.event_id, (received.get(json.event_id) ?? new Set()).add(body))
  const rows: Rows = await primary.sql("SELECT id, body, state FROM pay.event WHERE type <> 'test.ping'")
  const known = new Set(rows.map(({ id }) => String(id)))
  return [
    ...outOfOrder(hooks),
    ...[...received.keys()].filter((id) => !known.has(id)).map((id) => `event ${id} was sent and is not stored`),
    ...rows.flatMap(({ id, body, state }) => {
      const bodies = received.get(String(id))
      if (state !== 'delivered') return [`event ${id} is ${state}`]
      return bodies?.size === 1 && bodies.has(String(body)) ? [] : [`event ${id} did not arrive with its stored bytes`]
    }),
  ]
}

/** Of each payment, "confirmed" first came after "received" first came. */
function outOfOrder(hooks: readonly ReceivedEvent[]): string[] {
  const received = new Set<unknown>()
  return hooks.flatMap(({ json }) => {
    const { slate_id: slate } = json.payment
    if (json.event_type === 'payment.received') received.add(slate)
    return json.event_type === 'payment.confirmed' && !received.has(slate)
      ? [`payment ${slate} was confirmed before it was received`]
      : []
  })
}

async function wrongNames(primary: Reader, { names }: ClusterLedger): Promise<string[]> {
  const rows: Rows = await primary.sql("SELECT name, encode(pubkey, 'hex') AS pubkey FROM names.name")
  const there = new Map(rows.map(({ name, pubkey }) => [String(name), String(pubkey)]))
  return [...names].flatMap(([name, holders]) => {
    if (holders.size > 1) return [`${name} was given to two keys`]
    return holders.has(there.get(name) ?? '') ? [] : [`${name} is lost, or somebody else's`]
  })
}

function wrongStores(relays: readonly RelayFrontEnd[], { events, deleted }: ClusterLedger): string[] {
  const [first, ...others] = relays.map(stateIn)
  const different = others.filter((other) => !isDeepStrictEqual(other, first))
  return [
    ...different.map(() => `the stores differ: ${differenceOf(relays)}`),
    ...relays.flatMap(({ dbPath }) => {
      const ids = new Set(idsIn(dbPath))
      return [...events.values()]
        .filter(({ event }) => event.kind === 1 && !deleted.has(event.id) && !ids.has(event.id))
        .map(({ event }) => `event ${event.id} is not in ${dbPath}`)
    }),
  ]
}

function differenceOf(relays: readonly RelayFrontEnd[]): string {
  const positions = relays.map(({ dbPath }) => {
    const db = openSqlite(dbPath, 'reading')
    const [pos, digest] = db.get('SELECT pos, hex(digest) FROM log_position') ?? []
    db.close()
    return `position ${pos}, ${idsIn(dbPath).length} events, digest ${String(digest).slice(0, 8)}`
  })
  return positions.join(' against ')
}

/** Notes that were acknowledged a while ago, and after a connection that still stands had begun to listen. */
function missedBySubscribers({ events, listening }: ClusterLedger): string[] {
  const before = performance.now() - 5000
  return [...listening].flatMap(([{ url }, { since, client }]) =>
    [...events.values()]
      .filter(({ event, at }) => event.kind === 1 && at > since + 1000 && at < before)
      .filter(({ event }) => !client.counts.has(`notes ${event.id}`))
      .map(({ event }) => `a subscriber at ${url} did not get ${event.id}`),
  )
}
