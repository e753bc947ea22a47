// Back-off and pacing, with time that a test moves.
import { expect, test } from 'vitest'
import type { RelayClient } from '../../../src/nostr/relays/client.js'
import { createLink, withJitter } from '../../../src/nostr/relays/link.js'
import { createOutageLog } from '../../../src/nostr/relays/outage-log.js'
import { createThrottle } from '../../../src/nostr/relays/waiters.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { fakeClient } from './fake-client.js'

const UNLUCKY = { bytes: (length: number) => new Uint8Array(length).fill(255) }

function aLink(answers: (attempt: number) => RelayClient | Error, notBefore = () => 0) {
  const clock = createFakeClock(0)
  const attempts: number[] = []
  const downs: string[] = []
  let end: (reason: string) => void = () => undefined
  const link = createLink({
    clock,
    random: UNLUCKY,
    notBefore,
    open: async (_, onClosed) => {
      end = onClosed
      attempts.push(clock.now())
      const answer = answers(attempts.length)
      if (answer instanceof Error) throw answer
      return answer
    },
    onUp: () => undefined,
    onDown: (reason) => downs.push(reason),
  })
  link.start()
  /** Moves time second by second. */
  const pass = async (seconds: number) => {
    await settled()
    for (let n = 0; n < seconds; n++) await clock.advance(1000)
  }
  return { link, attempts, downs, pass, end: (reason: string) => end(reason) }
}

test('one second, doubling to a minute', async () => {
  const { attempts, pass, downs } = aLink(() => new Error('refused'))
  await pass(250)
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243].map((second) => second * 1000))
  expect(new Set(downs)).toEqual(new Set(['refused']))
})

test('the jitter takes up to half of the wait', () => {
  const bytes = (value: number) => ({ bytes: () => new Uint8Array([value]) })
  expect([0, 128, 255].map((value) => withJitter(1000, bytes(value)))).toEqual([500, 751, 1000])
})

test('a minute of health resets the wait, a shorter life does not', async () => {
  const { attempts, pass, end } = aLink((attempt) => (attempt <= 5 ? new Error('no') : fakeClient().client))
  await pass(31)
  expect(attempts.length).toBe(6)
  end('short')
  await pass(31)
  expect(attempts.length).toBe(6)
  await pass(1)
  expect(attempts.length).toBe(7)
  await pass(60)
  end('long')
  await pass(1)
  expect(attempts.length).toBe(8)
})

test('a relay that is shunned is not tried before its time', async () => {
  const { attempts, pass } = aLink(
    () => new Error('no'),
    () => 100_000,
  )
  await pass(99)
  expect(attempts).toEqual([])
  await pass(1)
  expect(attempts).toEqual([100_000])
})

test('closing ends everything', async () => {
  const { link, attempts, downs, pass } = aLink(() => fakeClient().client)
  await settled()
  link.close()
  await pass(100)
  expect([attempts.length, downs, link.client()]).toEqual([1, [], undefined])
})

test('a thing is done at once, and then once per pause for all who ask', async () => {
  const clock = createFakeClock()
  const done: number[] = []
  const start = clock.now()
  const { trigger } = createThrottle({
    clock,
    signal: new AbortController().signal,
    pauseMs: 200,
    run: () => done.push(clock.now() - start),
  })
  trigger()
  trigger()
  await clock.advance(100)
  trigger()
  await clock.advance(100)
  await clock.advance(150)
  trigger()
  await clock.advance(50)
  await clock.advance(1000)
  trigger()
  expect(done).toEqual([0, 200, 400, 1400])
  expect(clock.sleepers()).toBe(0)
})

test('one line when a relay is lost and one when it is back, however often it fails', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const write = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`)
  const outages = createOutageLog('wss://r', clock, { info: write, warn: write, error: write })
  outages.up()
  for (let n = 0; n < 50; n++) {
    outages.down('ECONNRESET')
    await clock.advance(1000)
  }
  for (let n = 0; n < 3; n++) {
    outages.up()
    await clock.advance(5000)
    outages.tick()
    outages.down('flapping')
  }
  outages.up()
  await clock.advance(60_000)
  outages.tick()
  outages.tick()
  expect(lines).toEqual([
    'relay connected {"relay":"wss://r"}',
    'relay lost, connecting again {"relay":"wss://r","reason":"ECONNRESET"}',
    'relay is back {"relay":"wss://r","failures":50,"awaySeconds":50}',
    'relay is steady again {"relay":"wss://r","losses":3}',
  ])
})
