import { describe, expect, test } from 'vitest'
import type { ReceivedEvent } from '../../src/client/index.js'
import {
  createEventFeed,
  createPrinter,
  offerInvoice,
  runScript,
  type SeenEvent,
  type StoryParts,
} from '../../src/sandbox/story.js'
import { codeOf } from '../support/vectors.js'

const PAY_URL = 'http://127.0.0.1:1/pay/tok'
const STARTED = 1_000

const event = (type: string, eventId: string, invoiceId = 'inv1'): ReceivedEvent => ({
  eventId,
  body: '',
  payload: { event_type: type, invoice_id: invoiceId },
  headers: {},
})

/** A till whose invoice goes through these states, one per look; every look takes a second. */
function stage(states: readonly (readonly [string, number])[]) {
  const lines: string[] = []
  const heard: SeenEvent[] = []
  const events = createEventFeed((seen) => heard.push(seen))
  let [now, look] = [STARTED, 0]
  const view = (status: string, confirmations: number) =>
    ({
      invoice_id: 'inv1',
      pay_url: PAY_URL,
      amount: '1.5 GRIN',
      status,
      confirmations,
      confirmations_required: 3,
    }) as unknown as Awaited<ReturnType<StoryParts['api']['invoice']>>
  const parts: StoryParts = {
    api: {
      createInvoice: async () => view('open', 0),
      invoice: async () => view(...(states[Math.min(look++, states.length - 1)] ?? ['open', 0])),
    },
    pay: async () => {
      events.take(event('payment.received', 'e1'))
      events.take(event('payment.confirmed', 'e2'))
      return { slateId: 'slate-1', excess: '08ab', transaction: {} }
    },
    events,
    print: (line = '') => lines.push(line),
    clock: {
      now: () => now,
      monotonic: () => now,
      sleep: async (ms) => {
        now += Math.max(ms, 1000)
      },
    },
    startedAt: STARTED,
    signal: new AbortController().signal,
  }
  return { parts, lines, heard }
}

test('every step of an invoice is printed once, in order', async () => {
  const { parts, lines } = stage([
    ['open', 0],
    ['paid', 0],
    ['paid', 0],
    ['paid', 1],
    ['confirmed', 3],
  ])
  const summary = await runScript(parts)
  expect(lines.filter((line) => /→|confirmations/.test(line)).map((line) => line.trim())).toEqual([
    'open → paid, 0 of 3 confirmations',
    'paid, 1 of 3 confirmations',
    'paid → confirmed',
  ])
  expect(summary).toEqual({ invoiceId: 'inv1', payUrl: PAY_URL, seconds: 4 })
})

test('in the end an open invoice is shown, with its address and a code to scan', async () => {
  const { parts, lines } = stage([['confirmed', 3]])
  await offerInvoice(parts)
  expect(lines).toContain(`     checkout  ${PAY_URL}`)
  expect(lines.filter((line) => /[▀▄█]/.test(line)).length).toBeGreaterThan(10)
})

test('an invoice that does not move is given up after two minutes, by name', async () => {
  const { parts } = stage([['paid', 0]])
  expect(await codeOf(() => runScript(parts))).toBe('SANDBOX_STUCK')
})

describe('the event feed', () => {
  test('tells a repeated delivery once', () => {
    const heard: SeenEvent[] = []
    const feed = createEventFeed((seen) => heard.push(seen))
    feed.take(event('payment.received', 'e1'))
    feed.take(event('payment.received', 'e1'))
    expect(heard).toEqual([{ eventId: 'e1', type: 'payment.received', invoiceId: 'inv1' }])
  })

  test('waits for the kind and the invoice asked for', async () => {
    const feed = createEventFeed(() => undefined)
    const waiting = feed.wait('payment.confirmed', 'inv1', new AbortController().signal)
    feed.take(event('payment.confirmed', 'e1', 'another'))
    feed.take(event('payment.received', 'e2'))
    feed.take(event('payment.confirmed', 'e3'))
    expect((await waiting).eventId).toBe('e3')
  })

  test('stops waiting on abort', async () => {
    const stop = new AbortController()
    const waiting = createEventFeed(() => undefined).wait('payment.confirmed', 'inv1', stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })
})

test('every line says SANDBOX', () => {
  const out: string[] = []
  const print = createPrinter((text) => out.push(text))
  print('1  The shop creates an invoice')
  print()
  expect(out.every((line) => line.includes('SANDBOX') && line.endsWith('\n'))).toBe(true)
})
