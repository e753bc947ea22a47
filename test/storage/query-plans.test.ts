// A million invoices must slow no verb: each statement that a verb runs reaches its rows through an index.
import { expect, test } from 'vitest'
import { createWriteQueue } from '../../src/storage/sqlite/group-commit.js'
import { TILL_FILE } from '../../src/storage/sqlite/kinds.js'
import { pullBacks } from '../../src/storage/till/due-times.js'
import { verbs } from '../../src/storage/till/store.js'
import { recordingSqlite } from '../support/recording-sqlite.js'
import {
  anEvent,
  anInvoice,
  anInvoiceSlate,
  aPayment,
  aRailInvoice,
  aSlateId,
  aUser,
  freshHex,
  grin,
  look,
  NOON,
  WORKER,
} from '../support/till-builders.js'

/** Tables that never grow (the counter, the identity, the six sums, the eight receivers), what is bound, and what a subquery has found. */
const SMALL =
  /^SCAN (wallet|meta|payment_total|receiver_failure|json_each|CONSTANT ROW|\(subquery-\d+\)|pending|due|abandoned|counted)/
/** Holds what is pending and nothing else. */
const PENDING =
  /^SCAN (letter USING COVERING INDEX letter_waiting|invoice USING INDEX invoice_(without_slate|slate_end)|invoice_slate USING INDEX invoice_slate_open)$/
/** In the order of an index and ended by a LIMIT: it stops after a page. */
const PAGED = /^SCAN \w+ USING INDEX \w+_created$/
/** Only the few payable candidates, what ended lately, and rows that are shown are sorted. */
const SORTED = /^USE TEMP B-TREE FOR (LAST TERM OF )?ORDER BY$/

const SORTING = /INDEXED BY invoice_(payable_|recipient|ended)/

async function askRails(store: ReturnType<typeof verbs>) {
  const { invoice, slate, armor } = aRailInvoice({ fiat: { amount: '1', currency: 'usd', rate: '1', source: 'fixed' } })
  const message = { kind: 'reply', layout: 'plain' } as const
  const payment = aPayment({ invoiceId: invoice.id })
  const finished = { slateId: slate.slateId, transaction: '{}' }
  await store.insertInvoice(invoice, NOON, undefined, slate)
  await store.invoiceSlate(slate.slateId)
  await store.replaceInvoiceSlate(anInvoiceSlate({ invoiceId: invoice.id }), armor)
  await store.payableOnRail(invoice.amount, NOON, 2)
  await store.hasEarlierTwin(invoice)
  await store.closeInvoiceSlates(NOON, 5)
  await store.invoicesWithoutSlate(NOON, 5)
  await store.closeEveryInvoiceSlate()
  const [other, accepted] = [aRailInvoice(), aPayment()]
  await store.insertInvoice(other.invoice, NOON, undefined, other.slate)
  await store.acceptPayment(payment, null, NOON, NOON, { finished })
  await store.acceptPayment({ ...accepted, invoiceId: other.invoice.id }, null, NOON, NOON, {
    finished: { ...finished, slateId: other.slate.slateId },
    messages: [message],
  })
  await store.claimPushes(look(NOON, 5))
  await store.recordPush(accepted.id, NOON, null, WORKER)
  await store.claimMessages(look(NOON, 5))
  await store.messageOfPayment(accepted.id, 'reply')
  await store.keepWrap(accepted.id, 'reply', '{}')
  await store.recordPosting(accepted.id, 'reply', {
    acceptedBy: ['wss://a'],
    error: null,
    nextAttemptAt: NOON,
    by: WORKER,
  })
  await store.requeueMessage(accepted.id, message, NOON, WORKER)
  await store.requeueMessage(accepted.id, { ...message, kind: 'thanks' }, NOON, WORKER)
  await store.messageBacklog()
  await store.markSeen([freshHex(64)], NOON)
  await store.seenOf([freshHex(64)])
  await store.forgetSeen(NOON, 5)
  await store.invoiceKeysToWatch(NOON, 5, `${NOON}-1`)
  await store.endpubsToWatch(1, 5, '1-1')
  await store.invoiceByRecipient(freshHex(64))
  await store.endpubOf(freshHex(64))
}

function recordingStore() {
  const { db, statements, plan } = recordingSqlite(TILL_FILE)
  return { store: verbs(db, createWriteQueue(db).write), statements, plan }
}

test('a start looks at what is put off only, and the figures of a day at what they count', async () => {
  const { db, statements, plan } = recordingSqlite(TILL_FILE)
  for (const { sql, values } of pullBacks(NOON)) db.run(sql, values)
  const moved = [...statements]
  expect(
    moved.flatMap(plan).filter((step) => !/^SEARCH \w+ USING (COVERING )?INDEX \w+_(check|due) /.test(step)),
  ).toEqual([])
  expect(moved.length).toBeGreaterThan(3)
  await verbs(db, createWriteQueue(db).write).dayFigures(NOON)
  const figures = [...statements].filter((sql) => !moved.includes(sql) && sql.startsWith('SELECT')).flatMap(plan)
  expect(figures).toContainEqual(expect.stringMatching(/ payment USING (COVERING )?INDEX payment_waiting/))
  expect(figures).toContainEqual(
    expect.stringContaining('payment USING COVERING INDEX payment_confirmed (confirmed_at>'),
  )
  expect(figures).not.toContainEqual(expect.stringMatching(/payment_(unmatched|settlement)/))
})

test('the reads of the console stop after a page, or count what is open', async () => {
  const { store, statements, plan } = recordingStore()
  const page = { limit: 2, cursor: `${NOON}-1` }
  for (const range of [{}, { status: 'open' }, { status: 'open', from: NOON, to: NOON }] as const)
    await store.invoiceRows(range, page)
  await store.invoicesOfOrder('a', 2)
  await store.invoicesById('abcdef', 2)
  const traits = { text: 'a', amount: grin(1), fiatAmount: '1' }
  await store.scanInvoices({ traits, status: 'open', from: NOON, to: NOON + 1, span: 2, limit: 2 })
  for (const choice of ['all', 'waiting', 'mined'] as const) await store.paymentRows(choice, page)
  await store.paymentsOf(freshHex(32), 2)
  for (const choice of [
    { by: 'all' },
    { by: 'failed' },
    { by: 'state', state: 'pending' },
    { by: 'receiver', receiver: 2 },
    { by: 'invoice', invoiceId: freshHex(32) },
  ] as const)
    await store.deliveryRows(choice, page)
  await store.latestAttempts(freshHex(32), 1, 2)
  await store.messagesOfPayment(aSlateId())
  for (const moment of ['received', 'confirmed'] as const) await store.paymentSum(moment, NOON, NOON + 1)
  await store.openCounts(2)
  await store.changeMark()
  const steps = [...statements].flatMap(plan)
  const isFine = (step: string) =>
    /^SEARCH \w+( USING |$)/.test(step) ||
    /^SCAN \w+ USING (COVERING )?INDEX \w+_waiting$/.test(step) ||
    SMALL.test(step)
  expect(steps.filter((step) => !isFine(step) && !/^(SCALAR SUBQUERY|CO-ROUTINE|MATERIALIZE) /.test(step))).toEqual([])
  expect(statements.size).toBeGreaterThan(18)
})

test('no verb visits more rows than it answers', async () => {
  const { store, statements, plan } = recordingStore()
  const [invoice, user] = [anInvoice({ expiresAt: NOON }), aUser()]
  const payment = aPayment({ invoiceId: invoice.id })
  const free = aPayment({ userId: user.id })
  const [id, page] = [invoice.id, { limit: 2, cursor: `${NOON}-1` }]
  const sighting = { paymentId: payment.id, minedHeight: 1, confirmations: 1, nextCheckAt: NOON } as const
  const attempt = { startedAt: NOON, durationMs: 1, httpStatus: 200, error: null, answerHead: '', by: WORKER }
  const event = anEvent({ invoiceId: id })
  await store.insertUser(user)
  await store.insertInvoice(invoice, NOON, { key: 'k', digest: 'd' })
  await store.insertInvoice(anInvoice(), NOON, { key: 'k', digest: 'd' })
  await store.idempotent({ key: 'k', digest: 'd' }, NOON)
  await store.invoiceByToken(invoice.token)
  await store.acceptPayment(payment, event, NOON, NOON - 1)
  await store.acceptPayment(free, null, NOON, NOON)
  await store.markReplied(payment.id)
  await store.recordSighting({ ...sighting, settlement: 'seen' }, NOON)
  await store.abandonPayment(payment.id, null)
  await store.recordSighting({ ...sighting, settlement: 'mined' }, NOON)
  await store.confirmPayment({ ...sighting, settlement: 'confirmed' }, null, NOON)
  await store.abandonPayment(free.id, null, true)
  await store.postponeCheck(free.id, NOON)
  await store.assignPayment(free.id, id, 'received', [], NOON)
  await store.latestOfOrders('pos-', 20)
  for (const filter of [{}, { status: 'open' }, { orderRef: 'a' }, { orderRef: 'a', status: 'open' }] as const)
    for (const window of [{}, { from: NOON, to: NOON }]) await store.listInvoices({ ...filter, ...window, ...page })
  for (const filter of [{}, { unmatched: true }, { settlement: 'mined' }] as const)
    await store.listPayments({ ...filter, ...page })
  for (const filter of [
    {},
    { state: 'pending' },
    { invoiceId: id },
    { failed: true },
    { since: NOON },
    { receiver: 2 },
    { receiver: 2, state: 'pending' },
  ] as const)
    await store.listDeliveries({ ...filter, ...page })
  for (const kind of ['invoice', 'payment', 'event'] as const) await store.idsLike(kind, 'abcdef', 5)
  await store.listUsers(2, page.cursor)
  await store.expireDue(NOON, 5)
  await store.expireInvoice(id, NOON)
  await store.cancelInvoice(id)
  const fiat = { amount: '1', currency: 'usd', rate: '1', source: 'fixed' }
  const priced = anInvoice({ fiat })
  await store.insertInvoice(priced, NOON)
  await store.requote(priced.id, 0, { amount: grin(1), fiat, expiresAt: null, payLink: '', qrSvg: '' })
  await store.payableByRecipient(freshHex(64), NOON, 2)
  await store.payableByMatchKey('a', NOON, 2)
  await store.payableByMemo('a', grin(1), NOON, 2)
  await store.payableByAmount(grin(1), NOON, 2)
  await store.claimChecks(look(NOON, 5))
  await store.youngPayments({ from: NOON - 1000, to: NOON, limit: 5 })
  await store.hastenChecks([aSlateId()], NOON)
  await store.takeKeyIndex()
  await store.takeUse({ kind: 'unmatched', key: 'nostr', limit: 1, windowMs: 1, now: NOON })
  await store.balance()
  await store.confirmedRows({ from: 0, to: NOON, limit: 2 })
  await store.confirmedRows({ from: 0, to: NOON, limit: 2, cursor: '1-2-3' })
  await store.insertEvent(anEvent({ paymentId: aSlateId() }))
  await store.claimDeliveries(1, look(NOON, 5))
  await store.recordAttempt(event.eventId, 1, attempt)
  await store.deliveryById(event.eventId)
  await store.deliveriesOf(event.eventId)
  await store.abandonPending(2, 'gone')
  await store.replay(event.eventId, [1], NOON)
  await store.backlog()
  await store.rotateUser(user.id, 0, freshHex(64), NOON)
  await store.setRotateInterval(user.id, 5)
  await store.usersDueForRotation(5, NOON, 5)
  await store.userByPubkey(user.pubkey)
  await askRails(store)

  const planned = [...statements].filter((sql) => /^(SELECT|UPDATE|DELETE)/.test(sql))
  const slow = planned.flatMap((sql) =>
    plan(sql)
      .filter((step) => /SCAN|TEMP B-TREE/.test(step))
      .filter((step) => ![SMALL, PENDING, PAGED].some((fine) => fine.test(step)))
      .filter((step) => !(SORTED.test(step) && SORTING.test(sql)))
      .map((step) => `${step}  ←  ${sql.replace(/\s+/g, ' ').slice(0, 400)}`),
  )
  expect(slow).toEqual([])
  expect(
    [...statements].filter((sql) => sql.startsWith('UPDATE invoice SET') && sql.includes('requotes')),
  ).toHaveLength(1)
  expect(planned.length).toBeGreaterThan(75)
})
