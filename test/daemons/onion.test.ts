import { expect, onTestFinished, test } from 'vitest'
import { createOnionPart } from '../../src/daemons/parts/pay/onion.js'
import { Secret } from '../../src/lib/secret.js'
import { systemRandom } from '../../src/system/index.js'
import { createFakeClock } from '../support/fake-clock.js'
import { startFakeTor } from '../support/fake-tor.js'
import { ADDRESS } from '../support/onion-keeper.js'

const silent = { info: () => {}, warn: () => {} }
const rest = { seed: new Secret(ADDRESS.seed), clock: createFakeClock(), random: systemRandom, log: silent }

test('the service has the address of the wallet, and the check is what the keeper knows', async () => {
  const tor = await startFakeTor()
  onTestFinished(tor.close)
  const config = { torControl: tor.endpoint, torPassword: undefined, grin1ForeignPort: 4000 }
  const part = createOnionPart({ config, ...rest })
  expect(part.onion).toBe(`${ADDRESS.onion}.onion`)
  await part.start(new AbortController().signal)
  await tor.waitForCommand('ADD_ONION')
  expect(tor.services.get(ADDRESS.onion)?.target).toBe('127.0.0.1:4000')
  expect(await part.check?.()).toMatchObject({ ok: false })
  tor.upload(ADDRESS.onion)
  await expect.poll(() => part.check?.()).toEqual({ ok: true, detail: 'published, last 0 min ago' })
  await part.stop()
  expect(tor.services.size).toBe(0)
})

test('where another process keeps the service, nothing is dialled and nothing is unready', async () => {
  const part = createOnionPart({
    config: { torControl: undefined, torPassword: undefined, grin1ForeignPort: 4000 },
    ...rest,
  })
  await part.start(new AbortController().signal)
  expect(part.state()).toBeUndefined()
  expect(await part.check?.()).toEqual({
    ok: true,
    detail: `not ours to keep: ${ADDRESS.onion}.onion is expected to reach 127.0.0.1:4000`,
  })
  await part.stop()
})
