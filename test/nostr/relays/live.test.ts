import { expect, test } from 'vitest'
import { createLive } from '../../../src/nostr/relays/live.js'
import { createWatchPlan } from '../../../src/nostr/relays/watch-plan.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { anyPubkey } from '../../support/relay-pool.js'
import { fakeClient } from './fake-client.js'

const MAIN = 'f'.repeat(64)

function aLive() {
  const clock = createFakeClock()
  const { client, ...relay } = fakeClient()
  const plan = createWatchPlan(MAIN)
  const restricted: string[] = []
  const refused: string[] = []
  const live = createLive({
    client,
    clock,
    groups: () => plan.groups(0),
    revision: plan.revision,
    onEvent: () => true,
    onServed: () => undefined,
    onRestricted: ({ sub }) => restricted.push(sub),
    onRefused: (text) => refused.push(text),
  })
  return { ...relay, clock, plan, live, restricted, refused, subs: () => relay.asked.map(({ sub }) => sub) }
}

test('only what changed is written again, and an empty group is closed', () => {
  const { plan, live, subs, open } = aLive()
  plan.add([MAIN, anyPubkey(1)])
  live.flush()
  live.flush()
  plan.add([anyPubkey(2)])
  live.flush()
  expect(subs()).toEqual(['till-0', 'till-1', 'till-1'])
  plan.remove([anyPubkey(1), anyPubkey(2)])
  plan.sweep()
  live.flush()
  expect([...open.keys()]).toEqual(['till-0'])
})

test('the filters: kind, keys, three days, one stored event', () => {
  const { plan, live, last, clock } = aLive()
  plan.add(Array.from({ length: 700 }, (_, n) => anyPubkey(n)))
  live.flush()
  const filters = last()?.filters ?? []
  expect(filters.map((filter) => (filter['#p'] as string[]).length)).toEqual([300, 300, 100])
  expect(filters[2]).toMatchObject({ kinds: [1059], since: Math.floor(clock.now() / 1000) - 259_200, limit: 1 })
})

test('a key counts as announced when its REQ was written', () => {
  const { plan, live } = aLive()
  plan.add([anyPubkey(1)])
  expect(live.revision()).toBe(0)
  live.flush()
  expect(live.revision()).toBe(1)
})

test('a relay that does not keep up gets three REQs ahead, and the rest in one', () => {
  const { plan, live, asked, last } = aLive()
  for (let n = 0; n < 10; n++) {
    plan.add([anyPubkey(n)])
    live.flush()
  }
  expect([asked.length, live.revision()]).toEqual([3, 3])
  last()?.listener.eose()
  expect([asked.length, live.revision()]).toEqual([4, 10])
})

test('a slow one gets one at a time', async () => {
  const { plan, live, asked, last, clock } = aLive()
  const add = (n: number) => {
    plan.add([anyPubkey(n)])
    live.flush()
  }
  add(0)
  await clock.advance(1500)
  last()?.listener.eose()
  for (let n = 1; n < 5; n++) add(n)
  expect(asked.length).toBe(2)
})

test('one that says nothing at all gets the keys after ten seconds', async () => {
  const { plan, live, asked, clock } = aLive()
  for (let n = 0; n < 10; n++) {
    plan.add([anyPubkey(n)])
    live.flush()
  }
  await clock.advance(10_001)
  live.flush()
  expect([asked.length, live.revision()]).toEqual([4, 10])
})

test('subscribed means answered; what is never answered is asked again after a minute', async () => {
  const { plan, live, asked, last, clock } = aLive()
  plan.add([anyPubkey(1)])
  live.flush()
  expect(live.subscribed()).toBe(false)
  await clock.advance(60_001)
  live.flush()
  expect(asked.length).toBe(2)
  last()?.listener.eose()
  expect(live.subscribed()).toBe(true)
  await clock.advance(60_001)
  live.flush()
  expect(asked.length).toBe(2)
})

test('a subscription that the relay ends is opened again, later each time', async () => {
  const { plan, live, asked, last, clock, refused } = aLive()
  plan.add([anyPubkey(1)])
  const times: number[] = []
  live.flush()
  for (let seconds = 0; seconds < 60; seconds++) {
    if (asked.length > times.length) {
      times.push(seconds)
      last()?.listener.closed('rate-limited: slow down')
      expect(live.subscribed()).toBe(false)
    }
    await clock.advance(1000)
    live.flush()
  }
  expect(times).toEqual([0, 5, 15, 35])
  expect(refused.length).toBe(4)
})

test('what was answered and then ended is no subscription any more', () => {
  const { plan, live, last } = aLive()
  plan.add([anyPubkey(1)])
  live.flush()
  last()?.listener.eose()
  expect(live.subscribed()).toBe(true)
  last()?.listener.closed('error: shutting down')
  expect(live.subscribed()).toBe(false)
})

test('restricted although we are known: the operator has to decide', () => {
  const { plan, live, last, restricted, authenticate } = aLive()
  plan.add([anyPubkey(1)])
  live.flush()
  last()?.listener.closed('auth-required: who are you?')
  expect(restricted).toEqual([])
  authenticate()
  live.reset()
  last()?.listener.closed('restricted: not your mail')
  expect(restricted).toEqual(['till-1'])
})
