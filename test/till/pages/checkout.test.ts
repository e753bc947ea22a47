import { describe, expect, test } from 'vitest'
import { ADDRESS, createFakeTill, REPLY } from '../../support/fake-till.js'
import { tillApp } from '../../support/till-app.js'
import { aPayment, grin, MINUTE, NOON } from '../../support/till-builders.js'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const fiat = { amount: '12.50', currency: 'usd', rate: '0.083333', source: 'coingecko' }

async function start(options: Parameters<typeof tillApp>[0] = {}) {
  const { app, till } = await tillApp(options)
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const paste = (token: string, text: string, headers = {}) =>
    app.inject({
      method: 'POST',
      url: `/pay/${token}/slatepack`,
      payload: new URLSearchParams({ slatepack: text }).toString(),
      headers: { ...FORM, ...headers },
    })
  return { app, till, get, paste }
}

describe('an open invoice', () => {
  test('shows amount, price, note, address and the form, in that order', async () => {
    const { till, get } = await start()
    const { token } = till.put({ amount: grin(150), fiat, memo: 'Coffee', expiresAt: NOON + MINUTE })
    const { statusCode, headers, body } = await get(`/pay/${token}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const frame = (await get(`/pay/${token}/frame?view=status`)).body
    for (const part of ['<html lang="en">', '<h1', '>150<', 'Price fixed · 1 minute left'])
      expect(frame).toContain(part)
    const order = [
      '<html lang="en">',
      '150 GRIN',
      `/pay/${token}/frame?view=status`,
      '12.50 USD',
      'Coffee',
      ADDRESS,
      '<textarea',
    ]
    const places = order.map((part) => body.indexOf(part))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  test.each<[string | undefined, number | undefined, string]>([
    [
      undefined,
      NOON - 2 * MINUTE,
      '<dt>Rate</dt><dd>0.083333 USD per GRIN, as of 1\u00a0Jul\u00a02026,\u00a011:58\u00a0UTC</dd>',
    ],
    ['de', NOON - 2 * MINUTE, '<dt>Kurs</dt><dd>0.083333 USD je GRIN, Stand '],
    [undefined, undefined, '<dt>Rate</dt><dd>0.083333 USD per GRIN</dd>'],
  ])('shows what a GRIN cost, and from when that is (%s, %s)', async (language = 'en', rateAt, line) => {
    const { till, get } = await start({ methods: ['nostr', 'slatepack'] })
    const { token } = till.put({ fiat: { ...fiat, ...(rateAt !== undefined && { rateAt }) } })
    const headers = { 'accept-language': language }
    for (const url of [`/pay/${token}/frame?method=goblin`, `/pay/${token}?method=slatepack`])
      expect((await get(url, headers)).body).toContain(line)
    const inGrin = till.put({ fiat: null }).token
    expect((await get(`/pay/${inGrin}?method=slatepack`)).body).not.toContain('<dt>Rate')
  })

  test('has no script, no style of its own and nothing from elsewhere', async () => {
    const { till, get } = await start()
    const { token } = till.put({})
    const { body } = await get(`/pay/${token}`)
    expect(body).not.toMatch(/<script|javascript:|\son\w+=|style=|https?:\/\//i)
  })

  test('with a form never reloads itself: only the frame inside does', async () => {
    const { till, get } = await start()
    const { token } = till.put({})
    expect((await get(`/pay/${token}?method=slatepack`)).body).not.toContain('http-equiv="refresh"')
    expect((await get(`/pay/${token}/frame`)).body).toContain('http-equiv="refresh"')
  })

  test('holds a frame that needs no network to be loaded anew', async () => {
    const { till, get } = await start()
    const { token } = till.put({})
    for (const query of ['?method=slatepack', '']) {
      const [, kept = ''] = / srcdoc="([^"]*)"/.exec((await get(`/pay/${token}${query}`)).body) ?? []
      const inside = kept.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')
      expect(inside).toMatch(/<meta http-equiv="refresh" content="\d+">/)
      expect(inside).toContain(`<iframe src="/pay/${token}/frame`)
    }
  })

  test('shows everything foreign as text', async () => {
    const { till, get, paste } = await start()
    const evil = '"><img src=x onerror=alert(1)>\'&'
    const { token } = till.put({ memo: evil, orderRef: evil, fiat: { ...fiat, amount: evil, currency: evil } })
    const page = (await get(`/pay/${token}`)).body
    const refused = (await paste(token, `</textarea>${evil}`)).body
    for (const body of [page, refused]) expect(body).not.toMatch(/<img src=x|<\/textarea>"/)
    expect(page).toContain('&quot;&gt;&lt;img src=x')
  })

  test('shows no tab bar for one method, and the chosen tab for two', async () => {
    const one = await start()
    expect((await one.get(`/pay/${one.till.put({}).token}`)).body).not.toContain('class="tabs"')
    const two = await start({ methods: ['nostr', 'slatepack'] })
    const { token } = two.till.put({ payLink: 'goblin:nprofile1x?amount=2', qrSvg: '<svg class="qr"></svg>' })
    const first = (await two.get(`/pay/${token}/frame`)).body
    expect(first).toContain('<svg class="qr"></svg>')
    expect(first).toContain('href="goblin:nprofile1x?amount=2"')
    expect(first).toContain(`href="/pay/${token}?method=goblin" target="_top" aria-current="page"`)
    const form = (await two.get(`/pay/${token}?method=slatepack`)).body
    expect(form).toContain(`href="/pay/${token}?method=goblin">`)
    expect((await two.get(`/pay/${token}?method=slatepack`)).body).toContain('<textarea')
    expect((await two.get(`/pay/${token}/frame?method=nonsense`)).body).toBe(first)
    expect((await two.get(`/pay/${token}?method=goblin&method=slatepack`)).statusCode).toBe(200)
  })

  test('links below the path of the public address', async () => {
    const { till, get, paste } = await start({ till: createFakeTill({ publicUrl: 'https://shop.example/grin' }) })
    const { token } = till.put({ fiat })
    const bodies = [(await get(`/pay/${token}`)).body, (await get(`/pay/${token}/frame`)).body]
    till.put({ id: [...till.invoices.keys()][0] ?? '', status: 'expired' })
    bodies.push((await get(`/pay/${token}`)).body, (await paste(token, 'bad')).body, (await get('/pay/nope')).body)
    for (const body of bodies) {
      const links = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"|url=(\/[^"]*)"/g)].map(([, a, b]) => a ?? b)
      expect(links.length).toBeGreaterThan(1)
      for (const link of links) expect(link).toMatch(/^\/grin\/(pay|static)\//)
    }
  })
})

describe('a frame', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

  test('stands in a document that outlives an outage, but not in Firefox, which would show it empty', async () => {
    const { app, till } = await tillApp({ methods: ['nostr', 'slatepack'] })
    const { token } = till.put({})
    for (const url of [`/pay/${token}`, `/pay/${token}?method=slatepack`]) {
      expect((await app.inject({ url })).body).toMatch(/<iframe [^>]*srcdoc=/)
      const { body } = await app.inject({ url, headers: { 'user-agent': FIREFOX } })
      expect(body).toMatch(/<iframe [^>]*src="\/pay\//)
      expect(body).not.toContain('srcdoc')
    }
  })

  test('beside a form stands in one also where shops embed the page; the link to the result is then outside', async () => {
    const { app, till } = await tillApp({ methods: ['slatepack'], frameAncestors: ['https://shop.example'] })
    const { id, token } = till.put({})
    const { body } = await app.inject({ url: `/pay/${token}?method=slatepack` })
    expect(body).toMatch(/<iframe [^>]*srcdoc=/)
    expect(body).toContain(`<a href="/pay/${token}">Show the payment</a>`)
    till.put({ id, status: 'confirmed', confirmations: 10 })
    expect((await app.inject({ url: `/pay/${token}/frame?view=status` })).body).not.toContain('<a ')
  })
})

describe('headers', () => {
  const policy = (response: { headers: Record<string, unknown> }) => String(response.headers['content-security-policy'])

  test('forbid scripts, framing and everything from elsewhere', async () => {
    const { till, get } = await start()
    const page = await get(`/pay/${till.put({}).token}`)
    expect(policy(page)).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('let the page hold its own status frame', async () => {
    const { till, get } = await start()
    expect(policy(await get(`/pay/${till.put({}).token}/frame`))).toContain("frame-ancestors 'self'")
  })

  test('let the listed shops embed page and frame', async () => {
    const { till, get } = await start({ frameAncestors: ['https://shop.example'] })
    const { token } = till.put({})
    expect(policy(await get(`/pay/${token}`))).toContain('frame-ancestors https://shop.example')
    expect(policy(await get(`/pay/${token}/frame`))).toContain("frame-ancestors 'self' https://shop.example")
  })

  test('are there on errors too', async () => {
    const { get } = await start()
    expect(policy(await get('/pay/nope'))).toContain("default-src 'none'")
    expect(policy(await get('/pay/nope/x/y'))).toContain("default-src 'none'")
  })
})

describe('a paste', () => {
  test('that fits is answered with the reply and what to do with it', async () => {
    const { till, paste } = await start()
    const { token } = till.put({})
    const answer = await paste(token, 'good')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(REPLY)
    expect(answer.body).toContain('Nothing has moved until your wallet finishes the payment')
    expect((await paste(token, 'good')).body).toContain(REPLY)
  })

  test('that is refused says why and how to fix it, and stays in the field', async () => {
    const { till, paste } = await start()
    const { token } = till.put({ amount: grin(1.5) })
    const answer = await paste(token, 'bad <slatepack>')
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('This slatepack is for 2 GRIN, the invoice is 1.5.')
    expect(answer.body).toContain('Cancel the send in the wallet')
    expect(answer.body).toContain('>bad &lt;slatepack&gt;</textarea>')
    expect(answer.body).toMatch(/role="alert"/)
  })

  test.each([
    ['paid', 409, 'Reply ready: finish in your wallet'],
    ['confirmed', 409, 'The payment is settled.'],
    ['expired', 410, 'This invoice has expired'],
    ['cancelled', 410, 'This invoice was cancelled'],
  ] as const)('on a %s page is %i, says why and shows where it stands', async (status, code, text) => {
    const { till, paste } = await start()
    const answer = await paste(till.put({ status }).token, 'bad')
    expect(answer.statusCode).toBe(code)
    expect(answer.body).toContain(text)
    expect(answer.body).toMatch(/role="alert"/)
  })

  test('that is refused after the reply stays in the field of the lost reply, beside the reason', async () => {
    const { till, paste } = await start()
    const payment = aPayment({ rail: 'slatepack', settlement: 'replied' })
    till.payments.set(payment.id, payment)
    const answer = await paste(till.put({ status: 'paid', paymentId: payment.id }).token, 'another <slatepack>')
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain('Lost our reply?')
    expect(answer.body).toMatch(/role="alert"/)
    expect(answer.body).toContain('href="#slatepack"')
    expect(answer.body).toContain('>another &lt;slatepack&gt;</textarea>')
  })

  test('on an unknown page is 404', async () => {
    const { paste } = await start()
    expect((await paste('nope', 'good')).statusCode).toBe(404)
  })

  test('without the field is 400, as multipart 415, too long 413, all as pages', async () => {
    const { app, till, paste } = await start()
    const { token } = till.put({})
    const url = `/pay/${token}/slatepack`
    const post = (payload: string, type: string) =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    const answers = [
      await post('other=1', FORM['content-type']),
      await post('--x--', 'multipart/form-data; boundary=x'),
      await paste(token, 'a'.repeat(70_000)),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 415, 413])
    for (const { headers, body } of answers) {
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).toContain(`href="/pay/${token}"`)
    }
  })

  test('answers JSON when asked for it', async () => {
    const { till, paste } = await start()
    const { token } = till.put({ amount: grin(1.5) })
    const json = { accept: 'application/json' }
    const refused = await paste(token, 'bad', json)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ ok: false, code: 'SLATE_WRONG_AMOUNT', status: 422 })
    const taken = await paste(token, 'good', json)
    expect(taken.json()).toMatchObject({ ok: true, slatepack: REPLY, repeated: false })
    expect((await paste('nope', 'x', json)).json()).toMatchObject({ error: 'not found', status: 404 })
    expect((await paste(token, 'x'.repeat(70_000), json)).json()).toMatchObject({ code: 'BODY_TOO_LARGE' })
  })
})

describe('an expired invoice', () => {
  test('offers a new price only when the till would give one', async () => {
    const { app, till, get } = await start()
    const priced = till.put({ status: 'expired', fiat, expiresAt: NOON })
    const exact = till.put({ status: 'expired' })
    expect((await get(`/pay/${priced.token}`)).body).toContain('Get a new price')
    expect((await get(`/pay/${exact.token}`)).body).not.toContain('Get a new price')

    const answer = await app.inject({ method: 'POST', url: `/pay/${priced.token}/requote`, headers: FORM })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/pay/${priced.token}`])
    expect((await get(`/pay/${priced.token}/frame?view=status`)).body).toContain('Amount due')
  })

  test('that gets none says why', async () => {
    const { app, till } = await start()
    const answer = await app.inject({ method: 'POST', url: `/pay/${till.put({}).token}/requote` })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain('No new price for this invoice: only expired fiat invoices.')
  })
})

describe('pages that are not there', () => {
  test.each(['/pay', '/pay/', '/pay/nope', '/pay/nope/frame', '/pay/nope/else', `/pay/${'x'.repeat(200)}`])(
    '%.20s is an HTML 404 that says what to do',
    async (url) => {
      const { get } = await start()
      const answer = await get(url)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).toContain('Open the payment link again')
    },
  )

  test('a wrong method is an HTML 405', async () => {
    const { app, till } = await start()
    const answer = await app.inject({ method: 'DELETE', url: `/pay/${till.put({}).token}` })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  test('a failure of the till says that nothing was charged, and nothing else', async () => {
    const till = createFakeTill()
    till.findByToken = async () => {
      throw new Error('SQLITE_IOERR /var/lib')
    }
    const { get } = await start({ till })
    const answer = await get('/pay/x')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).toContain('Nothing was charged')
    expect(answer.body).not.toContain('SQLITE')
  })
})

describe('in a terminal', () => {
  test.each([
    ['mainnet', 'grin-wallet send -d ', 'grin-wallet finalize'],
    ['testnet', 'grin-wallet --testnet send -d ', 'grin-wallet --testnet finalize'],
  ] as const)('a %s wallet gets its two commands', async (chain, send, finalize) => {
    const { till, get, paste } = await start({ till: createFakeTill({ chain }) })
    const { token } = till.put({ amount: grin(1.5) })
    expect((await get(`/pay/${token}`)).body).toContain(`${send}${ADDRESS} 1.5<`)
    expect((await paste(token, 'good')).body).toContain(`>${finalize}<`)
  })

  test('the sandbox pays by itself', async () => {
    const { till, get, paste } = await start({ till: createFakeTill({ chain: 'sandbox' }) })
    const { id, token } = till.put({})
    expect((await get(`/pay/${token}`)).body).toContain(`>grinpay sandbox pay ${id} --rail slatepack<`)
    expect((await paste(token, 'good')).body).not.toContain('finalize<')
  })
})

describe('what is not real money', () => {
  test.each([
    ['testnet', 'TESTNET'],
    ['usernet', 'USERNET'],
    ['sandbox', 'SANDBOX'],
  ] as const)('says so on every page of a %s till', async (chain, name) => {
    const { till, get, paste } = await start({ till: createFakeTill({ chain }) })
    const { token } = till.put({})
    const pages = [await get('/'), await get(`/pay/${token}`), await paste(token, 'bad'), await paste(token, 'good')]
    for (const { body } of [...pages, await get(`/pay/${token}`), await get('/pay/nope')])
      expect(body).toContain(`<strong>${name}</strong>`)
  })

  test('is not claimed on mainnet', async () => {
    const { till, get } = await start()
    expect((await get(`/pay/${till.put({}).token}`)).body).not.toContain('class="banner"')
  })
})

describe('beside the checkout', () => {
  test('the root says what this is and nothing about anybody', async () => {
    const { get } = await start()
    const answer = await get('/')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('A till for Grin payments')
    expect(answer.body).not.toContain(ADDRESS)
  })

  test('files have their content hash in the name and may be kept', async () => {
    const { get } = await start()
    const style = /href="(\/static\/style\.[0-9a-f]{12}\.css)"/.exec((await get('/')).body)?.[1] ?? ''
    const answer = await get(style)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(answer.headers['cache-control']).toBe('public, max-age=86400')
    expect((await get('/static/style.css')).statusCode).toBe(404)
    expect((await get('/static/..%2flayout.eta')).statusCode).toBe(404)
  })
})
