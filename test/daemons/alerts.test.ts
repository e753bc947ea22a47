// The alert rules ask for figures that the daemons really print, under the names that they have there.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createMetricsPart } from '../../src/daemons/parts/pay/metrics.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createFakeTill } from '../support/fake-till.js'
import { nameDaemon } from '../support/name-daemon.js'
import { relayDaemon } from '../support/relay-daemon.js'

const RULES = readFileSync('templates/alerts/grinpay.rules.yml', 'utf8')
const SCRAPES = readFileSync('templates/alerts/prometheus.yml', 'utf8')

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const pageOf = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
const namesIn = (page: string) => new Set([...page.matchAll(/^([a-z0-9_]+)[ {]/gm)].map(([, name]) => name))

const pages: Readonly<Record<string, () => Promise<string>>> = {
  async pay() {
    const port = await freePort()
    const till = createFakeTill()
    const part = await createMetricsPart({
      bind: { host: '127.0.0.1', port },
      version: '1.2.3',
      till: { ...till, status: async () => ({ ...(await till.status()), tipTime: systemClock.now() - 92_000 }) },
      invoices: () => ({ created: 0, cancelled: 0 }),
      dbPath: '/tmp/pay.db',
      checks: async () => [{ name: 'tor', ok: false, detail: '', informative: true }],
      clock: systemClock,
      random: systemRandom,
    })
    onTestFinished(() => part.stop())
    await part.start(new AbortController().signal)
    return pageOf(port)
  },
  async nameauth() {
    const port = await freePort()
    const { daemon, close } = await nameDaemon({ NAMEAUTH_METRICS_BIND: `127.0.0.1:${port}` })
    onTestFinished(() => close())
    await daemon.start()
    return pageOf(port)
  },
  async relay() {
    const port = await freePort()
    const { daemon, close } = await relayDaemon(`[metrics]\nbind = "127.0.0.1:${port}"\n`)
    onTestFinished(() => close())
    await daemon.start()
    return pageOf(port)
  },
}

/** Names of figures in the expressions of the rules. */
const asked = [...RULES.matchAll(/^\s+expr: (.+)$/gm)].map(([, text = '']) => [
  ...new Set([...text.matchAll(/\b(grinpay_[a-z_]+)/g)].map(([, name = '']) => name)),
])

test('there are six rules, each with a figure, a severity and a remedy', () => {
  const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(alerts).toEqual([
    'GrinpayNotReady',
    'GrinpayNodeBehind',
    'GrinpayWebhooksLate',
    'GrinpayWebhookAbandoned',
    'GrinpayDiskFull',
    'GrinpayClockSkew',
  ])
  expect(asked.map((names) => names.length > 0)).toEqual(Array(6).fill(true))
  for (const word of ['severity:', 'summary:', 'description:']) expect(RULES.split(word).length - 1).toBe(6)
  expect(SCRAPES).toContain('job_name: grinpay\n')
})

test('the till prints every figure that a rule asks for', async () => {
  const page = await pages.pay?.()
  const names = namesIn(page ?? '')
  for (const name of asked.flat()) expect(names).toContain(name)
  expect(page).toMatch(/^grinpay_node_tip_age_seconds 9\d(\.\d+)?$/m)
  expect(page).toContain('grinpay_daemon_ready{daemon="pay"} 1\n') // tor is informative here
  expect(page).toContain('grinpay_ready{check="tor"} 0\n')
})

test.each(['nameauth', 'relay'])('%s prints those that are about every daemon', async (daemon) => {
  const page = (await pages[daemon]?.()) ?? ''
  const names = namesIn(page)
  for (const name of [
    'grinpay_daemon_ready',
    'grinpay_disk_free_bytes',
    'grinpay_disk_size_bytes',
    'grinpay_time_seconds',
  ])
    expect(names).toContain(name)
  expect(page).toContain(`grinpay_daemon_ready{daemon="${daemon}"} 1\n`)
  const now = Number(/^grinpay_time_seconds (\S+)$/m.exec(page)?.[1])
  expect(Math.abs(now - systemClock.now() / 1000)).toBeLessThan(60)
})
