// The same against the tor of this machine (its network switched off): our address is its onion service.
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import { type SystemClock, systemClock, systemRandom } from '../../src/system/index.js'
import { ANSWER_LIMIT_MS, openChannel, openSocketStream } from '../../src/tor/channel.js'
import { addOnion, hasOnion, readProgress, removeOnion } from '../../src/tor/commands.js'
import { openControl, type TorControlParts } from '../../src/tor/control.js'
import { ADDRESS, ADDRESSES, keeperOf } from '../support/onion-keeper.js'
import { hashPassword, noRealTor, startRealTor } from './real-tor.js'

const never = new AbortController().signal
const service = { onion: ADDRESS.onion, seed: new Secret(ADDRESS.seed), port: 3416 }

async function connect(parts: Pick<TorControlParts, 'endpoint'> & Partial<TorControlParts>) {
  const control = await openControl({ clock: systemClock, random: systemRandom, ...parts }, never)
  onTestFinished(control.close)
  return control
}

/** Time passes 20 times as fast; only for its answers a busy machine gets 3 s. */
const fastClock: SystemClock = {
  now: () => systemClock.now() * 20,
  monotonic: () => systemClock.now() * 20,
  sleep: (ms, signal) => systemClock.sleep(ms === ANSWER_LIMIT_MS ? 3000 : ms / 20, signal),
}

describe.skipIf(noRealTor)(`with a real tor${noRealTor ? ` (skipped: ${noRealTor})` : ''}`, () => {
  test('the onion service of every address is the onion of that address', async () => {
    const tor = await startRealTor()
    const control = await connect({ endpoint: tor.endpoint })
    for (const { seed, onion } of ADDRESSES) {
      await addOnion(control, { seed: new Secret(seed), onion, port: 3416 })
      expect(await hasOnion(control, onion)).toBe(true)
    }
    for (const { onion } of ADDRESSES) expect(await removeOnion(control, onion)).toBe(true)
    expect(await hasOnion(control, ADDRESS.onion)).toBe(false)
    expect(await removeOnion(control, ADDRESS.onion)).toBe(false)
    expect(control.version).toMatch(/^0\.\d+\.\d+/)
    expect(await readProgress(control)).toEqual({ percent: 0, step: 'Starting' })
  })

  test('a key of another address is noticed and its service taken down', async () => {
    const tor = await startRealTor()
    const control = await connect({ endpoint: tor.endpoint })
    const other = ADDRESSES[1]!
    await expect(addOnion(control, { ...service, onion: other.onion })).rejects.toMatchObject({ code: 'ONION_OTHER' })
    expect(await hasOnion(control, ADDRESS.onion)).toBe(false)
  })

  test('a service belongs to its connection and ends with it', async () => {
    const tor = await startRealTor()
    const [first, second] = [await connect({ endpoint: tor.endpoint }), await connect({ endpoint: tor.tcp() })]
    await addOnion(first, service)
    await expect(addOnion(second, service)).rejects.toMatchObject({ code: 'ONION_TAKEN' })
    expect(await removeOnion(second, service.onion)).toBe(false)
    first.close()
    await expect
      .poll(() =>
        addOnion(second, service).then(
          () => 'added',
          () => 'refused',
        ),
      )
      .toBe('added')
  })

  test('a wrong cookie is refused on both sides', async () => {
    const tor = await startRealTor()
    const readCookie = async () => new Secret(new Uint8Array(randomBytes(32)))
    await expect(connect({ endpoint: tor.endpoint, readCookie })).rejects.toMatchObject({ code: 'TOR_NOT_GENUINE' })
    const channel = await openChannel(
      { endpoint: tor.endpoint, openStream: openSocketStream, clock: systemClock },
      never,
    )
    onTestFinished(channel.close)
    await channel.ask('AUTHCHALLENGE', `SAFECOOKIE ${'00'.repeat(32)}`)
    await expect(channel.ask('AUTHENTICATE', '00'.repeat(32))).rejects.toThrow(/^tor refused AUTHENTICATE: 515/)
  })

  test('a cookie file that was opened to everybody is refused', async () => {
    const tor = await startRealTor()
    chmodSync(tor.cookieFile, 0o644)
    await expect(connect({ endpoint: tor.endpoint })).rejects.toMatchObject({ code: 'TOR_COOKIE_UNREADABLE' })
  })

  test('a password lets in, another one does not', async () => {
    const password = new Secret('Tür "zu" \\')
    const tor = await startRealTor([`HashedControlPassword ${hashPassword(password.reveal())}`])
    const control = await connect({ endpoint: tor.tcp(), password })
    await addOnion(control, service)
    await expect(connect({ endpoint: tor.tcp(), password: new Secret('no') })).rejects.toMatchObject({
      code: 'TOR_LOGIN_REFUSED',
    })
    await expect(connect({ endpoint: tor.tcp() })).rejects.toThrow(/asks for HASHEDPASSWORD/)
  })

  test('a tor without any lock is used through its socket file only', async () => {
    const tor = await startRealTor([])
    await expect(connect({ endpoint: tor.tcp() })).rejects.toMatchObject({ code: 'TOR_NOT_GENUINE' })
    await addOnion(await connect({ endpoint: tor.endpoint }), service)
  })

  test('tor is killed and started again: the service is handed over anew, and gone after stop', async () => {
    const tor = await startRealTor()
    const { keeper, lines, line } = keeperOf({ clock: fastClock, control: { endpoint: tor.endpoint } })
    onTestFinished(keeper.stop)
    keeper.start()
    await line('waits until tor has joined')
    expect(keeper.state()).toMatchObject({
      ok: false,
      bootstrap: 0,
      detail: 'tor is joining its network: 0 %, Starting',
    })
    await tor.kill()
    await line('is down')
    await tor.start()
    await line('waits until tor has joined', 2)
    expect(lines.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(2)
    const watcher = await connect({ endpoint: tor.endpoint })
    await expect(addOnion(watcher, service)).rejects.toMatchObject({ code: 'ONION_TAKEN' })
    await keeper.stop()
    await addOnion(watcher, service)
  })

  test('tor is there after all: a keeper that began without one finds it', async () => {
    const tor = await startRealTor()
    await tor.kill()
    const { keeper, line } = keeperOf({ clock: fastClock, control: { endpoint: tor.endpoint } })
    onTestFinished(keeper.stop)
    keeper.start()
    expect(await line('is down')).toContain('tor cannot be reached at unix:')
    await tor.start()
    await line('waits until tor has joined')
  })

  test('a tor that stands still is noticed, and used again when it moves', async () => {
    const tor = await startRealTor()
    const { keeper, line } = keeperOf({ clock: fastClock, control: { endpoint: tor.endpoint } })
    onTestFinished(keeper.stop)
    keeper.start()
    await line('waits until tor has joined')
    tor.signal('SIGSTOP')
    expect(await line('is down')).toContain('did not answer GETINFO within 10 s')
    tor.signal('SIGCONT')
    await line('waits until tor has joined', 2)
  })
})
