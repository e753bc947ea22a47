import { describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { createInbox, INBOX_LIMITS, type InboxLimits } from '../../../src/till/nostr/inbox.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { freshHex } from '../../support/till-builders.js'

const RELAY = 'wss://relay.example'

const wrapTo = (receiver: string, over: Partial<NostrEvent> = {}): NostrEvent => ({
  id: freshHex(64),
  pubkey: freshHex(64),
  created_at: 1_780_000_000,
  kind: 1059,
  tags: [['p', receiver]],
  content: 'sealed',
  sig: freshHex(128),
  ...over,
})

function inboxWith(limits: Partial<InboxLimits> = {}) {
  const clock = createFakeClock()
  const inbox = createInbox(clock, { ...INBOX_LIMITS, ...limits })
  /** Whose turn it is, as long as there are turns. */
  const drain = () => {
    const receivers: string[] = []
    for (let mail = inbox.next(); mail; mail = inbox.next()) {
      receivers.push(mail.receiver)
      inbox.done(mail, { spent: true, final: true })
    }
    return receivers
  }
  const flood = (receiver: string, count: number, over: Partial<NostrEvent> = {}) => {
    for (let i = 0; i < count; i += 1) inbox.offer(wrapTo(receiver, over), RELAY)
  }
  return { inbox, clock, drain, flood }
}

const [ANNA, BEN, CARL] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const

describe('turns', () => {
  test('go round the keys, however many each has', () => {
    const { drain, flood } = inboxWith()
    flood(ANNA, 4)
    flood(BEN, 1)
    flood(CARL, 2)
    expect(drain()).toEqual([ANNA, BEN, CARL, ANNA, CARL, ANNA, ANNA])
  })

  test('a key that was quiet comes before a hundred that were not', async () => {
    const { inbox, drain, flood, clock } = inboxWith()
    const noisy = Array.from({ length: 100 }, () => freshHex(64))
    for (const receiver of noisy) flood(receiver, 30)
    drain()
    await clock.advance(5000)
    inbox.offer(wrapTo(BEN), RELAY)
    expect(inbox.next()?.receiver).toBe(BEN)
    expect(drain()).toHaveLength(1000)
  })

  test('a key is unwrapped 20 times at once and then twice a second', async () => {
    const { inbox, drain, flood, clock } = inboxWith()
    flood(ANNA, 40)
    expect(drain()).toHaveLength(20)
    expect(inbox.waitMs()).toBe(500)
    await clock.advance(499)
    expect(drain()).toHaveLength(0)
    await clock.advance(1)
    expect(drain()).toHaveLength(1)
    await clock.advance(60_000)
    expect(drain()).toHaveLength(19)
    expect(inbox.waitMs()).toBeUndefined()
  })

  test('no key is served more than 120 times a minute, however long it waits in between', async () => {
    const { drain, flood, clock } = inboxWith()
    let served = 0
    for (let second = 0; second < 600; second += 1) {
      flood(ANNA, 10)
      served += drain().length
      await clock.advance(1000)
    }
    expect(served).toBe(20 + 2 * 599)
  })

  test('10 000 junk wraps a minute to one key cost another key nothing', async () => {
    const { inbox, drain, flood, clock } = inboxWith()
    let opened = 0
    for (let tenth = 0; tenth < 600; tenth += 1) {
      flood(ANNA, 17)
      if (tenth === 300) {
        opened += drain().length
        inbox.offer(wrapTo(BEN), RELAY)
        expect(drain()).toEqual([BEN])
      }
      opened += drain().length
      await clock.advance(100)
    }
    expect(opened).toBeLessThanOrEqual(140)
    expect(inbox.state()).toMatchObject({ waiting: 64, keys: 1 })
  })
})

describe('copies', () => {
  test('of a wrap that waits, is under way or is finished cost nothing', () => {
    const { inbox, drain } = inboxWith()
    const wrap = wrapTo(ANNA)
    inbox.offer(wrap, RELAY)
    inbox.offer(wrap, 'wss://other.example')
    const mail = inbox.next()
    inbox.offer(wrap, RELAY)
    if (mail) inbox.done(mail, { spent: true, final: true })
    inbox.offer(wrap, RELAY)
    expect(drain()).toEqual([])
  })

  test('of one that could not be finished come again', () => {
    const { inbox, drain } = inboxWith()
    const wrap = wrapTo(ANNA)
    inbox.offer(wrap, RELAY)
    const mail = inbox.next()
    if (mail) inbox.done(mail, { spent: true, final: false })
    inbox.offer(wrap, RELAY)
    expect(drain()).toEqual([ANNA])
  })

  test('with another signature do not shadow the genuine one', () => {
    const { inbox, drain } = inboxWith()
    const wrap = wrapTo(ANNA)
    inbox.offer({ ...wrap, sig: '0'.repeat(128) }, RELAY)
    inbox.offer(wrap, RELAY)
    expect(drain()).toHaveLength(2)
  })

  test('are remembered for the last ones only', () => {
    const { inbox, drain } = inboxWith({ remembered: 2 })
    const wraps = [wrapTo(ANNA), wrapTo(BEN), wrapTo(CARL)]
    for (const wrap of wraps) inbox.offer(wrap, RELAY)
    drain()
    for (const wrap of wraps) inbox.offer(wrap, RELAY)
    expect(drain()).toEqual([ANNA])
  })
})

describe('room', () => {
  test('a full queue drops what comes, without holding up the relay, and the key is fetched again once it is empty', async () => {
    const { inbox, drain, flood, clock } = inboxWith({ perKey: 30 })
    flood(ANNA, 30)
    expect(inbox.offer(wrapTo(ANNA), RELAY)).toBe(true)
    expect(inbox.state()).toMatchObject({ waiting: 30, dropped: 1 })
    expect(inbox.takeDropped()).toEqual([])
    drain()
    await clock.advance(10_000)
    drain()
    expect(inbox.takeDropped()).toEqual([ANNA])
    expect(inbox.takeDropped()).toEqual([])
  })

  test('a key that stays flooded is fetched three times a minute', async () => {
    const { inbox, drain, flood, clock } = inboxWith({ perKey: 1 })
    const round = () => {
      flood(ANNA, 2)
      drain()
      return inbox.takeDropped()
    }
    expect([round(), round(), round(), round()]).toEqual([[ANNA], [ANNA], [ANNA], []])
    await clock.advance(59_000)
    expect(round()).toEqual([])
    await clock.advance(1000)
    expect(inbox.takeDropped()).toEqual([ANNA])
  })

  test('when all is full, who holds most makes room for who holds less', () => {
    const content = 'x'.repeat(9 * 1024)
    const { inbox, drain, flood } = inboxWith({ bytes: 100 * 1024 })
    flood(ANNA, 10, { content })
    expect(inbox.state()).toMatchObject({ waiting: 10, bytes: 100 * 1024 })
    expect(inbox.offer(wrapTo(BEN, { content }), RELAY)).toBe(true)
    expect(inbox.state()).toMatchObject({ waiting: 10, dropped: 1 })
    expect(inbox.offer(wrapTo(ANNA, { content }), RELAY)).toBe(true)
    expect(drain()).toEqual([ANNA, BEN, ...Array(8).fill(ANNA)])
    expect(inbox.takeDropped()).toEqual([ANNA])
    expect(inbox.state()).toMatchObject({ waiting: 0, bytes: 0, keys: 0 })
  })

  test('a relay has to wait only when everybody holds as little', () => {
    const content = 'x'.repeat(9 * 1024)
    const { inbox } = inboxWith({ bytes: 20 * 1024 })
    expect(inbox.offer(wrapTo(ANNA, { content }), RELAY)).toBe(true)
    expect(inbox.offer(wrapTo(BEN, { content }), RELAY)).toBe(true)
    expect(inbox.offer(wrapTo(CARL, { content }), RELAY)).toBe(false)
    expect(inbox.takeDropped()).toEqual([])
    inbox.next()
    expect(inbox.offer(wrapTo(CARL, { content }), RELAY)).toBe(true)
  })

  test('what is too large to be opened, or names no recipient, is not kept', () => {
    const { inbox } = inboxWith()
    expect(inbox.offer(wrapTo(ANNA, { content: 'x'.repeat(65_537) }), RELAY)).toBe(true)
    expect(inbox.offer(wrapTo(ANNA, { tags: [] }), RELAY)).toBe(true)
    expect(inbox.state()).toMatchObject({ waiting: 0, bytes: 0 })
    expect(inbox.offer(wrapTo(ANNA, { content: 'x'.repeat(65_536) }), RELAY)).toBe(true)
    expect(inbox.state()).toMatchObject({ waiting: 1 })
  })
})

test('a forged wrap gives its key the token back', () => {
  const { inbox, flood } = inboxWith()
  flood(ANNA, 60)
  let served = 0
  for (let mail = inbox.next(); mail; mail = inbox.next()) {
    inbox.done(mail, { spent: false, final: false })
    served += 1
  }
  expect(served).toBe(60)
})
