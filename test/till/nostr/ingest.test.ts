// The way from a gift wrap to a payment. Specification: invoicing, 4.6 and 4.7.
import { describe, expect, test } from 'vitest'
import { decodeSlate } from '../../../src/grin/slate/index.js'
import { armorSlate, readSlatepack } from '../../../src/grin/slatepack/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../../../src/nostr/event/index.js'
import { createWallet } from '../../../src/till/index.js'
import { readMessage, replyContent } from '../../../src/till/nostr/messages.js'
import { secretFor } from '../../../src/till/nostr/owners.js'
import { settled } from '../../support/fake-clock.js'
import { armored, aSlate } from '../../support/fake-wallet.js'
import { countingRandom, prove, verify, walletOf } from '../../support/grin.js'
import { keyPairOf, layerAround, seededRandom } from '../../support/nostr.js'
import {
  ANNA,
  BEN,
  forgeryOf,
  junkTo,
  openRail,
  paymentText,
  RELAY,
  startRail,
  wrapOf,
} from '../../support/nostr-rail.js'
import { aSlateId, DAY, grin, HOUR, MINUTE, SECOND, WORKER } from '../../support/till-builders.js'
import { MASTER } from '../../support/till-parts.js'
import { bytes, vectors } from '../../support/vectors.js'

const SLATE_ID = '0436430c-2b02-624c-2032-570501212b00'
const S1 = aSlate({ id: SLATE_ID })

describe('an S1 in a gift wrap', () => {
  test.each([2, 3] as const)(
    'pays the invoice of its key, and its reply is owed (NIP-44 version %i)',
    async (version) => {
      const rail = openRail()
      const invoice = await rail.invoice()
      await rail.deliver(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey, version }))
      expect(await rail.payments()).toMatchObject([
        {
          id: SLATE_ID,
          invoiceId: invoice.id,
          rail: 'nostr',
          payer: ANNA.pubkey,
          recipientPubkey: invoice.recipientPubkey,
          settlement: 'received',
        },
      ])
      expect(await rail.status(invoice)).toBe('paid')
      expect(await rail.reply(SLATE_ID)).toMatchObject({ state: 'pending', layout: 'plain', attempts: 0 })
      expect(rail.seen).toMatchObject({ kicks: 1, texts: [], unwraps: 1, asked: [ANNA.pubkey] })
      expect(rail.ingest.state().outcomes).toMatchObject({ received: 1 })
    },
  )

  test('is stored with its reply before the reply is queued', async () => {
    let before: unknown
    const opened = openRail()
    const rail = startRail(opened, {
      messages: {
        kick() {
          before = opened.store.db.all('SELECT 1 FROM letter').length
        },
        requeue: async () => 'queued',
      },
    })
    const invoice = await opened.invoice()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey }))
    expect(before).toBe(1)
  })

  test('in a JSON object is answered in kind', async () => {
    const rail = openRail()
    const invoice = await rail.invoice()
    const content = JSON.stringify({
      type: 'grin-slatepack',
      v: 1,
      role: 'offer',
      slateId: SLATE_ID,
      slatepack: armored(S1),
    })
    await rail.deliver(wrapOf({ content, to: invoice.recipientPubkey }))
    expect(await rail.reply(SLATE_ID)).toMatchObject({ layout: 'json' })
  })

  test('to the till’s own key is matched by its subject', async () => {
    const rail = openRail({ settings: { matchMode: 'memo' } })
    const invoice = await rail.invoice({ orderRef: 'order-42' })
    await rail.deliver(
      wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey, tags: [['subject', ' order-42\n']] }),
    )
    expect(await rail.payments()).toMatchObject([{ invoiceId: invoice.id }])
  })

  test('to a user’s key credits the user', async () => {
    const rail = openRail()
    const user = await rail.till.createUser('anna', null)
    await rail.deliver(wrapOf({ content: paymentText(S1), to: user.pubkey }))
    expect(await rail.payments()).toMatchObject([{ userId: 'anna', invoiceId: null, recipientPubkey: user.pubkey }])
  })

  test('needs no clock as good as ours: two minutes after the end it still counts', async () => {
    const rail = openRail()
    const invoice = await rail.invoice({ expirySecs: 60 })
    await rail.clock.advance(MINUTE + 119 * SECOND)
    await rail.till.passes.sweep()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey }))
    expect(await rail.status(invoice)).toBe('paid')
  })
})

describe('copies', () => {
  test('from two relays at once are one payment and one unwrap', async () => {
    const rail = openRail()
    const wrap = wrapOf({ content: paymentText(S1), to: (await rail.invoice()).recipientPubkey })
    await rail.deliver(wrap, wrap)
    await rail.deliver(wrap)
    expect(await rail.payments()).toHaveLength(1)
    expect(rail.seen).toMatchObject({ unwraps: 1, kicks: 1 })
  })

  test('of the S1 in two wraps at once are one payment with one reply', async () => {
    const rail = openRail()
    const to = (await rail.invoice()).recipientPubkey
    await rail.deliver(wrapOf({ content: paymentText(S1), to }), wrapOf({ content: paymentText(S1), to }))
    expect(await rail.payments()).toHaveLength(1)
    expect(rail.wallet.signed).toEqual([0])
    expect(rail.store.db.all('SELECT 1 FROM letter')).toHaveLength(1)
    expect(rail.ingest.state().outcomes).toMatchObject({ received: 2 })
  })

  test('of a wrap after a restart are not even opened', async () => {
    const rail = openRail()
    const wrap = wrapOf({ content: paymentText(S1), to: (await rail.invoice()).recipientPubkey })
    await rail.deliver(wrap)
    const again = startRail(rail)
    await again.deliver(wrap)
    expect(again.seen).toMatchObject({ unwraps: 0, kicks: 0 })
    expect(again.ingest.state().outcomes).toMatchObject({ seen: 1 })
  })

  test('after a stop between payment and mark get the same reply', async () => {
    const rail = openRail()
    const wrap = wrapOf({ content: paymentText(S1), to: (await rail.invoice()).recipientPubkey })
    const { markSeen } = rail.store
    rail.store.markSeen = () => Promise.reject(new Error('killed'))
    await rail.deliver(wrap)
    rail.store.markSeen = markSeen
    const again = startRail(rail)
    await again.deliver(wrap)
    expect(again.seen.kicks).toBe(1)
    expect(rail.wallet.signed).toEqual([0])
    expect(await rail.payments()).toHaveLength(1)
  })

  test('of a refused message in a new wrap say nothing new', async () => {
    const rail = openRail()
    const to = (await rail.invoice()).recipientPubkey
    const slate = aSlate({ amount: grin(1) })
    const at = 1_782_907_300_000
    await rail.deliver(wrapOf({ content: paymentText(slate), to, at }))
    await rail.deliver(wrapOf({ content: paymentText(slate), to, at }))
    expect(rail.ingest.state().outcomes).toMatchObject({ refused: 1, duplicate: 1 })
    expect(rail.seen.texts).toHaveLength(1)
  })

  test('of a refused message in a new wrap are not opened again after a restart', async () => {
    const rail = openRail()
    const to = (await rail.invoice()).recipientPubkey
    const [first, again] = [1, 2].map(() => wrapOf({ content: paymentText('no slate'), to, at: 1_782_907_300_000 }))
    if (!first || !again) throw new Error('two wraps were made')
    await rail.deliver(first)
    await rail.deliver(again)
    expect(await rail.store.seenOf([first.id, again.id])).toEqual(new Set([first.id, again.id]))
  })
})

describe('the same S1 again', () => {
  async function answered() {
    const rail = openRail()
    const invoice = await rail.invoice({ expirySecs: 3600 })
    const to = invoice.recipientPubkey
    await rail.deliver(wrapOf({ content: paymentText(S1), to }))
    const sent = () =>
      rail.store.recordPosting(SLATE_ID, 'reply', { acceptedBy: [RELAY], error: null, nextAttemptAt: null, by: WORKER })
    await sent()
    return { ...rail, first: invoice, to, sent }
  }

  test('is answered with the same S2, whatever became of the invoice, also after a restart and to another key of ours', async () => {
    const rail = await answered()
    const [payment] = await rail.payments()
    const other = (await rail.invoice()).recipientPubkey
    const pay = (to: string) => wrapOf({ content: paymentText(S1), to })
    await rail.deliver(pay(rail.to))
    expect(await rail.reply(SLATE_ID)).toMatchObject({ state: 'pending', attempts: 0, acceptedBy: [] })
    await rail.sent()
    if (payment) rail.chain.mine(payment, rail.chain.height - 20)
    await rail.till.passes.confirm()
    expect(await rail.status(rail.first)).toBe('confirmed')
    const again = startRail(rail)
    await again.deliver(pay(other))
    expect(await rail.reply(SLATE_ID)).toMatchObject({ state: 'pending' })
    expect(rail.wallet.signed).toEqual([0])
    expect(await rail.payments()).toMatchObject([{ reply: payment?.reply, recipientPubkey: rail.to }])
    expect([...rail.seen.texts, ...again.seen.texts]).toEqual([])
  })

  test('as the very same message in a new wrap is answered too', async () => {
    const rail = openRail()
    const to = (await rail.invoice()).recipientPubkey
    const at = 1_782_907_300_000
    await rail.deliver(wrapOf({ content: paymentText(S1), to, at }))
    await rail.deliver(wrapOf({ content: paymentText(S1), to, at }))
    expect(rail.seen.kicks).toBe(2)
  })

  test('does not count against its sender, but is answered ten times an hour at most', async () => {
    const rail = await answered()
    for (let i = 0; i < 12; i += 1) await rail.deliver(wrapOf({ content: paymentText(S1), to: rail.to }))
    expect(rail.ingest.state().outcomes).toMatchObject({ received: 11, duplicate: 2, limited: 0 })
    const other = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(aSlate()), to: other.recipientPubkey }))
    expect(await rail.status(other)).toBe('paid')
  })

  test('from another payer is refused, and the reply goes nowhere', async () => {
    const rail = await answered()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: rail.to, from: BEN }))
    expect(await rail.reply(SLATE_ID)).toMatchObject({ state: 'sent' })
    expect(await rail.payments()).toMatchObject([{ payer: ANNA.pubkey }])
    expect(rail.seen.texts).toMatchObject([{ to: BEN.pubkey, from: rail.to }])
    expect(rail.loggedCodes()).toEqual(['SLATE_ID_USED'])
  })

  test('with other contents is refused', async () => {
    const rail = await answered()
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ id: SLATE_ID, note: 'other' })), to: rail.to }))
    expect(await rail.reply(SLATE_ID)).toMatchObject({ state: 'sent' })
    expect(rail.loggedCodes()).toEqual(['SLATE_ID_USED'])
  })
})

describe('a refused payer gets the reason, from the key that was paid', () => {
  const nothingLost = 'was not taken and nothing has left your wallet'

  test('another amount', async () => {
    const rail = openRail()
    const { recipientPubkey: from } = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ amount: grin(1.5) })), to: from }))
    expect(rail.seen.texts).toEqual([
      {
        to: ANNA.pubkey,
        from,
        text: `Your payment of 1.5 GRIN ${nothingLost}: the invoice asks for exactly 2 GRIN. Please cancel it there and send that amount.`,
      },
    ])
    expect(rail.wallet.signed).toEqual([])
    expect(await rail.payments()).toEqual([])
  })

  type Rail = ReturnType<typeof openRail>
  const closings: readonly [
    string,
    string,
    (rail: Rail, invoice: Awaited<ReturnType<Rail['invoice']>>) => Promise<unknown>,
  ][] = [
    [
      'paid',
      'another payment of this invoice is signed already and waits for the network. Please cancel this one there',
      (rail, { recipientPubkey: to }) => rail.deliver(wrapOf({ content: paymentText(aSlate()), to, from: BEN })),
    ],
    [
      'paid and on the network',
      'this invoice is already paid. Please cancel it there',
      async (rail, { recipientPubkey: to }) => {
        const slate = aSlate()
        await rail.deliver(wrapOf({ content: paymentText(slate), to, from: BEN }))
        rail.store.db.run("UPDATE payment SET settlement = 'seen'")
      },
    ],
    ['cancelled', 'this invoice was cancelled', (rail, { id }) => rail.till.cancelInvoice(id)],
    ['expired', 'this invoice has expired', (rail) => rail.clock.advance(HOUR + 2 * MINUTE)],
  ]
  test.each(closings)('an invoice that is %s', async (_, reason, close) => {
    const rail = openRail()
    const invoice = await rail.invoice({ expirySecs: 3600 })
    await close(rail, invoice)
    const before = rail.wallet.signed.length
    await rail.deliver(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey }))
    expect(rail.seen.texts).toMatchObject([{ to: ANNA.pubkey, from: invoice.recipientPubkey }])
    expect(rail.seen.texts[0]?.text).toContain(`Your payment of 2 GRIN ${nothingLost}: ${reason}`)
    expect(rail.wallet.signed).toHaveLength(before)
    expect(await rail.store.paymentById(SLATE_ID)).toBeUndefined()
  })

  test.each([
    ['a later step', aSlate({ state: 'S2' }), 'not the beginning of a payment'],
    [
      'a slate that breaks a rule',
      aSlate({ refusal: { code: 'S1_FEATURES', text: 'this payment would be locked' } }),
      'this payment would be locked. Please',
    ],
    ['a slate whose time is over', aSlate({ ttl: 5n }), 'its time limit has passed'],
    ['something unreadable', 'no slate', 'the message could not be read'],
  ])('%s', async (_, slate, reason) => {
    const rail = openRail()
    await rail.deliver(wrapOf({ content: paymentText(slate), to: (await rail.invoice()).recipientPubkey }))
    expect(rail.seen.texts.map(({ text }) => text)).toEqual([expect.stringContaining(reason)])
  })

  test('once per slate and three times an hour', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    const wrong = (id = aSlateId()) => wrapOf({ content: paymentText(aSlate({ id, amount: grin(1) })), to })
    await rail.deliver(wrong(SLATE_ID), wrong(SLATE_ID))
    expect(rail.seen.texts).toHaveLength(1)
    await rail.deliver(wrong(), wrong(), wrong(), wrong())
    expect(rail.seen.texts).toHaveLength(3)
    await rail.wait(HOUR)
    await rail.deliver(wrong())
    expect(rail.seen.texts).toHaveLength(4)
  })

  test('small talk is not answered', async () => {
    const rail = openRail()
    await rail.deliver(wrapOf({ content: 'hello, are you there?', to: (await rail.invoice()).recipientPubkey }))
    expect(rail.ingest.state().outcomes).toMatchObject({ ignored: 1 })
    expect(rail.seen.texts).toEqual([])
  })
})

describe('two S1 for one invoice at the same time', () => {
  test('exactly one is answered, recorded and announced', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    const wraps = [ANNA, BEN, keyPairOf('carl')].map((from) => wrapOf({ content: paymentText(aSlate()), to, from }))
    await rail.deliver(...wraps)
    await rail.till.passes.deliver()
    expect(await rail.payments()).toHaveLength(1)
    expect(rail.wallet.signed).toHaveLength(1)
    expect(rail.store.db.all('SELECT 1 FROM letter')).toHaveLength(1)
    expect(rail.shop.sent).toHaveLength(1)
    expect(rail.seen.texts).toHaveLength(2)
  })
})

describe('bad wraps', () => {
  const hostile = (over: object): NostrEvent & { readonly to?: string } => ({ ...junkTo('0'.repeat(64)), ...over })
  const rumorBy = (pubkey: string, over: object = {}) =>
    JSON.stringify({
      id: '0'.repeat(64),
      pubkey,
      created_at: 1_782_900_000,
      kind: 14,
      tags: [],
      content: paymentText(S1),
      ...over,
    })
  const ONCE = keyPairOf('one-time key')

  function sealed(to: string, rumor: string, seal: (event: NostrEvent) => object = (event) => event): NostrEvent {
    const inner = layerAround(rumor, { from: ANNA.secret, to, kind: 13, version: 'unpadded' })
    return layerAround(JSON.stringify(seal(inner)), {
      from: ONCE.secret,
      to,
      kind: 1059,
      version: 'unpadded',
      tags: [['p', to]],
    })
  }

  test('to a key that is not ours are not opened', async () => {
    const rail = openRail()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: BEN.pubkey }))
    expect(rail.seen.unwraps).toBe(0)
    expect(rail.ingest.state().outcomes).toMatchObject({ ignored: 1 })
  })

  test('that name one key of ours and are sealed for another stay shut', async () => {
    const rail = openRail()
    const [first, second] = [await rail.invoice(), await rail.invoice()]
    const { content } = sealed(first.recipientPubkey, rumorBy(ANNA.pubkey))
    const unsigned = { created_at: 1_782_900_000, kind: 1059, tags: [['p', second.recipientPubkey]], content }
    await rail.deliver(signEvent(unsigned, ONCE.secret, seededRandom('wrong p')))
    expect(await rail.payments()).toEqual([])
    expect(rail.ingest.state().outcomes).toMatchObject({ ignored: 1 })
  })

  const cases: readonly [string, (to: string) => NostrEvent][] = [
    [
      'whose seal has a bad signature',
      (to) => sealed(to, rumorBy(ANNA.pubkey), (seal) => ({ ...seal, sig: forgeryOf(seal).sig })),
    ],
    ['whose message is by another author than the seal', (to) => sealed(to, rumorBy(BEN.pubkey))],
    [
      'whose seal is of another kind',
      (to) =>
        layerAround(
          JSON.stringify(layerAround(rumorBy(ANNA.pubkey), { from: ANNA.secret, to, kind: 14, version: 2 })),
          { from: ONCE.secret, to, kind: 1059, version: 2, tags: [['p', to]] },
        ),
    ],
    [
      'with nothing readable inside',
      (to) => layerAround('no seal', { from: ONCE.secret, to, kind: 1059, version: 2, tags: [['p', to]] }),
    ],
    [
      'with more than 32 768 bytes of message',
      (to) => sealed(to, rumorBy(ANNA.pubkey, { content: `${armored(S1)}${' '.repeat(32_768)}` })),
    ],
  ]
  test.each(cases)('%s pay nothing, are not answered, and are not opened twice', async (_, make) => {
    const rail = openRail()
    const wrap = make((await rail.invoice()).recipientPubkey)
    await rail.deliver(wrap)
    expect(await rail.payments()).toEqual([])
    expect(rail.seen).toMatchObject({ texts: [], kicks: 0, blamed: [] })
    await startRail(rail).deliver(wrap)
    expect(rail.seen.unwraps).toBe(1)
    expect(await rail.store.seenOf([wrap.id])).toEqual(new Set([wrap.id]))
  })

  test('with a forged id inside cannot pass for another message', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    const first = sealed(to, rumorBy(ANNA.pubkey, { id: '7'.repeat(64), content: 'hello' }))
    await rail.deliver(first)
    expect(await rail.store.seenOf(['7'.repeat(64)])).toEqual(new Set())
    await rail.deliver(sealed(to, rumorBy(ANNA.pubkey, { id: '7'.repeat(64) })))
    expect(await rail.payments()).toHaveLength(1)
  })

  test('that a relay made up are the relay’s fault and do not shut out the genuine one', async () => {
    const rail = openRail()
    const wrap = wrapOf({ content: paymentText(S1), to: (await rail.invoice()).recipientPubkey })
    await rail.deliver(forgeryOf(wrap))
    expect(rail.seen.blamed).toEqual([RELAY])
    expect(await rail.payments()).toEqual([])
    await rail.deliver(wrap)
    expect(await rail.payments()).toHaveLength(1)
  })

  test('that a relay made up cost their key nothing: however many come, the genuine one is opened at once', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    for (let n = 0; n < 30; n += 1) await rail.deliver(forgeryOf(wrapOf({ content: 'hello', to })))
    expect(rail.seen.blamed).toHaveLength(30)
    await rail.deliver(wrapOf({ content: paymentText(S1), to }))
    expect(await rail.payments()).toHaveLength(1)
  })

  test('over 64 KiB are not kept', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    await rail.deliver(hostile({ tags: [['p', to]], content: 'A'.repeat(65_537) }))
    expect(rail.seen.unwraps).toBe(0)
  })

  test('from ourselves are not for us', async () => {
    const opened = openRail()
    const rail = startRail(opened, { mainPubkey: ANNA.pubkey })
    await rail.deliver(wrapOf({ content: paymentText(S1), to: (await opened.invoice()).recipientPubkey }))
    expect(await opened.payments()).toEqual([])
    expect(rail.ingest.state().outcomes).toMatchObject({ ignored: 1 })
  })

  test('from a key of ours to itself are not for us', async () => {
    const rail = openRail()
    const { id: invoiceId, recipientPubkey: pubkey } = await rail.invoice()
    const secret = secretFor(new Secret(MASTER), { kind: 'invoice', invoiceId })
    await rail.deliver(wrapOf({ content: paymentText(S1), to: pubkey, from: { secret, pubkey } }))
    expect(await rail.payments()).toEqual([])
    expect(rail.ingest.state().outcomes).toMatchObject({ ignored: 1 })
  })
})

describe('a flood', () => {
  test('of 10 000 junk wraps a minute to one invoice costs 140 unwraps, and another invoice is paid at once', async () => {
    const rail = openRail()
    const [flooded, other] = [await rail.invoice(), await rail.invoice()]
    const pay = wrapOf({ content: paymentText(S1), to: other.recipientPubkey })
    for (let tenth = 0; tenth < 600; tenth += 1) {
      const junk = Array.from({ length: 17 }, () => junkTo(flooded.recipientPubkey))
      await rail.deliver(...junk, ...(tenth === 300 ? [pay] : []))
      if (tenth === 300) expect(await rail.status(other)).toBe('paid')
      await rail.wait(100)
    }
    expect(rail.seen.unwraps).toBeLessThanOrEqual(141)
    expect(rail.ingest.state().inbox).toMatchObject({
      waiting: expect.toSatisfy((count) => count >= 63 && count <= 64),
      keys: 1,
    })
  })

  test('leaves everything else its turn between two unwraps', async () => {
    const opened = openRail()
    let turn = 0
    let over = false
    const count = () => {
      turn += 1
      if (!over) setImmediate(count)
    }
    const turns: number[] = []
    const rail = startRail(opened, {
      openWrap() {
        turns.push(turn)
        return { refusal: 'unreadable' }
      },
    })
    count()
    const keys = await Promise.all(Array.from({ length: 8 }, async () => (await opened.invoice()).recipientPubkey))
    await rail.deliver(...keys.map(junkTo))
    over = true
    expect(turns).toHaveLength(8)
    expect(new Set(turns).size).toBe(8)
  })

  test('is over some day, and what was dropped is fetched again', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    await rail.deliver(...Array.from({ length: 100 }, () => junkTo(to)))
    await rail.ingest.pass()
    expect(rail.seen.refetched).toEqual([])
    await rail.wait(MINUTE, SECOND)
    await rail.ingest.pass()
    expect(rail.seen.refetched).toEqual([to])
  })
})

describe('what cannot be done now', () => {
  test('slatepacks that cannot be read count against their sender too', async () => {
    const rail = openRail()
    const { recipientPubkey: to } = await rail.invoice()
    for (let n = 0; n < 10; n += 1) await rail.deliver(wrapOf({ content: paymentText('no slate'), to }))
    await rail.deliver(wrapOf({ content: paymentText('no slate'), to }))
    expect(rail.ingest.state()).toMatchObject({ outcomes: { refused: 10, limited: 1 }, retrying: 1 })
  })

  test('the eleventh message of a sender in an hour waits and is then read', async () => {
    const rail = openRail()
    for (let i = 0; i < 10; i += 1) {
      const { recipientPubkey: to } = await rail.invoice()
      await rail.deliver(wrapOf({ content: paymentText(aSlate()), to }))
    }
    const last = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: last.recipientPubkey }))
    expect(await rail.status(last)).toBe('open')
    expect(rail.ingest.state()).toMatchObject({ retrying: 1 })
    await rail.deliver(wrapOf({ content: paymentText(aSlate()), to: last.recipientPubkey, from: BEN }))
    expect(await rail.status(last)).toBe('paid')
    await rail.wait(HOUR + 10 * MINUTE, MINUTE)
    expect(rail.ingest.state()).toMatchObject({ retrying: 0 })
    expect(rail.seen.texts).toMatchObject([{ to: ANNA.pubkey }])
    expect(rail.seen.unwraps).toBe(12)
  })

  test('a node that is away delays a slate with a time limit, and the invoice that ended meanwhile is paid', async () => {
    const rail = openRail()
    rail.chain.down = 'no node'
    const invoice = await rail.invoice({ expirySecs: 600 })
    await rail.deliver(
      wrapOf({ content: paymentText(aSlate({ id: SLATE_ID, ttl: 2_000_000n })), to: invoice.recipientPubkey }),
    )
    expect(rail.ingest.state()).toMatchObject({ retrying: 1, outcomes: { transient: 1 } })
    await rail.wait(HOUR, MINUTE)
    rail.chain.down = undefined
    await rail.wait(20 * MINUTE, MINUTE)
    expect(await rail.status(invoice)).toBe('paid')
    expect(rail.seen).toMatchObject({ unwraps: 1, texts: [], kicks: 1 })
    expect(rail.ingest.state()).toMatchObject({ retrying: 0 })
  })

  test('tries count once against their sender', async () => {
    const rail = openRail()
    rail.chain.down = 'no node'
    const waiting = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ ttl: 2_000_000n })), to: waiting.recipientPubkey }))
    await rail.wait(50 * MINUTE, 10 * SECOND)
    expect(rail.ingest.state().outcomes.transient).toBeGreaterThan(10)
    const next = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(S1), to: next.recipientPubkey }))
    expect(await rail.status(next)).toBe('paid')
  })

  test('a store that cannot write keeps the payer waiting, and the till answers no payment twice', async () => {
    const rail = openRail()
    const invoice = await rail.invoice()
    const { acceptPayment } = rail.store
    rail.store.acceptPayment = () => Promise.reject(new Error('disk full'))
    const wrap = wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey })
    await rail.deliver(wrap)
    expect(await rail.store.seenOf([wrap.id])).toEqual(new Set())
    rail.store.acceptPayment = acceptPayment
    await rail.deliver(wrap)
    await rail.wait(5 * SECOND)
    expect(await rail.payments()).toHaveLength(1)
    expect(rail.log.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('a store that cannot read does not lose the wrap', async () => {
    const rail = openRail()
    const invoice = await rail.invoice()
    const { seenOf } = rail.store
    rail.store.seenOf = () => Promise.reject(new Error('disk gone'))
    await rail.deliver(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey }))
    rail.store.seenOf = seenOf
    await rail.wait(5 * SECOND)
    expect(await rail.status(invoice)).toBe('paid')
  })

  test('is given up after a day', async () => {
    const rail = openRail()
    rail.chain.down = 'no node'
    const invoice = await rail.invoice()
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ ttl: 2_000_000n })), to: invoice.recipientPubkey }))
    await rail.wait(DAY + 10 * MINUTE, 10 * MINUTE)
    expect(rail.ingest.state()).toMatchObject({ retrying: 0 })
    await rail.ingest.pass()
    expect(rail.seen.refetched).toEqual([invoice.recipientPubkey])
  })
})

describe('a payment that its payer takes back', () => {
  const voidOf = (to: string, over: object = {}) =>
    wrapOf({ content: '', to, tags: [['goblin-action', 'void', SLATE_ID]], ...over })

  async function replied(over: object = {}) {
    const rail = openRail()
    const invoice = await rail.invoice(over)
    const to = invoice.recipientPubkey
    await rail.deliver(wrapOf({ content: paymentText(S1), to }))
    await rail.till.markReplied(SLATE_ID)
    const settlement = async () => (await rail.store.paymentById(SLATE_ID))?.settlement
    return { ...rail, invoice, to, settlement }
  }

  test('opens the invoice again for another one', async () => {
    const rail = await replied()
    await rail.deliver(voidOf(rail.to))
    expect(await rail.settlement()).toBe('abandoned')
    expect(await rail.status(rail.invoice)).toBe('open')
    await rail.deliver(wrapOf({ content: paymentText(aSlate()), to: rail.to, from: BEN }))
    expect(await rail.status(rail.invoice)).toBe('paid')
  })

  test('leaves an invoice expired whose time is over', async () => {
    const rail = await replied({ expirySecs: 60 })
    await rail.clock.advance(MINUTE)
    await rail.deliver(voidOf(rail.to))
    expect(await rail.store.invoiceById(rail.invoice.id)).toMatchObject({ status: 'expired', paymentId: SLATE_ID })
  })

  test('opens the same invoice three times a day, not four', async () => {
    const rail = openRail()
    const invoice = await rail.invoice()
    const to = invoice.recipientPubkey
    const statuses: unknown[] = []
    for (let round = 0; round < 5; round += 1) {
      const id = aSlateId()
      const from = keyPairOf(`cheat ${round}`)
      await rail.deliver(wrapOf({ content: paymentText(aSlate({ id })), to, from }))
      await rail.deliver(wrapOf({ content: '', to, from, tags: [['goblin-action', 'void', id]] }))
      statuses.push(await rail.status(invoice))
    }
    expect(statuses).toEqual(['open', 'open', 'open', 'paid', 'paid'])
    expect(await rail.payments()).toHaveLength(4)
  })

  describe('before it came', () => {
    const s1To = (to: string) => wrapOf({ content: paymentText(S1), to })

    test('is not taken, whatever the relays bring first', async () => {
      const rail = openRail()
      const invoice = await rail.invoice()
      await rail.deliver(voidOf(invoice.recipientPubkey))
      await rail.deliver(s1To(invoice.recipientPubkey))
      expect(await rail.payments()).toEqual([])
      expect(await rail.status(invoice)).toBe('open')
    })

    test('is known again after a restart: the void message is not marked as seen', async () => {
      const rail = openRail()
      const invoice = await rail.invoice()
      const taken = voidOf(invoice.recipientPubkey)
      await rail.deliver(taken)
      const next = startRail(rail)
      await next.deliver(taken)
      await next.deliver(s1To(invoice.recipientPubkey))
      expect(await rail.payments()).toEqual([])
    })

    test('while it is being accepted is taken back at once', async () => {
      const rail = openRail()
      const invoice = await rail.invoice()
      let sign = () => {}
      rail.wallet.gate = new Promise((resolve) => {
        sign = resolve
      })
      const accepted = rail.deliver(s1To(invoice.recipientPubkey))
      for (let turn = 0; turn < 20; turn += 1) await settled()
      const voided = rail.deliver(voidOf(invoice.recipientPubkey))
      for (let turn = 0; turn < 20; turn += 1) await settled()
      sign()
      await Promise.all([accepted, voided])
      expect((await rail.store.paymentById(SLATE_ID))?.settlement).toBe('abandoned')
      expect(await rail.status(invoice)).toBe('open')
    })

    test('by another key changes nothing', async () => {
      const rail = openRail()
      const invoice = await rail.invoice()
      await rail.deliver(voidOf(invoice.recipientPubkey, { from: BEN }))
      await rail.deliver(s1To(invoice.recipientPubkey))
      expect(await rail.status(invoice)).toBe('paid')
    })
  })

  test('by anybody else is nothing', async () => {
    const rail = await replied()
    await rail.deliver(voidOf(rail.to, { from: BEN }))
    expect(await rail.settlement()).toBe('replied')
    expect(await rail.status(rail.invoice)).toBe('paid')
  })

  test('is nothing once its kernel was seen', async () => {
    const rail = await replied()
    await rail.store.recordSighting(
      { paymentId: SLATE_ID, settlement: 'seen', minedHeight: null, confirmations: 0, nextCheckAt: null },
      1,
    )
    await rail.deliver(voidOf(rail.to))
    expect(await rail.settlement()).toBe('seen')
  })

  test('and sends all the same pays the invoice after all', async () => {
    const rail = await replied()
    await rail.deliver(voidOf(rail.to))
    const payment = await rail.store.paymentById(SLATE_ID)
    if (payment) rail.chain.mine(payment, rail.chain.height)
    await rail.wait(30 * SECOND)
    await rail.till.passes.confirm()
    expect(await rail.status(rail.invoice)).toBe('paid')
    expect((await rail.till.status()).alarms).toEqual([])
  })

  test('and comes after another one has paid raises an alarm', async () => {
    const rail = await replied()
    await rail.deliver(voidOf(rail.to))
    const second = aSlateId()
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ id: second })), to: rail.to }))
    const payment = await rail.store.paymentById(SLATE_ID)
    if (payment) rail.chain.mine(payment, rail.chain.height)
    for (let pass = 0; pass < 2; pass += 1) {
      await rail.wait(30 * SECOND)
      await rail.till.passes.confirm()
      expect((await rail.till.status()).alarms).toEqual([
        expect.stringContaining(`payment ${second} had paid the same invoice`),
      ])
    }
    expect((await rail.till.findInvoice(rail.invoice.id))?.paymentId).toBe(second)
    expect(rail.log.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('and comes after the invoice was cancelled raises an alarm', async () => {
    const rail = await replied()
    await rail.deliver(voidOf(rail.to))
    await rail.till.cancelInvoice(rail.invoice.id)
    const payment = await rail.store.paymentById(SLATE_ID)
    if (payment) rail.chain.mine(payment, rail.chain.height)
    await rail.wait(30 * SECOND)
    await rail.till.passes.confirm()
    expect(await rail.status(rail.invoice)).toBe('cancelled')
    expect((await rail.till.status()).alarms).toEqual([expect.stringContaining('was cancelled')])
  })

  test('cannot be used to wait for a better price: the dearer invoice stays open, and no event names it', async () => {
    const fiat = { amountNanogrin: undefined, amountFiat: '10.00', currency: 'usd', expirySecs: 86_400 }
    const rail = openRail()
    const invoice = await rail.invoice(fiat)
    const to = invoice.recipientPubkey
    await rail.deliver(wrapOf({ content: paymentText(aSlate({ id: SLATE_ID, amount: invoice.amount })), to }))
    await rail.deliver(voidOf(to))
    await rail.wait(20 * MINUTE)
    rail.rates.set('usd', '0.01')
    expect((await rail.till.requote(invoice.token)).amount).toBe(grin(1000))
    const payment = await rail.store.paymentById(SLATE_ID)
    if (payment) rail.chain.mine(payment, rail.chain.height - 20)
    await rail.wait(30 * SECOND)
    await rail.till.passes.confirm()
    expect(await rail.till.findInvoice(invoice.id)).toMatchObject({ status: 'open', paymentId: null })
    expect((await rail.till.status()).alarms).toEqual([expect.stringContaining('500 GRIN instead of 1000')])
    await rail.till.passes.deliver()
    const last = rail.shop.sent.map(({ body }) => JSON.parse(body)).at(-1)
    expect(last).toMatchObject({ event_type: 'payment.confirmed', invoice_id: null, order_ref: null })
  })
})

test('a recorded S1 of grin-wallet comes out as a plain S2 in a letter', async () => {
  const [run] = vectors('wallet/run_standard.json').runs
  const keychain = walletOf(run.receiver_mnemonic)
  const wallet = createWallet({
    keychain,
    prefix: 'grin',
    prove,
    verify,
    random: countingRandom(),
    clock: { now: () => 0 },
  })
  const opened = openRail({ parts: { wallet } })
  const rail = startRail(opened, { wallet })
  const slate = decodeSlate(bytes(run.s1.bin))
  const { invoice } = await opened.till.createInvoice({ amountNanogrin: slate.amount })
  const content = `hello shop,\n${armorSlate(slate, { prefix: 'grin' })}`
  await rail.deliver(wrapOf({ content, to: invoice.recipientPubkey, version: 3 }))
  const [payment] = await opened.payments()
  const reply = replyContent('plain', { armor: payment?.reply ?? '', slateId: slate.id })
  const message = readMessage({ kind: 14, tags: [], content: reply })
  if (message.kind !== 'slatepack') throw new Error('the reply holds no slatepack')
  expect((await readSlatepack(message.armor, { prefix: 'grin' })).slate).toMatchObject({ id: slate.id, state: 'S2' })
})

test('a stop waits for what runs and starts nothing more', async () => {
  const rail = openRail()
  const invoice = await rail.invoice()
  let open = () => {}
  rail.wallet.gate = new Promise((resolve) => (open = resolve))
  rail.inbox.offer(wrapOf({ content: paymentText(S1), to: invoice.recipientPubkey }), RELAY)
  rail.ingest.kick()
  for (let i = 0; i < 5; i += 1) await settled()
  let closed = false
  const closing = rail.ingest.close().then(() => (closed = true))
  await settled()
  expect(closed).toBe(false)
  open()
  await closing
  expect(await rail.payments()).toHaveLength(1)
  expect(rail.clock.sleepers()).toBe(0)
})
