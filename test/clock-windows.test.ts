// Windows that count in memory use the monotonic clock: a wall clock that jumps opens and shuts none.
import { expect, test } from 'vitest'
import { createLimits } from '../src/http/rate-limit.js'
import {
  createFixedWindow,
  createMinuteLimit,
  createSlidingWindow,
  createTokenBuckets,
} from '../src/lib/rate-limiter.js'
import { limitedSocket } from '../src/nostr/relays/foreign.js'
import { createFrameQueue } from '../src/nostr/relays/frame-queue.js'
import { createStrikes } from '../src/nostr/relays/strikes.js'
import { createSubscriptions } from '../src/nostr/relays/subscriptions.js'
import { createThrottle } from '../src/nostr/relays/waiters.js'
import { createWrapIntake } from '../src/nostr/relays/wrap-intake.js'
import { createRetries } from '../src/till/nostr/retry.js'
import { createFakeClock, type FakeClock } from './support/fake-clock.js'
import { anyPubkey, wrapTo } from './support/relay-pool.js'
import { DAY, MINUTE, SECOND } from './support/till-builders.js'

/** Makes a window that is full, or a pause that has begun; answers whether it still is. Asking changes nothing that matters here. */
type Shut = (clock: FakeClock) => () => boolean

const WINDOWS: readonly (readonly [name: string, lastsMs: number, begin: Shut])[] = [
  [
    'messages of a sender, refusals to a payer',
    MINUTE,
    (clock) => {
      const quota = createSlidingWindow({ limit: 1, windowMs: MINUTE }, clock)
      quota.take('key')
      return () => !quota.take('key')
    },
  ],
  [
    'unwraps of a key',
    MINUTE,
    (clock) => {
      const buckets = createTokenBuckets({ perMinute: 1, burst: 1 }, clock)
      buckets.take('key')
      return () => buckets.waitMs('key') > 0
    },
  ],
  [
    'a message that is tried again',
    5 * SECOND,
    (clock) => {
      const retries = createRetries(clock)
      retries.add({ sender: 'a', bytes: 1, failures: 1, since: clock.monotonic() })
      return () => retries.waitMs() !== 0
    },
  ],
  [
    'calls of the Foreign API',
    MINUTE,
    (clock) => {
      const minute = createFixedWindow({ limit: 1, windowMs: MINUTE }, clock)
      minute.delayMs()
      return () => minute.delayMs() > 0
    },
  ],
  [
    'requests over HTTP, of a till',
    MINUTE,
    (clock) => {
      const { pages } = createLimits({ clock, addressOf: () => '192.0.2.1', enabled: true })
      const reply = { header: () => reply }
      const raw = { headers: {}, socket: {} }
      const isRefused = () => {
        let refusal: Error | undefined
        pages({ raw } as never, reply as never, (thrown) => {
          refusal = thrown
        })
        return refusal?.message === 'rate limited'
      }
      for (let at = 0; at < 120; at += 1) isRefused()
      return isRefused
    },
  ],
  [
    'requests over HTTP, of a name authority',
    MINUTE,
    (clock) => {
      const windows = createSlidingWindow({ limit: 1, windowMs: MINUTE }, clock)
      windows.delayMs('client')
      return () => windows.delayMs('client') > 0
    },
  ],
  [
    'challenges, notices and pings of a relay',
    MINUTE + 1,
    (clock) => {
      const isTooMany = createMinuteLimit(1, clock)
      isTooMany()
      return isTooMany
    },
  ],
  [
    'a relay that is left alone',
    10 * MINUTE,
    (clock) => {
      const strikes = createStrikes(clock)
      while (!strikes.add('silent'));
      // While it is shunned no further fault shuns it again.
      return () => !Array.from({ length: 5 }, () => strikes.add('silent')).some(Boolean)
    },
  ],
  [
    'a thing that is not done twice in a row',
    MINUTE,
    (clock) => {
      let runs = 0
      const pacer = createThrottle({
        clock,
        signal: new AbortController().signal,
        pauseMs: MINUTE,
        run: () => (runs += 1),
      })
      pacer.trigger()
      return () => {
        pacer.trigger()
        return runs === 1
      }
    },
  ],
  [
    'events under way of a subscription that ended',
    30 * SECOND,
    (clock) => {
      let faults = 0
      const subs = createSubscriptions({ clock, send: () => undefined, fault: () => void faults++ })
      subs.open('a', [], { event: () => true, eose: () => undefined, closed: () => undefined })
      subs.close('a')
      return () => {
        subs.eose('a')
        return faults === 0
      }
    },
  ],
  [
    'a copy of a message from another relay',
    2 * MINUTE,
    (clock) => {
      let passed = 0
      const to = anyPubkey(1)
      const wrap = wrapTo(to)
      const mail = createWrapIntake({
        clock,
        isWatched: (key) => key === to,
        isRetired: () => false,
        onWrap: () => ++passed > 0,
      })
      mail.deliver(wrap, 'wss://a')
      return () => {
        mail.deliver(wrap, 'wss://b')
        return passed === 1
      }
    },
  ],
  [
    'what a stranger’s relay may say in a minute',
    MINUTE + 1,
    (clock) => {
      let noise = 0
      let say: (frame: string) => void = () => undefined
      const open = limitedSocket({
        clock,
        onExcess: () => void noise++,
        openSocket: (_request, listener) => {
          say = listener.frame
          return new Promise(() => undefined)
        },
      })
      void open({} as never, { frame: () => true } as never)
      for (let at = 0; at < 1200; at += 1) say('[]')
      return () => {
        const before = noise
        say('[]')
        return noise > before
      }
    },
  ],
]

test.each(WINDOWS)('%s: a jump of the clock neither opens nor shuts it', async (_name, lastsMs, begin) => {
  const clock = createFakeClock()
  await clock.advance(MINUTE)
  const isShut = begin(clock)
  const later = createFakeClock()
  await later.advance(MINUTE)
  const isShutLater = begin(later)
  expect(isShut()).toBe(true)
  clock.jump(400 * DAY)
  expect(isShut(), 'ahead').toBe(true)
  clock.jump(-800 * DAY)
  expect(isShut(), 'back').toBe(true)
  later.jump(-400 * DAY)
  await later.advance(lastsMs)
  expect(isShutLater(), 'its time is over').toBe(false)
})

test('a connection is read on although the clock was set back', async () => {
  const clock = createFakeClock()
  let handled = 0
  const intake = createFrameQueue({
    clock,
    signal: new AbortController().signal,
    handle: () => ++handled > 0,
    pause: () => undefined,
    resume: () => undefined,
    failed: (thrown) => expect(thrown).toBeUndefined(),
  })
  intake.start()
  clock.jump(-DAY)
  for (let at = 0; at < 10; at += 1) intake.push('[]')
  await clock.advance(SECOND)
  await clock.advance(SECOND)
  expect(handled).toBe(10)
})
