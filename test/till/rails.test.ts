// A payment rail is one object in the table: here one that no release knows receives, confirms and reports a payment, on the real store.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createApp, createReadiness, openViews } from '../../src/http/index.js'
import { REPLY_RAIL, SLATE_RAIL } from '../../src/storage/till/rules.js'
import { nostrRail } from '../../src/till/nostr/rail.js'
import { translatorOf } from '../../src/till/pages/texts/index.js'
import type { PaymentRail } from '../../src/till/rail.js'
import { createRails, PAYMENT_RAILS, tabsOf } from '../../src/till/rails.js'
import { tillHttp } from '../../src/till/routes/till-http.js'
import { aSlate } from '../support/fake-wallet.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { countingRandom, stillClock, VERSION } from '../support/till-app.js'
import { grin, SECOND } from '../support/till-builders.js'
import { codeOf, openTill } from '../support/till-parts.js'

/** Pigeons bring slates; their payments are matched like all others, and a message to the payer follows. Its invoices have a tab. */
const pigeonRail: PaymentRail = {
  name: 'pigeon',
  unmatched: 'refuse',
  isOffered: () => true,
  tabs: [
    {
      id: 'pigeon',
      position: 3.5,
      label: ({ lang }) => (lang === 'de' ? 'Brieftaube' : 'Carrier pigeon'),
      template: 'method-pigeon',
      isUsable: ({ offeredRail }) => offeredRail === 'pigeon',
      view: ({ memo }, { address }) => ({ note: `To ${address}: ${memo}` }),
    },
  ],
  messagesOnReceipt: ({ rail }) => (rail === 'pigeon' ? [{ kind: 'thanks', layout: 'plain' }] : []),
}

async function openWith(paymentRails: readonly PaymentRail[]) {
  const { store, remove } = await openTemporaryStore()
  const opened = openTill({ settings: { matchMode: 'memo', unmatched: undefined }, parts: { store, paymentRails } })
  onTestFinished(async () => {
    await opened.till.close()
    await remove()
  })
  return { ...opened, store }
}

test('a rail that is one line in the table receives, confirms and reports a payment', async () => {
  const { till, store, wallet, chain, clock, shop, log } = await openWith([...PAYMENT_RAILS, pigeonRail])
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-7' })
  const offer = { slate: await wallet.open(aSlate()), rail: 'pigeon', subject: 'order-7' }

  const { payment, slatepack } = await till.accept(offer)
  expect(await till.accept(offer)).toEqual({ payment, slatepack, repeated: true })
  await till.markReplied(payment.id)
  expect(await till.findPayment(payment.id)).toMatchObject({
    rail: 'pigeon',
    invoiceId: invoice.id,
    settlement: 'replied',
  })
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'paid', paymentId: payment.id })
  expect(await store.messageOfPayment(payment.id, 'thanks')).toMatchObject({ state: 'pending' })
  expect(await store.messageOfPayment(payment.id, 'reply')).toBeUndefined()

  chain.mine(payment, chain.height)
  chain.height += 9
  await clock.advance(30 * SECOND)
  await till.passes.confirm()
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'confirmed', confirmations: 10 })
  expect((await till.listPayments({ settlement: 'confirmed', limit: 9 })).items).toMatchObject([{ rail: 'pigeon' }])

  await till.passes.deliver()
  expect(shop.sent.map(({ body }) => JSON.parse(body).event_type)).toEqual(['payment.received', 'payment.confirmed'])
  expect(log).toContainEqual({
    level: 'info',
    fields: { invoice: invoice.id, to: 'paid', payment: payment.id, rail: 'pigeon' },
    text: 'invoice paid',
  })
})

test('its word on payments without an invoice counts', async () => {
  const { till, wallet } = await openWith([...PAYMENT_RAILS, pigeonRail])
  const slate = await wallet.open(aSlate())
  expect(await codeOf(till.accept({ slate, rail: 'pigeon' }))).toBe('NO_INVOICE_MATCHES')
  expect(await codeOf(till.accept({ slate, rail: 'nostr' }))).toBe('ok')
})

/** The pages of this till; the templates of the package and the partial of the pigeons. */
async function openPages({ till }: Awaited<ReturnType<typeof openWith>>, paymentRails: readonly PaymentRail[]) {
  const templates = mkdtempSync(join(tmpdir(), 'grinpay-test-'))
  cpSync('templates', templates, { recursive: true })
  writeFileSync(join(templates, 'checkout/method-pigeon.eta'), '<p class="pigeon"><%= it.page.note %></p>\n')
  const clock = stillClock()
  const app = createApp({ clock, random: countingRandom(), rateLimits: false })
  const readiness = createReadiness({ checks: async () => [], clock })
  const tokens = { apiTokens: [], adminTokens: [] }
  await app.register(tillHttp, {
    ...{ till, version: VERSION, readiness, clock, paymentRails, ...tokens },
    views: openViews(templates),
  })
  onTestFinished(async () => {
    await app.close()
    rmSync(templates, { recursive: true })
  })
  return async (url: string, lang = 'en') => (await app.inject({ url, headers: { 'accept-language': lang } })).body
}

const tabsIn = (body: string): string[] =>
  [...body.matchAll(/<a href="[^"]*\?method=([a-z]+)"[^>]*>([^<]+)</g)].map(([, id, name]) => `${id}: ${name}`)

test('a rail that is one line in the table is offered on an invoice and has a tab on the checkout', async () => {
  const table = [...PAYMENT_RAILS, pigeonRail]
  const opened = await openWith(table)
  const { invoice } = await opened.till.createInvoice({ amountNanogrin: grin(2), memo: 'Crumbs' })
  expect(await opened.store.invoiceById(invoice.id)).toMatchObject({ offeredRail: 'pigeon', slatepack: null })
  const get = await openPages(opened, table)
  const page = `/pay/${invoice.token}`
  expect(tabsIn(await get(`${page}?method=slatepack`))).toEqual([
    'pigeon: Carrier pigeon',
    'slatepack: Copy &amp; paste',
  ])
  expect(tabsIn(await get(`${page}?method=slatepack`, 'de'))[0]).toBe('pigeon: Brieftaube')
  const { address } = opened.till.identity
  expect(await get(`${page}/frame?method=pigeon`)).toContain(`<p class="pigeon">To ${address}: Crumbs</p>`)
  const { invoice: other } = await opened.till.createInvoice({ amountNanogrin: grin(3) })
  expect(tabsIn(await get(`/pay/${other.token}/frame`))[0]).toBe('pigeon: Carrier pigeon')
})

test('without its line in the table it is offered nowhere and has no tab', async () => {
  const opened = await openWith(PAYMENT_RAILS)
  const { invoice } = await opened.till.createInvoice({ amountNanogrin: grin(2), memo: 'Crumbs' })
  expect(await opened.store.invoiceById(invoice.id)).toMatchObject({ offeredRail: null })
  const get = await openPages(opened, PAYMENT_RAILS)
  for (const query of ['?method=pigeon', '?method=slatepack'])
    expect(await get(`/pay/${invoice.token}${query}`)).not.toMatch(/pigeon/i)
})

test('the tabs of the checkout have ids and positions of their own, in the order that payers know', () => {
  const tabs = tabsOf(PAYMENT_RAILS)
  expect(tabs.map(({ id }) => id)).toEqual(['goblin', 'invoice', 'address', 'slatepack'])
  expect(new Set(tabs.map(({ position }) => position)).size).toBe(tabs.length)
  for (const { id, template } of tabs) {
    expect(id).toMatch(/^[a-z]{4,9}$/)
    expect(readdirSync('templates/checkout')).toContain(`${template}.eta`)
  }
})

test('what it says of itself decides who carries the reply, who gets a slate and who may send to the bare address', async () => {
  const { text } = translatorOf('en')
  for (const [abilities, expected] of [
    [{}, { detail: 'replyOnItsWay', isPlain: false, hasSlate: false }],
    [{ isPasted: true }, { detail: 'replyReadyDetail', isPlain: false, hasSlate: false }],
    [
      { issuesSlate: true, takesPlainSends: true },
      { detail: 'replyOnItsWay', isPlain: true, hasSlate: true },
    ],
  ] as const) {
    const table = [...PAYMENT_RAILS, { ...pigeonRail, ...abilities }]
    const opened = await openWith(table)
    const { till, wallet } = opened
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-7' })
    expect([await till.takesPlainSends(invoice), invoice.slatepack !== null]).toEqual([
      expected.isPlain,
      expected.hasSlate,
    ])
    await till.accept({ slate: await wallet.open(aSlate()), rail: 'pigeon', subject: 'order-7' })
    const get = await openPages(opened, table)
    expect(await get(`/pay/${invoice.token}/frame`)).toContain(text(expected.detail))
  }
})

test('the rails that the store names are those of the table', () => {
  expect(PAYMENT_RAILS.filter(({ issuesSlate }) => issuesSlate).map(({ name }) => name)).toEqual([SLATE_RAIL])
  expect(REPLY_RAIL).toBe(nostrRail.name)
})

test('a rail that is not in the table takes nothing', async () => {
  const { till, store, wallet } = await openWith(PAYMENT_RAILS)
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(2), orderRef: 'order-7' })
  const offer = { slate: await wallet.open(aSlate()), rail: 'pigeon', subject: 'order-7' }
  await expect(till.accept(offer)).rejects.toThrow('there is no payment rail "pigeon"')
  expect(await till.findInvoice(invoice.id)).toMatchObject({ status: 'open' })
  expect((await store.listPayments({ limit: 9 })).items).toEqual([])
})

test('every rail has a name of its own', () => {
  const names = PAYMENT_RAILS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const rail of PAYMENT_RAILS) expect(createRails(PAYMENT_RAILS).named(rail.name)).toBe(rail)
})

test('the core imports no rail', () => {
  const rooms = ['invoices', 'payments', 'confirmation', 'invoice-slates', 'webhooks', 'wallet'] as const
  const files = rooms.flatMap((room) => readdirSync(join('src/till', room)).map((file) => join('src/till', room, file)))
  const knowing = files.filter((file) => /from '\.\.\/(nostr|grin1|slatepack)\//.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(20)
  expect(knowing).toEqual([])
})

test('the core compares the name of no rail', () => {
  const own = /^src\/till\/(nostr|grin1|slatepack|legacy-import)\//
  const files = ['src/till', 'src/storage', 'src/daemons']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !own.test(file))
  const naming = files.filter((file) =>
    /[rR]ail\)? (?:===|!==) '|\brail: '(?:nostr|grin1|slatepack)'/.test(readFileSync(file, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(naming).toEqual([])
})
