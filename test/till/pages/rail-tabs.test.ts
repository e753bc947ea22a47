// The tabs of the grin1 rail: which are there, in which order, and what each shows (specification: invoicing, 2.5).
import { describe, expect, test } from 'vitest'
import type { Invoice } from '../../../src/till/index.js'
import { usableTabs } from '../../../src/till/pages/checkout-methods.js'
import { PAYMENT_RAILS, tabsOf } from '../../../src/till/rails.js'
import { ADDRESS, createFakeTill, I1, REPLY } from '../../support/fake-till.js'
import { tillApp } from '../../support/till-app.js'
import { anInvoice, aPayment, aSlateId, grin } from '../../support/till-builders.js'

/** Longer than any code can hold. */
const LONG_I1 = I1.repeat(Math.ceil(3000 / I1.length))
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const onRail = (over: Partial<Invoice> = {}): Partial<Invoice> => ({
  offeredRail: 'grin1',
  slateId: aSlateId(),
  slatepack: I1,
  amount: grin(1.5),
  ...over,
})

async function start(options: Parameters<typeof tillApp>[0] = {}) {
  const { app, till } = await tillApp({ methods: ['nostr', 'slatepack'], ...options })
  /** The page, with the card of its frame where it consists of one. */
  const get = async (url: string): Promise<string> => {
    const { body } = await app.inject({ url })
    const card = /class="card-frame" src="([^"]+)"/.exec(body)?.[1]
    return card === undefined ? body : body + (await app.inject({ url: card.replaceAll('&amp;', '&') })).body
  }
  const paste = (token: string, text: string, { query = '', headers = {} } = {}) =>
    app.inject({
      method: 'POST',
      url: `/pay/${token}/slatepack${query}`,
      payload: new URLSearchParams({ slatepack: text }).toString(),
      headers: { ...FORM, ...headers },
    })
  return { till, get, paste }
}
const tabsIn = (body: string): string[] =>
  [...body.matchAll(/href="\/pay\/[^/?"]+\?method=([a-z]+)"(?: target="_top")?[^>]*>[A-Z]/g)].map(([, name]) => name!)

describe('which ways there are', () => {
  const all = ['nostr', 'slatepack'] as const
  const armed = anInvoice(onRail())
  test.each<[string, Invoice, Parameters<typeof usableTabs>[2], string]>([
    ['everything', armed, { methods: all, plainSend: true }, 'goblin invoice address slatepack'],
    ['an earlier invoice over the same amount', armed, { methods: all, plainSend: false }, 'goblin invoice slatepack'],
    ['no Nostr', armed, { methods: ['slatepack'], plainSend: true }, 'invoice address slatepack'],
    ['only Nostr', armed, { methods: ['nostr'], plainSend: true }, 'goblin'],
    ['no slate', anInvoice(onRail({ slatepack: null })), { methods: all, plainSend: true }, 'goblin address slatepack'],
    ['the rail off', anInvoice(), { methods: all, plainSend: false }, 'goblin slatepack'],
    ['nothing at all', anInvoice(), { methods: [], plainSend: false }, 'slatepack'],
  ])('with %s', (_, invoice, offered, names) => {
    const usable = usableTabs(tabsOf(PAYMENT_RAILS), invoice, offered)
    expect(usable.map(({ id }) => id).join(' ')).toBe(names)
  })

  test('their names are words of payers', async () => {
    const { till, get } = await start()
    const body = await get(`/pay/${till.put(onRail()).token}`)
    const names = [...body.matchAll(/\?method=[a-z]+"[^>]*>([^<]+)</g)].map(([, name]) => name)
    expect(names).toEqual(['Grin wallet app', 'Pay an invoice', 'Send over Tor', 'Copy &amp; paste'])
  })

  test('the page shows them in that order, the asked one open', async () => {
    const { till, get } = await start()
    const { token } = till.put(onRail())
    expect(tabsIn(await get(`/pay/${token}`))).toEqual(['goblin', 'invoice', 'address', 'slatepack'])
    for (const method of ['goblin', 'invoice', 'address', 'slatepack'])
      expect(await get(`/pay/${token}?method=${method}`)).toContain(
        `?method=${method}"${['goblin', 'address'].includes(method) ? ' target="_top"' : ''} aria-current="page"`,
      )
  })

  test('a tab that is gone gives way to the first', async () => {
    const { till, get } = await start()
    const { token } = till.put({})
    const first = tabsIn(await get(`/pay/${token}`))
    for (const method of ['invoice', 'address']) {
      const body = await get(`/pay/${token}?method=${method}`)
      expect([method, tabsIn(body)]).toEqual([method, first])
      expect(body).toContain('?method=goblin" target="_top" aria-current="page"')
    }
  })
})

describe('the invoice tab', () => {
  test('shows our slatepack as code and text, and a field that says what it takes', async () => {
    const { till, get } = await start()
    const { token } = till.put(onRail())
    const body = await get(`/pay/${token}?method=invoice`)
    expect(body).toContain(I1)
    expect(body).toContain('aria-label="Code of the invoice"')
    expect(body).toContain('grin-wallet pay')
    expect(body).toContain('If it shows a slatepack, paste all of it here.')
    expect(body).toContain(`action="/pay/${token}/slatepack?method=invoice"`)
    expect(body).not.toMatch(/<script|style=|https?:\/\/(?!www\.w3\.org)/i)
  })

  test('shows only the text when it does not fit a code', async () => {
    const { till, get } = await start()
    const { token } = till.put(onRail({ slatepack: LONG_I1 }))
    const body = await get(`/pay/${token}?method=invoice`)
    expect(body).toContain(LONG_I1)
    expect(body).not.toContain('Code of the invoice"')
  })

  test('an answer that is taken shows that nothing is left to do', async () => {
    const { till, get, paste } = await start()
    const { token } = till.put(onRail())
    const { statusCode, body } = await paste(token, 'good I2', { query: '?method=invoice' })
    expect(statusCode).toBe(200)
    expect(body).toContain(`src="/pay/${token}/frame"`)
    expect(await get(`/pay/${token}/frame`)).toContain('Nothing is left for you to do')
    expect(body).not.toContain('Almost done')
    expect(body).not.toContain('Lost our reply?')
    const json = await paste(token, 'good I2', { headers: { accept: 'application/json' } })
    expect(json.json()).toMatchObject({ ok: true, slatepack: REPLY, repeated: true })
  })

  test('an answer that is refused stays in its field on its tab', async () => {
    const { till, paste } = await start()
    const { token } = till.put(onRail())
    const { statusCode, body } = await paste(token, 'bad <b>', { query: '?method=invoice' })
    expect(statusCode).toBe(422)
    expect(body).toContain('?method=invoice" aria-current="page"')
    expect(body).toContain('bad &lt;b&gt;</textarea>')
    expect((await paste(token, 'bad')).body).toContain('?method=slatepack" aria-current="page"')
  })

  test('while it is broadcast the status says who does it', async () => {
    const { till, get } = await start()
    const slateId = aSlateId()
    const { token, id } = till.put(onRail({ slateId, paymentId: slateId, status: 'paid', slatepack: null }))
    expect(await get(`/pay/${token}/frame`)).toContain('Payment complete, being sent')
    till.put({ id, paymentId: aSlateId() })
    expect(await get(`/pay/${token}/frame`)).toContain('Reply ready: finish in your wallet')
  })
})

test('the address tab shows the bare address as code and text, and the exact amount', async () => {
  const { till, get } = await start()
  const { token } = till.put(onRail())
  const body = await get(`/pay/${token}?method=address`)
  expect(body).toContain('aria-label="Code of our address"')
  expect(body).toContain(`<dd class="value">${ADDRESS}</dd>`)
  expect(body).toContain('<dd class="value">1.5</dd>')
  expect(body).toContain(`grin-wallet send -d ${ADDRESS} 1.5`)
})

describe('the Nostr tab', () => {
  test('shows the code, the link as button and text, and the receiver alone', async () => {
    const { till, get } = await start()
    const { token } = till.put(onRail({ payLink: 'goblin:nprofile1x?amount=1.5', qrSvg: '<svg class="qr"></svg>' }))
    const body = await get(`/pay/${token}?method=goblin`)
    expect(body).toContain('<svg class="qr"></svg>')
    expect(body).toContain('class="button large" href="goblin:nprofile1x?amount=1.5"')
    expect(body).not.toContain('<dd class="value">')
    const withTexts = await get(/href="([^"]*copy=1)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '')
    expect(withTexts).toMatch(/<dd class="value">nprofile1[a-z0-9]+<\/dd>/)
    expect(withTexts).toContain('then enter 1.5 GRIN yourself')
    expect(withTexts).toContain('Hide the texts')
    expect(body).not.toContain('grin-wallet')
    expect(body).not.toMatch(/<script|style=|<textarea/i)
  })
})

test('the sandbox command pays in the way of the tab', async () => {
  const { till, get } = await start({ till: createFakeTill({ chain: 'sandbox' }) })
  const { id, token } = till.put(onRail())
  const payArguments = async (method: string) =>
    /sandbox pay ([^<]+)</.exec(await get(`/pay/${token}?method=${method}`))?.[1]
  expect(await payArguments('goblin')).toBe(`${id} --rail nostr`)
  expect(await payArguments('address')).toBe(`${id} --rail grin1`)
  expect(await payArguments('slatepack')).toBe(`${id} --rail slatepack`)
  expect(await payArguments('invoice')).toBeUndefined()
})

test('a payer over Nostr reads that the reply comes by itself; one who pasted can see it again', async () => {
  const { till, get } = await start()
  const [byNostr, byPaste] = [aPayment({ rail: 'nostr' }), aPayment({ rail: 'slatepack' })]
  const seen = aPayment({ rail: 'slatepack', settlement: 'seen' })
  for (const payment of [byNostr, byPaste, seen]) till.payments.set(payment.id, payment)
  const page = (paymentId: string) => get(`/pay/${till.put({ status: 'paid', paymentId }).token}`)
  expect(await page(byNostr.id)).toContain('Our reply goes to your wallet automatically')
  expect(await page(byNostr.id)).not.toContain('Show our reply again')
  expect(await page(byPaste.id)).toContain('Show our reply again')
  expect(await page(seen.id)).not.toMatch(/our reply/i)
})
