import { afterEach, describe, expect, test } from 'vitest'
import { tillApp } from '../../support/till-app.js'
import { aPayment } from '../../support/till-builders.js'

let close = async () => {}
afterEach(() => close())

async function start() {
  const { app, till } = await tillApp()
  close = () => app.close()
  const frame = async (token: string, query = '') => await app.inject({ url: `/pay/${token}/frame${query}` })
  return { app, till, frame }
}
const refreshOf = (body: string) => /http-equiv="refresh" content="(\d+); url=([^"]*)"/.exec(body)

describe('the status frame', () => {
  test('answers at once the first time, and then asks with what it has shown', async () => {
    const { till, frame } = await start()
    const { token } = till.put({})
    const { body } = await frame(token, '?view=status')
    expect(body).toContain('role="status"')
    expect(body).toContain('Waiting for your payment')
    expect(refreshOf(body)?.slice(1)).toEqual([
      '1',
      `/pay/${token}/frame?view=status&amp;method=slatepack&amp;seen=open.0`,
    ])
  })

  test('waits while nothing is new, and tells the news at once', async () => {
    const { till, frame } = await start()
    const { id, token } = till.put({})
    let answered = false
    const waiting = frame(token, '?view=status&seen=open.0').then((answer) => {
      answered = true
      return answer
    })
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    till.put({ id, status: 'paid' })
    const { body } = await waiting
    expect(body).toContain('Reply ready: finish in your wallet')
  })

  test('does not wait when it has shown something older', async () => {
    const { till, frame } = await start()
    const { token } = till.put({ status: 'paid', confirmations: 3 })
    const { body } = await frame(token, '?view=status&seen=paid.2')
    expect(body).toContain('Confirming 3 of 10')
    expect(body).not.toContain('target="_top"')
    expect(refreshOf(body)?.[2]).toContain('seen=paid.3')
  })

  test('tells a payer whose wallet has broadcast that it did', async () => {
    const { till, frame } = await start()
    const payment = aPayment({ settlement: 'replied' })
    till.payments.set(payment.id, payment)
    const { token } = till.put({ status: 'paid', paymentId: payment.id })
    const before = (await frame(token)).body
    expect(before).toContain('Reply ready: finish in your wallet')
    expect(refreshOf(before)?.[2]).toContain('seen=paid.0')
    till.payments.set(payment.id, { ...payment, settlement: 'seen' })
    const after = (await frame(token, '?seen=paid.0')).body
    expect(after).toContain('Seen on the network')
    expect(refreshOf(after)?.[2]).toContain('seen=paid.0.seen')
  })

  test.each(['confirmed', 'expired', 'cancelled'] as const)('stops asking when the invoice is %s', async (status) => {
    const { till, frame } = await start()
    expect(refreshOf((await frame(till.put({ status }).token)).body)).toBeNull()
  })

  test('takes nothing foreign into its own address', async () => {
    const { till, frame } = await start()
    const { body } = await frame(
      till.put({}).token,
      `?view=${encodeURIComponent('"><b>')}&seen=x&method=%22%3E%3Cb%3E&copy=%3Cb%3E`,
    )
    expect(body).not.toContain('<b>')
    expect(refreshOf(body)?.[2]).toContain('view=card')
  })

  test('of a HEAD request is not held', async () => {
    const { app, till } = await start()
    const { token } = till.put({})
    const answer = await app.inject({ method: 'HEAD', url: `/pay/${token}/frame?view=status&seen=open.0` })
    expect(answer.statusCode).toBe(200)
  })

  test('the 41st of one client is answered at once and asks again later', async () => {
    const { till, frame } = await start()
    const { id, token } = till.put({})
    const held = Array.from({ length: 40 }, () => frame(token, '?view=status&seen=open.0'))
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(refreshOf((await frame(token, '?view=status&seen=open.0')).body)?.[1]).toBe('10')
    till.put({ id, status: 'paid' })
    expect((await Promise.all(held)).every(({ statusCode }) => statusCode === 200)).toBe(true)
  })

  test('does not keep the daemon from ending', async () => {
    const { app, till, frame } = await start()
    const { token } = till.put({})
    const held = frame(token, '?view=status&seen=open.0')
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    await app.close()
    expect((await held).statusCode).toBe(200)
  })
})
