// The keeper of the onion service against a control port that does everything a tor may do to it.
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { createFakeClock } from '../support/fake-clock.js'
import { type FakeTorOptions, startFakeTor } from '../support/fake-tor.js'
import { ADDRESS, ADDRESSES, createNapClock, keeperOf } from '../support/onion-keeper.js'

const MINUTE = 60_000
const { onion } = ADDRESS

async function running(options: FakeTorOptions = {}) {
  const tor = await startFakeTor(options)
  onTestFinished(tor.close)
  const clock = createNapClock()
  const watched = keeperOf({ clock, control: { endpoint: tor.endpoint } })
  onTestFinished(watched.keeper.stop)
  watched.keeper.start()
  /** Waits out the pause after the first failure. */
  const retry = async () => {
    await clock.nap(2000)
    await clock.advance(2000)
  }
  /** Time passes until the keeper looks after the service for the `n`-th time, and has seen what there is to see. */
  const look = async (n: number, minutes: number) => {
    await clock.nap(30_000, n)
    await clock.advance(minutes * MINUTE)
    await clock.nap(30_000, n + 1)
    return tor.commands.filter((command) => /^(ADD|DEL)_/.test(command)).map((command) => command.slice(0, 3))
  }
  return { ...watched, tor, clock, retry, look }
}

/** The same, with the service handed over and one upload confirmed. */
async function published() {
  const all = await running()
  await all.line('is being published')
  all.tor.upload(onion)
  await all.line('is published')
  return all
}

test.each(ADDRESSES)('the service of $onion is added with its port behind port 80', async ({ seed, onion: id }) => {
  const tor = await startFakeTor()
  onTestFinished(tor.close)
  const { keeper, line } = keeperOf({
    clock: createFakeClock(),
    control: { endpoint: tor.endpoint },
    seed: new Secret(seed),
    onion: id,
    port: 4000,
  })
  keeper.start()
  await line('is being published')
  expect([...tor.services].map(([name, { target }]) => [name, target])).toEqual([[id, '127.0.0.1:4000']])
  await keeper.stop()
  expect(tor.commands.at(-1)).toBe(`DEL_ONION ${id}`)
  expect(tor.services.size).toBe(0)
})

test('it counts as reachable once a directory confirmed the descriptor', async () => {
  const { keeper, tor, line } = await running()
  await line('is being published')
  expect(keeper.state()).toMatchObject({ ok: false, bootstrap: 100, published: null, version: '0.0.0-fake' })
  tor.upload(ADDRESSES[1]!.onion)
  tor.upload(onion)
  await line('is published')
  expect(keeper.state()).toMatchObject({ ok: true, onion: `${onion}.onion`, detail: 'published, last 0 min ago' })
})

test('while tor joins its network, the state says how far it is', async () => {
  const { keeper, tor, line } = await running({
    answer: (command) =>
      command.startsWith('GETINFO status')
        ? '250-status/bootstrap-phase=WARN BOOTSTRAP PROGRESS=5 SUMMARY="Conn"\r\n250 OK'
        : undefined,
  })
  await line('waits until tor has joined')
  expect(keeper.state()).toMatchObject({ ok: false, bootstrap: 5, detail: 'tor is joining its network: 5 %, Conn' })
  tor.setBootstrap(100)
  await line('is being published')
  expect(keeper.state()).toMatchObject({ bootstrap: 100 })
})

test('when a directory refuses the descriptor, the state says why', async () => {
  const { keeper, tor, line } = await running()
  await line('is being published')
  tor.say(`650 HS_DESC FAILED ${onion} UNKNOWN $AB desc REASON=UPLOAD_REJECTED`)
  tor.say('650 STATUS_CLIENT NOTICE BOOTSTRAP PROGRESS=90 SUMMARY="x"')
  await line('waits until')
  tor.setBootstrap(100)
  await line('is being published', 2)
  expect(keeper.state().detail).toContain('a directory refused it: UPLOAD_REJECTED')
})

test('when tor dies the service is down, and comes back with tor: two lines in the log', async () => {
  const { keeper, tor, lines, line, retry } = await published()
  const before = lines.length
  tor.cut()
  await line('is down')
  expect(keeper.state()).toMatchObject({ ok: false, bootstrap: null, standing: 'down' })
  expect(keeper.state().published).not.toBeNull()
  await retry()
  await tor.waitForCommand('ADD_ONION', 2)
  await line('is being published', 2)
  expect(keeper.state().ok).toBe(false)
  expect(lines.length - before).toBe(2)
})

test('after a connection that held for minutes the next failure is a first one', async () => {
  const { tor, clock, line, retry } = await published()
  tor.cut()
  await line('is down')
  await retry()
  await tor.waitForCommand('ADD_ONION', 2)
  for (const look of [2, 3, 4]) {
    await clock.nap(30_000, look)
    await clock.advance(30_000)
  }
  tor.cut()
  await line('is down', 2)
  await clock.nap(2000, 2)
})

test('an error that stays the same is logged once, and tried again after 2 to 60 seconds', async () => {
  const { lines, clock } = await running({ methods: 'HASHEDPASSWORD' })
  const pauses = [2000, 4000, 8000, 16_000, 32_000, 60_000]
  for (const pause of pauses) {
    await clock.nap(pause)
    await clock.advance(pause)
  }
  await clock.nap(60_000, 2)
  expect(clock.naps.filter((nap) => nap !== 10_000)).toEqual([...pauses, 60_000])
  expect(lines.map(({ text }) => text)).toEqual(['onion service is looked after', 'onion service is down'])
})

test('the pauses are up to half shorter, by chance', async () => {
  const tor = await startFakeTor({ methods: 'HASHEDPASSWORD' })
  onTestFinished(tor.close)
  const clock = createNapClock()
  const random = { bytes: (length: number) => new Uint8Array(length) }
  const { keeper } = keeperOf({ clock, random, control: { endpoint: tor.endpoint } })
  onTestFinished(keeper.stop)
  keeper.start()
  await clock.nap(1000)
})

test('a service that an earlier connection left behind is waited for', async () => {
  let taken = true
  const { keeper, tor, line, retry } = await running({
    answer: (command) => (taken && command.startsWith('ADD_ONION') ? '550 Onion address collision' : undefined),
  })
  expect(await line('is down')).toContain(`tor already serves ${onion}`)
  expect(tor.commands.filter((command) => command.startsWith('DEL_ONION'))).toHaveLength(1)
  taken = false
  await retry()
  await line('is being published')
  expect(keeper.state().standing).toBe('publishing')
})

test('a service of ours that is detached is replaced at once', async () => {
  let detached = true
  const { line } = await running({
    answer(command) {
      if (detached && command.startsWith('ADD_ONION')) return '550 Onion address collision'
      if (!detached || !command.startsWith('DEL_ONION')) return undefined
      detached = false
      return '250 OK'
    },
  })
  await line('is being published')
})

test('a service that comes back under another name is taken down and reported', async () => {
  const other = ADDRESSES[2]!.onion
  const { line, tor } = await running({
    answer: (command) => (command.startsWith('ADD_ONION') ? `250-ServiceID=${other}\r\n250 OK` : undefined),
  })
  expect(await line('is down')).toContain(`tor created the onion service ${other} from the wallet key`)
  expect(tor.commands).toContain(`DEL_ONION ${other}`)
})

test('a service that tor forgot is handed over again at the next look', async () => {
  const { tor, look } = await published()
  tor.forget()
  expect(await look(1, 1)).toEqual(['ADD', 'ADD'])
})

test('a service that tor stopped uploading is published anew', async () => {
  const { keeper, tor, look, line } = await published()
  expect(await look(1, 129)).toEqual(['ADD'])
  expect(keeper.state()).toMatchObject({ ok: true, detail: 'published, last 129 min ago' })
  expect(await look(2, 2)).toEqual(['ADD', 'DEL', 'ADD'])
  expect(keeper.state().ok).toBe(false)
  await line('publishing it anew')
  tor.upload(onion)
  await line('onion service is published', 2)
  expect(keeper.state().ok).toBe(true)
})

test('a service that tor uploads every two hours is left alone', async () => {
  const { keeper, tor, clock, look } = await published()
  for (const n of [1, 2, 3]) {
    expect(await look(n, 120)).toEqual(['ADD'])
    const now = clock.now()
    tor.upload(onion)
    await expect.poll(() => keeper.state().published).toBe(now)
  }
})

test('a first upload that does not come is tried anew after 10 minutes, then after 20', async () => {
  const { look } = await running()
  expect(await look(1, 9)).toEqual(['ADD'])
  expect(await look(2, 2)).toEqual(['ADD', 'DEL', 'ADD'])
  expect(await look(3, 19)).toEqual(['ADD', 'DEL', 'ADD'])
  expect(await look(4, 2)).toEqual(['ADD', 'DEL', 'ADD', 'DEL', 'ADD'])
})

test('a first upload is not waited for while tor has not joined its network', async () => {
  const { tor, look, line } = await running({
    answer: (command) =>
      command.startsWith('GETINFO status')
        ? '250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=50\r\n250 OK'
        : undefined,
  })
  await line('waits until')
  expect(await look(1, 1000)).toEqual(['ADD'])
  tor.misbehave(undefined)
  expect(await look(2, 1)).toEqual(['ADD'])
  expect(await look(3, 9)).toEqual(['ADD'])
  expect(await look(4, 2)).toEqual(['ADD', 'DEL', 'ADD'])
})

const TROUBLE: readonly [string, string, FakeTorOptions['answer'], string][] = [
  ['refuses the events', 'SETEVENTS', () => '552 Unrecognized event', 'tor refused SETEVENTS: 552'],
  ['refuses the service', 'ADD_ONION', () => '512 Invalid', 'tor refused ADD_ONION: 512 Invalid'],
  ['does not know the command', 'ADD_ONION', () => '510 Unrecognized command', 'tor refused ADD_ONION: 510'],
  ['fails inside', 'ADD_ONION', () => '551 Failed to generate', 'tor refused ADD_ONION: 551'],
  ['refuses every login', 'AUTHENTICATE', () => '515 Authentication failed', 'refused the login'],
  ['talks nonsense', 'GETINFO', () => 'hello', 'does not speak'],
  ['forgets the name of the service', 'ADD_ONION', () => '250 OK', 'of no name'],
]

test.each(TROUBLE)('a tor that %s does not stop the keeper', async (_, verb, answer, message) => {
  const { tor, line, retry } = await running({
    answer: (command) => (command.startsWith(verb) ? answer?.(command) : undefined),
  })
  expect(await line('is down')).toContain(message)
  tor.misbehave(undefined)
  await retry()
  await line('is being published')
})

test('a control port that hangs is left after 10 s and dialled again', async () => {
  const { tor, clock, line, retry } = await published()
  tor.misbehave((command) => (command.startsWith('GETINFO') ? null : undefined))
  await clock.nap(30_000)
  await clock.advance(30_000)
  await tor.waitForCommand('GETINFO status', 2)
  await clock.advance(10_000)
  expect(await line('is down')).toContain('did not answer GETINFO within 10 s')
  tor.misbehave(undefined)
  await retry()
  await line('is being published', 2)
})

test('stopping does not wait for a tor that hangs', async () => {
  const { keeper, tor, clock } = await published()
  tor.misbehave(() => null)
  const stopped = keeper.stop()
  await tor.waitForCommand('DEL_ONION')
  await clock.advance(3000)
  await stopped
  expect(clock.sleepers()).toBe(0)
})

test('stopping works before tor was reached, twice, and without a start', async () => {
  const tor = await startFakeTor({ answer: () => null })
  onTestFinished(tor.close)
  const clock = createFakeClock()
  const { keeper } = keeperOf({ clock, control: { endpoint: tor.endpoint } })
  await keeper.stop()
  const second = keeperOf({ clock, control: { endpoint: tor.endpoint } })
  second.keeper.start()
  await tor.waitForCommand('PROTOCOLINFO')
  await Promise.all([second.keeper.stop(), second.keeper.stop()])
  expect(clock.sleepers()).toBe(0)
})

test('neither log nor state ever holds the key', async () => {
  const { keeper, tor, printed, line } = await running({
    answer: (command) => (command.startsWith('ADD_ONION') ? `512 I heard "${command}"` : undefined),
  })
  await line('is down')
  const sent = tor.commands.find((command) => command.startsWith('ADD_ONION')) ?? ''
  const key = /ED25519-V3:(\S{88})/.exec(sent)?.[1] ?? 'no key was sent'
  const shown = [...printed(), JSON.stringify(keeper.state())].join('\n')
  expect(shown).toContain('I heard')
  expect(shown).not.toContain(key.slice(0, 12))
})
