// Tills on one database, up to three with the same wallet, beside one with its file: invoices, payments and webhooks a second.
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TILL_SERVICE } from '../../src/storage/postgres/services.js'
import type { Server } from '../load.js'
import { createBills, pasteOf } from '../payers.js'
import { postOf } from '../posts.js'
import { API, type BenchTill, startTill } from '../till.js'
import { freshSchema, urlFileIn } from './database.js'
import { type FrontEnds, firstOf, type Load, postsTo, type Service, stopAll } from './front-ends.js'
import { startWebhookReceiver } from './webhook-receiver.js'

const receiver = await startWebhookReceiver()
const ADMIN_TOKEN = `pay_live_${'cd'.repeat(32)}`
const ADMIN = { ...API, authorization: `Bearer ${ADMIN_TOKEN}` }
const body = JSON.stringify({ amount_grin: 1_500_000_000, order_ref: 'order-1001', memo: 'two coffees' })

export const invoices: Load = {
  what: 'POST /invoice',
  answers: { 1: 250, 32: 1000 },
  prepare: (servers, size) =>
    postsTo(servers, size, (server, count) =>
      Array.from({ length: count }, () => postOf(server, '/invoice', API, body)),
    ),
}

/** Events of payments so far, by front ends. */
const events = new WeakMap<readonly Server[], string[]>()

/** Pasted into the page of an invoice; ends when their webhooks have come. */
export const payments: Load = {
  what: 'payments, with webhook',
  answers: { 32: 48 },
  async prepare(servers, size) {
    const send = await postsTo(servers, size, async (server, count) =>
      (await createBills(server.url, count)).map((bill) => pasteOf(server, bill)),
    )
    return async () => {
      const called = receiver.next(size.answers)
      const sent = await send()
      events.set(servers, [...(events.get(servers) ?? []), ...(await called)])
      return sent
    }
  },
}

/** Until the till has written down that every webhook has come: one that is on its way would be refused. */
async function untilWritten([server]: readonly Server[]): Promise<void> {
  if (!server) return
  for (let tries = 0; tries < 900; tries++, await sleep(100)) {
    const answer = await fetch(`${server.url}/admin/status`, { headers: ADMIN })
    const { webhooks: known } = (await answer.json()) as { readonly webhooks?: { readonly pending: number } }
    if (known?.pending === 0) return
  }
  throw new Error('webhooks are pending for 90 seconds')
}

/** Those of the payments before, by request, each once; ends when all have come. */
export const webhooks: Load = {
  what: 'webhooks sent again',
  answers: { 32: 150 },
  async prepare(servers, { answers, clients }) {
    await untilWritten(servers)
    const ids = (events.get(servers) ?? []).slice(0, answers)
    const left = [...ids]
    const send = await postsTo(servers, { answers: ids.length, clients }, (server, count) =>
      left.splice(0, count).map((id) => postOf(server, `/admin/webhooks/${id}/replay`, ADMIN, '{}')),
    )
    return async () => {
      const called = receiver.next(ids.length)
      const sent = await send()
      await called
      return sent
    }
  },
}

const MORE = {
  PAY_ADMIN_TOKEN: ADMIN_TOKEN,
  PAY_WEBHOOK_URL: receiver.url,
  PAY_WEBHOOK_SECRET: 'a secret of the benchmark',
}

export async function startEmbedded(entry?: string): Promise<FrontEnds> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const till = await startTill(join(folder, 'till'), { settings: MORE, ...(entry !== undefined && { entry }) })
  return { servers: [till], stop: () => stopAll([till], folder) }
}

/** One wallet; a load goes to the first ones, the other ones idle. */
async function startShared(url: string, counts: readonly number[]): Promise<readonly FrontEnds[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-scale-'))
  const PAY_DATABASE_SCHEMA = await freshSchema(url, TILL_SERVICE)
  const settings = { ...MORE, PAY_DATABASE_URL_FILE: urlFileIn(folder, url), PAY_DATABASE_SCHEMA, PAY_DB_PATH: '' }
  const tills: BenchTill[] = []
  for (let at = 0; at < Math.max(...counts); at++) {
    const own = join(folder, String(at))
    mkdirSync(join(own, 'data'), { recursive: true })
    // The first start makes the identity; an operator copies it.
    if (at > 0) cpSync(join(folder, '0/data/nostr'), join(own, 'data/nostr'), { recursive: true })
    tills.push(await startTill(own, { settings }))
  }
  return firstOf(tills, counts, () => stopAll(tills, folder))
}

export const till: Service = {
  what: 'till',
  loads: [invoices, payments, webhooks],
  startEmbedded: () => startEmbedded(),
  startShared,
}
