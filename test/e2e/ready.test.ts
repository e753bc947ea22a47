// `/ready` tells within ten seconds that something a daemon needs went away, or came back: looked at as a monitor would, with the real thing
// switched off. A full disk: relay-trouble.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startSandboxNode } from '../../src/sandbox/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { cableTo } from '../support/cable.js'
import { nameDaemon } from '../support/name-daemon.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { freePort } from '../support/till-process.js'

const LIMIT_MS = 10_000
const ASKED_EVERY_MS = 500

async function cable(target: number) {
  const way = await cableTo(target)
  onTestFinished(way.cut)
  return way
}

interface Ready {
  readonly ready: boolean
  readonly checks: readonly { readonly name: string; readonly status: string }[]
}

/** What it says of one part, and of the whole. */
async function seen(address: string, name: string): Promise<string> {
  const answer = await fetch(`${address}/ready`)
  const { ready, checks } = (await answer.json()) as Ready
  return `${checks.find((check) => check.name === name)?.status} ${answer.status} ${ready}`
}

/** Until it says so; the milliseconds that takes. */
async function takes(look: () => Promise<string>, wanted: string): Promise<number> {
  const since = systemClock.now()
  for (let last = ''; systemClock.now() - since < 3 * LIMIT_MS; await pause(ASKED_EVERY_MS)) {
    last = await look()
    if (last === wanted) return systemClock.now() - since
  }
  return Number.POSITIVE_INFINITY
}

test('a till: its node stops and starts', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-ready-'))
  const workers = createRangeWorkers({ inline: true })
  const node = await startSandboxNode({ verify: workers.verify, clock: systemClock, random: systemRandom })
  const way = await cable(Number(new URL(node.url).port))
  const nodeUrl = `http://127.0.0.1:${way.port}${new URL(node.url).pathname}`
  const port = await freePort()
  const { config } = await sandboxTill(join(folder, 'till'), { port, nodeUrl })
  const daemon = await openSandboxTill(config, { workers })
  onTestFinished(async () => {
    await daemon.stop()
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await daemon.start()
  const look = () => seen(`http://127.0.0.1:${port}`, 'node')
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
  way.cut()
  expect(await takes(look, 'failed 503 false')).toBeLessThan(LIMIT_MS)
  await pause(LIMIT_MS) // long enough for pauses between its tries to grow
  await way.mend()
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
})

test('a relay: its name authority goes away and comes back, while the relay serves on', {
  timeout: 120_000,
}, async () => {
  const names = await nameDaemon()
  onTestFinished(() => names.close())
  await names.daemon.start()
  const way = await cable(Number(new URL(names.daemon.address()).port))
  const relay = await relayDaemon(
    `[info]\nrelay_url = "wss://relay.example"\n[authority]\nmode = "upstream"\nupstream = "http://127.0.0.1:${way.port}"\n`,
  )
  onTestFinished(() => relay.close())
  await relay.daemon.start()
  const look = () => seen(relay.daemon.address(), 'authority')
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
  way.cut()
  expect(await takes(look, 'failed 200 true')).toBeLessThan(LIMIT_MS)
  await way.mend()
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
})

test('a name authority: the till that makes its invoices goes away and comes back', { timeout: 120_000 }, async () => {
  const till = await nameDaemon() // anything that answers at /health
  onTestFinished(() => till.close())
  await till.daemon.start()
  const way = await cable(Number(new URL(till.daemon.address()).port))
  const names = await nameDaemon({
    NAMEAUTH_PAY_MODE: 'name',
    NAMEAUTH_NAME_PRICE_GRIN: '1',
    NAMEAUTH_PAY_URL: `http://127.0.0.1:${way.port}`,
    NAMEAUTH_PAY_TOKEN: 'pay_live_token_xx',
  })
  onTestFinished(() => names.close())
  await names.daemon.start()
  const look = () => seen(names.daemon.address(), 'payments')
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
  way.cut()
  expect(await takes(look, 'failed 200 true')).toBeLessThan(LIMIT_MS)
  await way.mend()
  expect(await takes(look, 'ok 200 true')).toBeLessThan(LIMIT_MS)
})
