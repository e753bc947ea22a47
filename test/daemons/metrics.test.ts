// The figures of a till over real HTTP, also while something behind them is down.
import { get as httpGet } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { countInvoices, createMetricsPart, type MetricsPartParts } from '../../src/daemons/parts/pay/metrics.js'
import { portFor } from '../../src/daemons/parts/ports.js'
import type { Part } from '../../src/daemons/runtime.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createFakeTill } from '../support/fake-till.js'
import { grin } from '../support/till-builders.js'

let part: Part | undefined
afterEach(() => part?.stop())

async function serve(over: Partial<MetricsPartParts> = {}) {
  const port = await portFor(0, 0)
  part = await createMetricsPart({
    bind: { host: '127.0.0.1', port },
    version: '1.2.3',
    till: createFakeTill(),
    dbPath: '/tmp/pay.db',
    invoices: () => ({ created: 3, cancelled: 1 }),
    checks: async () => [
      { name: 'node', ok: false, detail: 'gone' },
      { name: 'database', ok: true, detail: 'writable' },
    ],
    clock: systemClock,
    random: systemRandom,
    ...over,
  })
  await part.start(new AbortController().signal)
  return (path: string) => read(`http://127.0.0.1:${port}${path}`)
}

const read = (url: string): Promise<{ status: number; type: string; text: string }> =>
  new Promise((resolve, reject) => {
    httpGet(url, { agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text }),
      )
    }).on('error', reject)
  })

const lineOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test('every figure of the till is there, in the format of Prometheus', async () => {
  const { status, type, text } = await (await serve())('/metrics')
  expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
  for (const line of [
    'grinpay_build_info{version="1.2.3",daemon="pay"} 1',
    'grinpay_daemon_ready{daemon="pay"} 0',
    'grinpay_ready{check="node"} 0',
    'grinpay_ready{check="database"} 1',
    'grinpay_invoices_total{status="created"} 3',
    'grinpay_payments_total{settlement="confirmed"} 1',
    'grinpay_payments_nanogrin{settlement="confirmed"} 1152921504606846976',
    'grinpay_webhook_queue_length{receiver="1"} 0',
    'grinpay_webhook_queue_oldest_seconds{receiver="1"} 0',
    'grinpay_webhook_queue_oldest_seconds{receiver="2"} 75',
    'grinpay_webhook_abandoned{receiver="2"} 4',
    'grinpay_letters_queue_length 1',
    'grinpay_letters_queue_oldest_seconds 7',
    'grinpay_relay_connected{relay="wss://relay.example"} 1',
    'grinpay_relay_round_trip_seconds{relay="wss://relay.example"} 0.041',
    'grinpay_relay_received_total{relay="wss://relay.example"} 3',
    'grinpay_inbox_messages_total{outcome="received"} 3',
    'grinpay_node_height 1000000',
  ])
    expect(text.split('\n')).toContain(line)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? \S+)$/)
  const named = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(new Set(named).size).toBe(named.length)
})

test('what this process takes is plausible', async () => {
  const { text } = await (await serve())('/metrics')
  const figure = (name: string) => Number(lineOf(text, `${name} `)[0]?.split(' ')[1])
  expect(figure('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(figure('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(Math.abs(figure('process_start_time_seconds') * 1000 - systemClock.now())).toBeLessThan(3_600_000)
  expect(figure('nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0)
})

test('a database that is down costs its own figures only', async () => {
  const down = () => Promise.reject(new Error('closed'))
  const ask = await serve({ till: { status: down, balance: down } })
  const { status, text } = await ask('/metrics')
  expect(status).toBe(200)
  expect(lineOf(text, 'grinpay_webhook')).toEqual([])
  expect(lineOf(text, 'grinpay_ready')).toHaveLength(2)
  expect(lineOf(text, 'process_cpu_seconds_total')).toHaveLength(1)
})

test('there is nothing else on that listener', async () => {
  const ask = await serve()
  expect((await ask('/admin/status')).status).toBe(404)
  expect((await ask('/invoice')).status).toBe(404)
})

test('invoices are counted when they are new and when they are cancelled', async () => {
  const { till, counts } = countInvoices(createFakeTill())
  const { invoice } = await till.createInvoice({ amountNanogrin: grin(1) })
  await till.createInvoice({ amountNanogrin: grin(1) })
  await till.cancelInvoice(invoice.id)
  await expect(till.cancelInvoice('none')).rejects.toThrow()
  expect(counts()).toEqual({ created: 2, cancelled: 1 })
})
