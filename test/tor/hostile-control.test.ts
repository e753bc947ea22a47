// Whatever a control port answers, the keeper outlives it and never says more than it should.
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type SystemClock, systemClock } from '../../src/system/index.js'
import { startFakeTor } from '../support/fake-tor.js'
import { ADDRESS, keeperOf } from '../support/onion-keeper.js'

/** Deadlines are short, looks are frequent, pauses next to nothing; times of the day are real. */
const LENGTHS: Readonly<Record<number, number>> = { 10000: 100, 30000: 20 }
const shortClock: SystemClock = {
  now: systemClock.now,
  monotonic: systemClock.monotonic,
  sleep: (ms, signal) => systemClock.sleep(LENGTHS[ms] ?? 1, signal),
}

const answer = fc.oneof(
  fc.constantFrom(
    null,
    '250 OK',
    '250 OK\r\n250 OK',
    '250-and nothing more',
    '250+block\r\nwithout end',
    '250-onions/current=\r\n250 OK',
    '250-ServiceID=abc\r\n250 OK',
    '250-AUTH METHODS=NULL\r\n250 OK',
    `250-AUTH METHODS=SAFECOOKIE COOKIEFILE="/dev/zero"\r\n250 OK`,
    `250 AUTHCHALLENGE SERVERHASH=${'00'.repeat(32)} SERVERNONCE=${'00'.repeat(32)}`,
    '250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=999 SUMMARY="\r\n250 OK',
    `650 HS_DESC FAILED ${ADDRESS.onion} "\r\n250 OK`,
    `650 HS_DESC\r\n650 STATUS_CLIENT\r\n650 \r\n250 OK`,
    '550 Onion address collision',
    '551 no',
    'x'.repeat(20_000),
  ),
  fc.string({ unit: 'binary', maxLength: 100 }),
)

test('after any answers a sane tor gets the service', async () => {
  const tor = await startFakeTor()
  onTestFinished(tor.close)
  const { keeper, printed } = keeperOf({ clock: shortClock, control: { endpoint: tor.endpoint } })
  onTestFinished(keeper.stop)
  keeper.start()
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 8 }), fc.nat(3), async (answers, sane) => {
      let at = -sane
      tor.misbehave(() => (at < 0 ? void at++ : answers[at++]))
      tor.cut()
      const commandCount = tor.commands.length
      await expect.poll(() => at, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
      tor.misbehave(undefined)
      tor.cut()
      await expect.poll(() => tor.services.has(ADDRESS.onion), { timeout: 20_000, interval: 5 }).toBe(true)
      expect(tor.commands.length).toBeGreaterThan(commandCount)
    }),
    { numRuns: 40 },
  )
  const keys = tor.commands.flatMap((command) => /ED25519-V3:(\S{88})/.exec(command)?.[1] ?? [])
  expect(keys.length).toBeGreaterThan(0)
  expect(printed().join('\n')).not.toContain(keys[0]?.slice(0, 16))
}, 120_000)
