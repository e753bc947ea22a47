// Events of one relay in another one, by the built command: whole sets, while both run and while neither does, and out of a killed import.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { commandHome } from '../support/command-home.js'
import { keyPairOf } from '../support/nostr.js'
import { cleanEnvironment, freePort, ROOT, startDaemon } from '../support/till-process.js'

const ENTRY = join(ROOT, 'bin/run.js')
const COUNT = 1500
const { folder, at, spawned: run } = commandHome('relay-moving')
const grinpay = (words: readonly string[], variables?: Readonly<Record<string, string>>) =>
  run(['relay', ...words], variables)

const idsIn = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as NostrEvent).id)

/** Gift wraps and profiles, some in the same second. */
function events(): readonly NostrEvent[] {
  const now = Math.floor(systemClock.now() / 1000)
  const { secret, pubkey } = keyPairOf('ada')
  return Array.from({ length: COUNT }, (_, n) => {
    const created_at = now - (n % 900) * 60
    const wrap = { kind: 1059, created_at, tags: [['p', pubkey]], content: `${n} ${'x'.repeat(300)}` }
    return signEvent(n % 100 === 0 ? { ...wrap, kind: 7 } : wrap, secret, systemRandom)
  })
}

beforeAll(() => {
  for (const name of ['first', 'second', 'killed']) mkdirSync(at(name))
  const lines = events().map((event) => JSON.stringify(event))
  writeFileSync(at('events.jsonl'), `${lines.join('\n')}\n`)
})

async function startRelay(name: string) {
  const port = await freePort()
  const settings = { HOME: folder, RELAY_NETWORK_PORT: String(port) }
  const relay = await startDaemon({
    command: ['serve', 'relay', '--db', at(name)],
    settings,
    bind: `127.0.0.1:${port}`,
  })
  return { relay, settings }
}

test('export and import carry the whole set, with relays that are stopped and with relays that run', async () => {
  const all = [...idsIn(readFileSync(at('events.jsonl'), 'utf8'))].sort()
  const filled = grinpay(['import', 'events.jsonl', '--db', at('first'), '--json'])
  expect([filled.exit, JSON.parse(filled.stdout)]).toMatchObject([
    0,
    { through: 'database', stored: COUNT, refused: 0 },
  ])

  const [one, two] = [await startRelay('first'), await startRelay('second')]
  expect(grinpay(['export', '--db', at('first'), '-o', 'out.jsonl'], one.settings).exit).toBe(0)
  const moved = grinpay(['import', 'out.jsonl', '--db', at('second'), '--json'], two.settings)
  expect([moved.exit, JSON.parse(moved.stdout)]).toMatchObject([0, { through: 'running relay', stored: COUNT }])
  const again = grinpay(['import', 'out.jsonl', '--db', at('second'), '--json'], two.settings)
  expect(JSON.parse(again.stdout)).toMatchObject({ stored: 0, known: COUNT })

  const exported = readFileSync(at('out.jsonl'), 'utf8')
  expect([...idsIn(exported)].sort()).toEqual(all)
  const there = grinpay(['export', '--db', at('second')], two.settings)
  expect(there.stdout.split('\n').sort()).toEqual(exported.split('\n').sort())
  expect(await one.relay.stop()).toBe(0)
  expect(await two.relay.stop()).toBe(0)
  expect(grinpay(['export', '--db', at('second')]).stdout).toBe(there.stdout)
})

test('an import that is killed goes on where it was when it is repeated', async () => {
  const args = ['relay', 'import', '-', '--db', at('killed')]
  const child = spawn(process.execPath, [ENTRY, ...args], { env: cleanEnvironment({ HOME: folder }), cwd: folder })
  const lines = readFileSync(at('events.jsonl'), 'utf8').split('\n')
  child.stdin.on('error', () => {}) // it is killed while it reads
  // The end never comes: it is waiting for more when it is killed.
  child.stdin.write(`${lines.slice(0, 1200).join('\n')}\n`)
  const stored = () => Number(grinpay(['stats', '--db', at('killed'), '--quiet']).stdout)
  for (let looks = 0; looks < 100 && !(stored() > 0); looks++) await systemClock.sleep(100)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const kept = stored()
  expect(kept).toBeGreaterThan(0)
  const rest = grinpay(['import', 'events.jsonl', '--db', at('killed'), '--json'])
  expect(JSON.parse(rest.stdout)).toMatchObject({ stored: COUNT - kept, known: kept, refused: 0 })
})

test('a reader that closes early ends an export without an error', () => {
  const command = `"${process.execPath}" "${ENTRY}" relay export --db first | head -1 | wc -l`
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    ...{ encoding: 'utf8', cwd: folder, env: cleanEnvironment({ HOME: folder }) },
  })
  expect([stdout.trim(), stderr]).toEqual(['1', ''])
})
