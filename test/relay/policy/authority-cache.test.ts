// How often, and how patiently, the name authority is asked.
import { describe, expect, test } from 'vitest'
import { createAuthorityCache } from '../../../src/relay/policy/authority-cache.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createKeptLog } from '../../support/kept-log.js'

function asking(
  answer: (key: string, signal: AbortSignal) => Promise<unknown>,
  holdSeconds = 60,
  denialSeconds = holdSeconds,
) {
  const clock = createFakeClock()
  const log = createKeptLog()
  const asked: string[] = []
  const { of: verdictOf, forget } = createAuthorityCache({
    ask: (key, signal) => {
      asked.push(key)
      return answer(key, signal)
    },
    clock,
    log,
    holdSeconds,
    denialSeconds,
    about: 'paid',
  })
  return { verdictOf, forget, asked, clock, log }
}

const never = () => new Promise<never>(() => undefined)
const failing = async () => Promise.reject(new Error('connection refused'))

describe('a verdict', () => {
  test.each([true, false])('%s counts for a minute', async (paid) => {
    const { verdictOf, asked, clock } = asking(async () => paid)
    expect(await verdictOf('ada')).toBe(paid)
    await clock.advance(59_999)
    expect(await verdictOf('ada')).toBe(paid)
    expect(asked).toEqual(['ada'])
    await clock.advance(1)
    await verdictOf('ada')
    expect(asked).toEqual(['ada', 'ada'])
  })

  test('is about one key', async () => {
    const { verdictOf } = asking(async (key) => key === 'ada')
    expect([await verdictOf('ada'), await verdictOf('bob')]).toEqual([true, false])
  })

  test('is not believed after the clock was set back', async () => {
    const { verdictOf, asked, clock } = asking(async () => true)
    await verdictOf('ada')
    await clock.advance(-1)
    await verdictOf('ada')
    expect(asked.length).toBe(2)
  })

  test('that does not count at all is asked for every time', async () => {
    const { verdictOf, asked } = asking(async () => true, 0)
    for (let n = 0; n < 3; n++) expect(await verdictOf('ada')).toBe(true)
    expect(asked.length).toBe(3)
  })
})

describe('a no', () => {
  test.each([
    [60, 5, 5],
    [2, 5, 2],
  ])('counts for less than a yes (%i s, at most %i s)', async (hold, denial, counts) => {
    const { verdictOf, asked, clock } = asking(async () => false, hold, denial)
    expect(await verdictOf('ada')).toBe(false)
    await clock.advance(counts * 1000 - 1)
    await verdictOf('ada')
    expect(asked.length).toBe(1)
    await clock.advance(1)
    await verdictOf('ada')
    expect(asked.length).toBe(2)
  })

  test('is forgotten on news, also while it is on its way', async () => {
    let has = false
    let arrive = () => {}
    let gate: Promise<void> = Promise.resolve()
    const { verdictOf, forget, asked } = asking(async () => {
      const answer = has
      await gate
      return answer
    })
    expect(await verdictOf('ada')).toBe(false)
    forget('ada')
    gate = new Promise((resolve) => {
      arrive = resolve
    })
    const late = verdictOf('ada')
    await settled()
    has = true
    forget('ada')
    gate = Promise.resolve()
    expect(await verdictOf('ada')).toBe(true)
    arrive()
    expect(await late).toBe(false) // as it was when it was asked
    expect(await verdictOf('ada')).toBe(true)
    expect(asked.length).toBe(3)
  })
})

describe('a failure', () => {
  test.each([
    ['no answer', failing],
    ['a text', async () => 'true'],
    ['a number', async () => 1],
    ['nothing', async () => undefined],
    [
      'a bug',
      () => {
        throw new TypeError('not a function')
      },
    ],
  ])('%s is no verdict', async (_what, answer) => {
    expect(await asking(answer).verdictOf('ada')).toBe('unavailable')
  })

  test.each([
    [60, 10],
    [4, 4],
  ])('counts for 10 s, or as long as verdicts do (%i s)', async (hold, counts) => {
    const { verdictOf, asked, clock } = asking(failing, hold)
    await verdictOf('ada')
    await clock.advance(counts * 1000 - 1)
    await verdictOf('ada')
    expect(asked.length).toBe(1)
    await clock.advance(1)
    await verdictOf('ada')
    expect(asked.length).toBe(2)
  })

  test('is what three seconds of silence are, and ends the asking', async () => {
    const signals: AbortSignal[] = []
    const { verdictOf, clock } = asking((_key, signal) => {
      signals.push(signal)
      return never()
    })
    const verdict = verdictOf('ada')
    await clock.advance(2999)
    expect(signals[0]?.aborted).toBe(false)
    await clock.advance(1)
    expect(await verdict).toBe('unavailable')
    expect(signals[0]?.aborted).toBe(true)
    expect(clock.sleepers()).toBe(0)
  })

  test('is logged once, and once that it is over', async () => {
    let isOut = true
    const { verdictOf, log } = asking(async () => (isOut ? failing() : true))
    for (const key of ['a', 'b', 'c']) await verdictOf(key)
    isOut = false
    for (const key of ['d', 'e']) await verdictOf(key)
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(log.lines[0]?.fields).toEqual({ about: 'paid', cause: 'connection refused' })
  })
})

describe('bounds', () => {
  test('one request per key is under way', async () => {
    const { verdictOf, asked } = asking(async () => true)
    expect(await Promise.all(Array.from({ length: 100 }, () => verdictOf('ada')))).toEqual(Array(100).fill(true))
    expect(asked).toEqual(['ada'])
  })

  test('256 requests are under way; more keys get no verdict, and that is not remembered', async () => {
    const { verdictOf, asked, clock } = asking(never)
    const verdicts = Array.from({ length: 300 }, (_, n) => verdictOf(`key ${n}`))
    await settled()
    expect(asked.length).toBe(256)
    expect(await verdicts[299]).toBe('unavailable')
    await clock.advance(3000)
    await Promise.all(verdicts)
    void verdictOf('key 299')
    expect(asked.length).toBe(257)
    await clock.advance(3000)
  })

  test('10,000 keys are remembered; the oldest goes first', async () => {
    const { verdictOf, asked } = asking(async () => true)
    for (let n = 0; n <= 10_000; n++) await verdictOf(`key ${n}`)
    await verdictOf('key 1')
    expect(asked.length).toBe(10_001)
    await verdictOf('key 0')
    expect(asked.length).toBe(10_002)
  })
})
