import { describe, expect, test } from 'vitest'
import { timeLeft, unambiguous } from '../../../src/till/pages/invoice-facts.js'
import { phaseOf, stepsOf } from '../../../src/till/pages/phases.js'
import { translatorOf } from '../../../src/till/pages/texts/index.js'
import { createRails, PAYMENT_RAILS } from '../../../src/till/rails.js'
import { tillApp } from '../../support/till-app.js'
import { anInvoice, aPayment, DAY, grin, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'

const words = translatorOf('en')

describe('the phase of a payment', () => {
  const paid = anInvoice({ status: 'paid', paymentId: 'p', slateId: 'other' })
  test.each([
    ['waiting', anInvoice(), undefined],
    ['reply-ready', paid, aPayment({ rail: 'slatepack', settlement: 'received' })],
    ['reply-ready', paid, aPayment({ rail: 'slatepack', settlement: 'replied' })],
    ['reply-sent', paid, aPayment({ rail: 'nostr', settlement: 'replied' })],
    ['reply-sent', paid, aPayment({ rail: 'grin1', settlement: 'replied' })],
    ['sending', { ...paid, slateId: 'p' }, aPayment({ rail: 'grin1', settlement: 'replied' })],
    ['seen', paid, aPayment({ rail: 'nostr', settlement: 'seen' })],
    ['seen', { ...paid, slateId: 'p' }, aPayment({ settlement: 'seen' })],
    ['confirming', { ...paid, confirmations: 1 }, aPayment({ settlement: 'mined' })],
    ['paid', anInvoice({ status: 'confirmed' }), undefined],
    ['expired', anInvoice({ status: 'expired' }), aPayment({ settlement: 'abandoned' })],
    ['cancelled', anInvoice({ status: 'cancelled' }), undefined],
  ] as const)('is %s', (phase, invoice, payment) => {
    expect(phaseOf(invoice, payment, createRails(PAYMENT_RAILS).can)).toBe(phase)
  })

  test('has one step of four', () => {
    const names = (phase: Parameters<typeof stepsOf>[0]) => stepsOf(phase, words).map(({ state }) => state)
    expect(names('waiting')).toEqual([])
    expect(names('reply-ready')).toEqual(['now', 'next', 'next', 'next'])
    expect(names('seen')).toEqual(['done', 'now', 'next', 'next'])
    expect(names('confirming')).toEqual(['done', 'done', 'now', 'next'])
    expect(names('paid')).toEqual([])
  })
})

describe('what a payer reads', () => {
  async function start() {
    const { app, till } = await tillApp({ methods: ['nostr', 'slatepack'] })
    const read = async (over: Parameters<typeof till.put>[0], settlement: 'replied' | 'seen' | 'mined') => {
      const payment = aPayment({ rail: 'nostr', settlement })
      till.payments.set(payment.id, payment)
      const { token } = till.put({ paymentId: payment.id, ...over })
      return (await app.inject({ url: `/pay/${token}/frame` })).body
    }
    return { app, till, read }
  }

  test('is never "received" while nothing has moved', async () => {
    const { read } = await start()
    const body = await read({ status: 'paid' }, 'replied')
    expect(body).not.toMatch(/received/i)
    expect(body).toContain('Reply ready: finish in your wallet')
    expect(await read({ status: 'paid' }, 'seen')).toContain('Seen on the network')
    expect(await read({ status: 'paid', confirmations: 1 }, 'mined')).toContain('Confirming 1 of 10')
    expect(await read({ status: 'confirmed', confirmations: 10 }, 'mined')).toContain('<h1>Paid</h1>')
  })

  test('puts the button for this device before the code for another one', async () => {
    const { app, till } = await start()
    const { token } = till.put({ payLink: 'goblin:nprofile1x', qrSvg: '<svg class="qr"></svg>' })
    const { body } = await app.inject({ url: `/pay/${token}/frame?method=goblin` })
    const [button, code] = ['Open in wallet', '<svg class="qr"'].map((sign) => body.indexOf(sign))
    expect(button).toBeGreaterThan(0)
    expect(code).toBeGreaterThan(button ?? 0)
  })

  test('invites to no second payment once there is one', async () => {
    const { app, till, read } = await start()
    const open = till.put({ amount: grin(1.5), payLink: 'goblin:nprofile1x', qrSvg: '<svg class="qr"></svg>' })
    const before = (await app.inject({ url: `/pay/${open.token}/frame?method=goblin` })).body
    for (const sign of ['Amount due', 'Open in wallet', '<svg class="qr"']) expect(before).toContain(sign)
    const over = { payLink: open.payLink, qrSvg: open.qrSvg }
    for (const body of [
      await read({ status: 'paid', ...over }, 'replied'),
      await read({ status: 'paid', ...over }, 'seen'),
      await read({ status: 'confirmed', ...over }, 'mined'),
    ])
      for (const sign of ['Amount due', 'Open in wallet', '<svg', 'goblin:']) expect(body).not.toContain(sign)
  })

  test('at the end is amount, time, receipt and the way back', async () => {
    const { app, till } = await start()
    const payment = aPayment({ settlement: 'confirmed' })
    till.payments.set(payment.id, payment)
    const returnUrl = 'https://shop.example/orders/1?a=1&b="'
    const paid = {
      status: 'confirmed',
      confirmedAt: NOON,
      paymentId: payment.id,
      amount: grin(1.5),
      returnUrl,
    } as const
    const { body } = await app.inject({ url: `/pay/${till.put(paid).token}` })
    expect(body).toContain('1 Jul 2026, 12:00 UTC')
    expect(body).toContain(`href="/payment/${payment.id}/receipt"`)
    expect(body).toContain('href="https://shop.example/orders/1?a=1&amp;b=&quot;" target="_top" rel="noreferrer"')
    expect(body).not.toMatch(/http-equiv="refresh"|<iframe/)
  })

  test('names the shop, with its logo, and leads there', async () => {
    const shop = { name: 'Bean <&> Leaf', url: 'https://shop.example', logo: 'data:image/png;base64,AA==' }
    const { app, till } = await tillApp({ shop })
    const page = (await app.inject({ url: `/pay/${till.put({}).token}` })).body
    expect(page).toContain('Bean &lt;&amp;&gt; Leaf')
    expect(page).toContain('src="data:image/png;base64,AA=="')
    const over = (await app.inject({ url: `/pay/${till.put({ status: 'confirmed' }).token}` })).body
    expect(over).toMatch(/href="https:\/\/shop\.example" target="_top" rel="noreferrer">Back to the shop/)
  })
})

test.each([
  ['1.5', '1.5'],
  ['1.500', '1.5000'],
  ['0.123', '0.1230'],
  ['12.50', '12.50'],
  ['1234567', '1234567'],
  ['1.234567', '1.234567'],
])('%s is shown as %s: three decimals look like thousands to half the world', (text, shown) => {
  expect(unambiguous(text)).toBe(shown)
})

test.each([
  [15 * MINUTE, '15 minutes left'],
  [15 * MINUTE - 1, '14 minutes left'],
  [MINUTE, '1 minute left'],
  [59 * SECOND, 'Less than a minute left'],
  [-5, 'Less than a minute left'],
  [119 * MINUTE, '119 minutes left'],
  [2 * HOUR, '2 hours left'],
  [2 * DAY - 1, '47 hours left'],
  [2 * DAY, '2 days left'],
])('%i ms before the end: %s', (left, text) => expect(timeLeft(NOON + left, NOON, words)).toBe(text))
