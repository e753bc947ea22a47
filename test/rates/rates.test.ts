import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRates, type RatesParts, rateText } from '../../src/rates/index.js'
import { payVectors } from '../nostr/vectors.js'

/** A source that answers these one after another (the last for ever), and a clock to move by hand. */
function ratesOf(answers: readonly (() => Response | Promise<Response>)[], parts: Partial<RatesParts> = {}) {
  const asked: { url: string; headers: Headers }[] = []
  const time = { now: 1_000_000_000 }
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers) })
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    return answer ? answer() : new Response(null, { status: 500 })
  }
  const clock = { now: () => time.now, monotonic: () => time.now }
  const defaults = { sources: [{ kind: 'coingecko' } as const], currencies: ['usd', 'eur'], cacheTtl: 60, staleMax: 0 }
  const logged: string[] = []
  const log = { error: (_: object, text: string) => logged.push(text) }
  return { rates: createRates({ ...defaults, maxJump: 50, clock, log, fetch, ...parts }), asked, time, logged }
}

const prices = (json: string) => () => new Response(json)
const status = (code: number) => () => new Response('no', { status: code })
const GOOD = prices('{"grin":{"usd":0.02097549,"eur":0.018}}')

test('one question for all currencies, in the words of a browser', async () => {
  const { rates, asked } = ratesOf([GOOD])
  expect(await rates.rate('USD')).toMatchObject({ rate: '0.02097549', source: 'coingecko' })
  expect(await rates.rate('eur')).toMatchObject({ rate: '0.018', source: 'coingecko' })
  expect(asked.map(({ url }) => url)).toEqual([
    'https://api.coingecko.com/api/v3/simple/price?ids=grin&vs_currencies=usd%2Ceur',
  ])
  expect(asked[0]?.headers.get('user-agent')).toMatch(/^Mozilla\/5\.0 /)
})

test('questions at the same time share one answer', async () => {
  const { rates, asked } = ratesOf([GOOD])
  await Promise.all([rates.rate('usd'), rates.rate('eur'), rates.rate('usd')])
  expect(asked).toHaveLength(1)
})

test('a price is fresh for its time, the last millisecond included', async () => {
  const { rates, asked, time } = ratesOf([GOOD])
  await rates.rate('usd')
  time.now += 60_000
  await rates.rate('usd')
  expect(asked).toHaveLength(1)
  time.now += 1
  await rates.rate('usd')
  expect(asked).toHaveLength(2)
})

test('what is known is answered without asking, as long as it is fresh', async () => {
  const { rates, asked, time } = ratesOf([GOOD, status(500)], { staleMax: 300 })
  expect(await rates.known('usd')).toBeUndefined()
  await rates.rate('usd')
  time.now += 60_000
  expect(await rates.known('USD')).toMatchObject({ rate: '0.02097549', source: 'coingecko', at: time.now - 60_000 })
  time.now += 1
  expect(await rates.known('usd')).toBeUndefined()
  await rates.rate('usd')
  expect(await rates.known('usd')).toMatchObject({ rate: '0.02097549' })
  time.now += 300_000
  expect(await rates.known('usd')).toBeUndefined()
  expect(asked).toHaveLength(2)
})

test('fixed rates are always known', async () => {
  const { rates } = ratesOf([GOOD], { sources: [{ kind: 'fixed', rates: { usd: '0.5' } }] })
  expect(await rates.known('usd')).toMatchObject({ rate: '0.5', source: 'fixed' })
  expect(await rates.known('eur')).toBeUndefined()
})

test('a time of zero never caches', async () => {
  const { rates, asked } = ratesOf([GOOD], { cacheTtl: 0 })
  await rates.rate('usd')
  await rates.rate('usd')
  expect(asked).toHaveLength(2)
})

describe('an old price', () => {
  test('is used while the source fails, but only so long', async () => {
    const { rates, time } = ratesOf([GOOD, status(500)], { staleMax: 300 })
    await rates.rate('usd')
    time.now += 300_000
    expect((await rates.rate('usd')).rate).toBe('0.02097549')
    time.now += 1
    await expect(rates.rate('usd')).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE', status: 502 })
  })

  test('is never used when that is switched off', async () => {
    const { rates, time } = ratesOf([GOOD, status(500)])
    await rates.rate('usd')
    time.now += 60_001
    await expect(rates.rate('usd')).rejects.toThrow(/^HTTP 500$/)
  })

  test('is not taken for an answer that leaves this currency out', async () => {
    const { rates, time } = ratesOf([GOOD, prices('{"grin":{"eur":0.018}}')])
    await rates.rate('usd')
    time.now += 60_001
    await expect(rates.rate('usd')).rejects.toThrow('coingecko has no price in usd')
    expect((await rates.rate('eur')).rate).toBe('0.018')
  })
})

test.each([429, 403])(
  'after %i the source is left alone: 30 s, 60 s, … ten minutes, until it answers',
  async (code) => {
    const refusals = Array.from({ length: 7 }, () => status(code))
    const { rates, asked, time } = ratesOf([...refusals, GOOD, status(code), status(code)])
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      const before = asked.length
      await expect(rates.rate('usd')).rejects.toThrow(`coingecko answered HTTP ${code}`)
      time.now += seconds * 1000 - 1
      await expect(rates.rate('usd')).rejects.toThrow('coingecko asked us to wait; next try in 1 s')
      expect(asked.length).toBe(before + 1)
      time.now += 1
    }
    expect((await rates.rate('usd')).rate).toBe('0.02097549')
    time.now += 60_001
    await expect(rates.rate('usd')).rejects.toThrow('answered')
    time.now += 30_000
    await expect(rates.rate('usd')).rejects.toThrow('answered')
  },
)

test.each([
  ['zero', '{"grin":{"usd":0}}', 'has no price'],
  ['negative', '{"grin":{"usd":-0.02}}', 'has no price'],
  ['null', '{"grin":{"usd":null}}', 'has no price'],
  ['a word', '{"grin":{"usd":"NaN"}}', 'has no price'],
  ['too small to see', '{"grin":{"usd":1e-11}}', 'has no price'],
  ['absent', '{"grin":{}}', 'has no price'],
  ['an error document', '{"status":{"error_code":1}}', 'has no price'],
  ['not JSON', '<html>', 'not JSON'],
  ['NaN in the JSON', '{"grin":{"usd":NaN}}', 'not JSON'],
  ['no object', '7', 'has no price'],
  ['endless', ' '.repeat(70_000), 'far too long'],
])('a price that is %s is refused', async (_, json, why) => {
  await expect(ratesOf([prices(json)]).rates.rate('usd')).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE',
    message: expect.stringContaining(why),
  })
})

test('a redirect and a dead source are said in plain words', async () => {
  await expect(ratesOf([status(302)]).rates.rate('usd')).rejects.toThrow('HTTP 302')
  const dead = () =>
    Promise.reject(
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
    )
  await expect(ratesOf([dead]).rates.rate('usd')).rejects.toThrow(/^the host name does not exist$/)
})

test('a source that hangs is given up', async () => {
  const rates = createRates({
    sources: [{ kind: 'coingecko' }],
    currencies: ['usd'],
    cacheTtl: 60,
    ...{ staleMax: 0, maxJump: 50, log: { error() {} } },
    clock: { now: () => 0, monotonic: () => 0 },
    timeoutMs: 50,
    fetch: (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  await expect(rates.rate('usd')).rejects.toThrow('no answer within 0.05 s')
})

describe('other sources', () => {
  test('fixed rates need no network', async () => {
    const { rates, asked } = ratesOf([], { sources: [{ kind: 'fixed', rates: { usd: '0.0210', eur: '1' } }] })
    expect(await rates.rate('usd')).toMatchObject({ rate: '0.021', source: 'fixed' })
    expect(await rates.rate('eur')).toMatchObject({ rate: '1', source: 'fixed' })
    await expect(rates.rate('gbp')).rejects.toThrow('fixed has no price in gbp')
    expect(asked).toEqual([])
  })

  test('an address of the operator, flat or as coingecko has it', async () => {
    const url = 'https://prices.example/grin.json'
    const source = { kind: 'url', url } as const
    const { rates, asked } = ratesOf([prices('{"usd":"0.0300"}')], { sources: [source] })
    expect(await rates.rate('usd')).toMatchObject({ rate: '0.03', source: 'prices.example' })
    expect(asked[0]?.url).toBe(url)
    expect((await ratesOf([GOOD], { sources: [source] }).rates.rate('usd')).rate).toBe('0.02097549')
  })
})

describe('rate text', () => {
  test.each(payVectors('amounts').rate_string as [string, string][])('%s is %s', (number, text) => {
    expect(rateText(number)).toBe(text)
  })

  test.each([
    ['3.5e-7', '0.00000035'],
    ['2.1E+2', '210'],
    ['0.12345678905', '0.1234567891'],
    ['0.12345678904', '0.123456789'],
    ['9007199254740993', '9007199254740993'],
    ['0.00000000005', '0.0000000001'],
  ])('%s is %s', (number, text) => expect(rateText(number)).toBe(text))

  test.each(['', '0', '0.0', '-1', '1.', '.5', '0x10', 'Infinity', '1e999', '1 '])('"%s" is no rate', (number) =>
    expect(rateText(number)).toBeUndefined(),
  )

  test('any text gives undefined or a positive decimal with at most ten places and no trailing zero', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (number) => {
        expect(rateText(number) ?? '1').toMatch(/^(?!0$)(?:0|[1-9]\d*|0*\d+)(?:\.\d{0,9}[1-9])?$/)
      }),
    )
  })

  test('what is written with up to ten decimals is kept exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), (units) => {
        const digits = units.toString().padStart(11, '0')
        const text = `${digits.slice(0, -10)}.${digits.slice(-10)}`
        expect(rateText(text)).toBe(text.replace(/\.?0+$/, ''))
      }),
    )
  })
})

test('whatever a source answers, only RATE_UNAVAILABLE is thrown, and a rate is a positive decimal', async () => {
  const price = fc.oneof(fc.anything(), fc.double(), fc.string(), fc.constantFrom('1e999', '-1', '0x1', '__proto__'))
  const answers = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom('usd', 'eur', 'grin', '__proto__'), price)
      .map((document) => `{"grin":${json(document)}}`),
  )
  await fc.assert(
    fc.asyncProperty(answers, async (text) => {
      const { rates } = ratesOf([prices(text)])
      const outcome = await rates.rate('usd').catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'RATE_UNAVAILABLE' })
      else expect(outcome).toMatchObject({ rate: expect.stringMatching(/^(?!0(\.0*)?$)\d+(\.\d{1,10})?$/) })
    }),
  )
})

const json = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null'

describe('several sources', () => {
  const both = { sources: [{ kind: 'coingecko' }, { kind: 'coinpaprika' }] } as const
  const PAPRIKA = prices('{"id":"grin-grin","quotes":{"USD":{"price":0.0212,"volume_24h":1},"EUR":{"price":0.019}}}')

  test('the second answers while the first is down, and is asked first for a minute', async () => {
    const { rates, asked, time } = ratesOf([status(500), PAPRIKA, PAPRIKA, GOOD], { ...both, cacheTtl: 10 })
    expect(await rates.rate('usd')).toMatchObject({ rate: '0.0212', source: 'coinpaprika' })
    time.now += 11_000
    expect(await rates.rate('eur')).toMatchObject({ rate: '0.019', source: 'coinpaprika' })
    expect(asked.map(({ url }) => new URL(url).host)).toEqual([
      'api.coingecko.com',
      'api.coinpaprika.com',
      'api.coinpaprika.com',
    ])
    expect(asked[1]?.url).toBe('https://api.coinpaprika.com/v1/tickers/grin-grin?quotes=USD%2CEUR')
    time.now += 60_000
    await rates.rate('usd') // the first answers too, but nobody waits for it
    time.now += 11_000
    expect(await rates.rate('usd')).toMatchObject({ source: 'coingecko' })
  })

  /** Two sources that answer once and hang from then on, until the question is given up. */
  function thatHang(parts: Partial<RatesParts>) {
    let hangs = false
    const waits: number[] = []
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
      if (!hangs) return Promise.resolve(GOOD())
      const from = Date.now()
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => {
          waits.push(Date.now() - from)
          reject(new Error('aborted'))
        }),
      )
    }
    const hang = (now: boolean): void => {
      hangs = now
    }
    const sources = [{ kind: 'coingecko' }, { kind: 'url', url: 'https://rates.example/grin' }] as const
    const opened = ratesOf([], { sources, fetch, ...parts })
    return { ...opened, waits, hang }
  }

  test('once all of them have hung, an allowed old price comes at once, until one answers again', async () => {
    const { rates, time, waits, hang } = thatHang({ staleMax: 900, timeoutMs: 40 })
    await rates.rate('usd')
    time.now += 61_000
    hang(true)
    await rates.rate('usd')
    expect(waits).toHaveLength(2)
    expect(await rates.rate('usd')).toMatchObject({ rate: '0.02097549' })
    expect(await rates.rate('usd')).toMatchObject({ rate: '0.02097549' })
    expect(waits).toHaveLength(2)
    await expect.poll(() => waits.length).toBe(4)
    hang(false)
    await rates.rate('usd') // its question beside it brings a fresh one
    await expect.poll(async () => (await rates.rate('usd')).at).toBe(time.now)
  })

  test('two that hang are given up within ten seconds together', { timeout: 20_000 }, async () => {
    const { rates, waits, hang } = thatHang({})
    hang(true)
    const from = Date.now()
    await expect(rates.rate('usd')).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' })
    expect(Date.now() - from).toBeLessThan(13_000)
    expect(waits).toHaveLength(2)
  })

  test('with all of them down the youngest price stands in with its age, then each says why', async () => {
    const { rates, time } = ratesOf([GOOD, status(500)], { ...both, staleMax: 900 })
    const asked = time.now
    await rates.rate('usd')
    time.now += 900_000
    expect(await rates.rate('usd')).toEqual({ rate: '0.02097549', source: 'coingecko', at: asked })
    time.now += 1
    await expect(rates.rate('usd')).rejects.toThrow('HTTP 500; HTTP 500')
  })
})

describe('prices that contradict', () => {
  const HOSTS = ['a.example', 'b.example', 'c.example'] as const
  /** Sources whose price in USD is set by hand; undefined: HTTP 500. */
  function sourcesAt(...start: readonly (string | undefined)[]) {
    const now = new Map(start.map((price, i) => [String(HOSTS[i]), price]))
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      const price = now.get(new URL(String(url)).host)
      return price === undefined ? new Response(null, { status: 500 }) : new Response(`{"usd":${price}}`)
    }
    const sources = start.map((_, i) => ({ kind: 'url', url: `https://${HOSTS[i]}/` }) as const)
    const opened = ratesOf([], { sources, fetch, cacheTtl: 0 })
    const say = (...prices: readonly (string | undefined)[]) => {
      for (const [i, price] of prices.entries()) now.set(String(HOSTS[i]), price)
    }
    const price = async (): Promise<string> =>
      opened.rates.rate('usd').then(
        ({ rate }) => rate,
        (thrown) => thrown.code,
      )
    return { ...opened, say, price, alarms: opened.rates.alarms }
  }

  test.each([
    ['alike', '0.05', '0.055', '0.05', []],
    ['20 percent apart', '0.06', '0.05', '0.06', []],
    [
      'a little more: the lowest',
      '0.0601',
      '0.05',
      '0.05',
      ['a.example says 0.0601, b.example says 0.05: charged at 0.05'],
    ],
    ['50 percent apart', '0.05', '0.075', '0.05', ['a.example says 0.05, b.example says 0.075: charged at 0.05']],
  ])('%s', async (_, a, b, charged, alarms) => {
    const { price, alarms: raised } = sourcesAt(a, b)
    expect(await price()).toBe(charged)
    expect(raised()).toEqual(alarms.map((text) => `price in USD: ${text}`))
  })

  test.each([
    ['500', '0.05'],
    ['0.05', '500'],
    ['0.0502', '0.0334'],
  ])('%s and %s: nothing is charged, with an alarm, until they agree', async (a, b) => {
    const { price, rates, say, alarms, logged } = sourcesAt(a, b)
    await expect(rates.rate('usd')).rejects.toMatchObject({ code: 'RATE_DISPUTED', status: 503 })
    expect(await price()).toBe('RATE_DISPUTED')
    expect(await rates.known('usd')).toBeUndefined()
    const text = `a.example says ${a}, b.example says ${b}: more than PAY_RATE_MAX_JUMP (50 percent) apart`
    expect({ alarms: alarms(), logged }).toEqual({ alarms: [`price in USD: ${text}`], logged: [text] })
    say('0.05', '0.05')
    expect(await price()).toBe('0.05')
    expect(alarms()).toEqual([])
  })

  test('a source that is silent now is a witness for ten minutes', async () => {
    const { price, say, time } = sourcesAt('0.05', '0.05')
    await price()
    say('0.9', undefined)
    time.now += 600_000
    expect(await price()).toBe('RATE_DISPUTED')
  })

  test('one against two is left out, with an alarm', async () => {
    const { price, alarms } = sourcesAt('500', '0.05', '0.052')
    expect(await price()).toBe('0.05')
    expect(alarms()).toEqual([
      'price in USD: a.example says 500, b.example says 0.05, c.example says 0.052: charged at 0.05',
    ])
  })

  test('a price that jumps is refused without a second source too; each ten minutes allow the same again', async () => {
    const { price, say, time, alarms } = sourcesAt('0.05')
    await price()
    say('0.0751')
    time.now += 600_000
    expect(await price()).toBe('RATE_DISPUTED')
    expect(alarms()).toEqual([
      'price in USD: a.example says 0.0751, before that a.example says 0.05: more than PAY_RATE_MAX_JUMP (50 percent) apart',
    ])
    say('0.075')
    expect(await price()).toBe('0.075')
    say('500')
    time.now += 3_600_000
    expect(await price()).toBe('RATE_DISPUTED')
    say('0.15')
    expect(await price()).toBe('0.15')
  })

  test('small steps do not add up within ten minutes', async () => {
    const { price, say, time } = sourcesAt('0.05')
    await price()
    for (const [step, answer] of [
      ['0.07', '0.07'],
      ['0.09', 'RATE_DISPUTED'],
    ] as const) {
      say(step)
      time.now += 60_000
      expect(await price()).toBe(answer)
    }
  })

  test('a fixed price is the word of the operator: held against nothing, and nothing against it', async () => {
    const fixed = { kind: 'fixed', rates: { usd: '9' } } as const
    const { rates, asked } = ratesOf([GOOD], { sources: [fixed, { kind: 'coingecko' }] })
    expect((await rates.rate('usd')).rate).toBe('9')
    expect(asked).toEqual([])
    const last = ratesOf([GOOD, status(500)], { sources: [{ kind: 'coingecko' }, fixed], cacheTtl: 0 })
    expect((await last.rates.rate('usd')).rate).toBe('0.02097549')
    expect((await last.rates.rate('usd')).rate).toBe('9')
  })
})
