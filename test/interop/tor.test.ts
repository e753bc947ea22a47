// The onion service in a whole Tor network of real tors on this machine: published, visited, and back after every kind of end.
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOnionPart } from '../../src/daemons/parts/pay/onion.js'
import { Secret } from '../../src/lib/secret.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { ADDRESS } from '../support/onion-keeper.js'
import { noTorNetwork, startTorNetwork, type TorNetwork } from '../support/tor-network.js'
import { visitOnion } from './visit-onion.js'

const REQUEST = 'GET /v2/foreign HTTP/1.0\r\n\r\n'
const PATIENCE = { timeout: 300_000, interval: 1000 }
const silent = { info: () => {}, warn: () => {} }

describe.skipIf(noTorNetwork)(`in a Tor network of its own${noTorNetwork ? ` (skipped: ${noTorNetwork})` : ''}`, () => {
  let network: TorNetwork
  let server: Server
  let port: number

  const aPart = () =>
    createOnionPart({
      config: { torControl: network.control, torPassword: undefined, grin1ForeignPort: port },
      seed: new Secret(ADDRESS.seed),
      clock: systemClock,
      random: systemRandom,
      log: silent,
    })
  let part: ReturnType<typeof aPart>

  const visit = () =>
    visitOnion(network.socks, part.onion, REQUEST).then(
      (answer) => answer.split('\r\n').at(-1),
      () => 'not reachable',
    )

  beforeAll(async () => {
    server = createServer((_, response) => void response.end('the till'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = address && typeof address === 'object' ? address.port : 0
    network = await startTorNetwork()
    part = aPart()
  })

  afterAll(async () => {
    await part?.stop()
    await network?.close()
    server?.close()
  })

  test('the service is published, and a visitor reaches the port behind it', async () => {
    await part.start(new AbortController().signal)
    await expect.poll(() => part.check?.(), PATIENCE).toMatchObject({ ok: true })
    await expect.poll(visit, PATIENCE).toBe('the till')
  })

  test('tor crashes: the service is published again, and reached', async () => {
    const before = part.state()?.published
    await network.crashService()
    await expect.poll(() => part.state()?.published !== before && part.state()?.ok, PATIENCE).toBe(true)
    await expect.poll(visit, PATIENCE).toBe('the till')
  })

  test('after stop it is gone, and the next till has it back under the same address', async () => {
    await part.stop()
    await expect.poll(visit, PATIENCE).toBe('not reachable')
    part = aPart()
    await part.start(new AbortController().signal)
    await expect.poll(() => part.check?.(), PATIENCE).toMatchObject({ ok: true })
    await expect.poll(visit, PATIENCE).toBe('the till')
  })
})
