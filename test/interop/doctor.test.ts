// The doctor at programs that were not written for it: nostr-rs-relay, and a Tor network of its own.
import { afterEach, describe, expect, test } from 'vitest'
import { createOnionPart } from '../../src/daemons/parts/pay/onion.js'
import { formatAddress, parseOnion } from '../../src/grin/slatepack/index.js'
import { Secret } from '../../src/lib/secret.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { diagnose, lines } from '../support/doctor.js'
import { missingRelay, type RelayLimits, startRealRelay } from '../support/nostr-relay.js'
import { ADDRESS } from '../support/onion-keeper.js'
import { newKey } from '../support/relay-pool.js'
import { noTorNetwork, startTorNetwork } from '../support/tor-network.js'

const cleanups: (() => Promise<void> | undefined)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const missing = missingRelay()

describe.skipIf(missing)(`nostr-rs-relay${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const nsec = Buffer.from(newKey().secret.reveal()).toString('hex')

  async function look(limits?: RelayLimits): Promise<readonly string[]> {
    const relay = await startRealRelay(limits)
    cleanups.push(relay.clean)
    const variables = { PAY_RELAY_MODE: 'external', PAY_RELAYS: relay.url, PAY_NSEC: nsec }
    return lines(await diagnose({ variables, only: ['relay'], clock: systemClock }))
  }

  test('as it comes delivers everything', async () => {
    expect((await look())[0]).toMatch(/^pass delivers to one-time keys in \d+ ms, to the main key in \d+ ms, 40 KB in/)
  })

  test('that asks who reads is answered', async () => {
    expect((await look({ challenges: true }))[0]).toMatch(/^pass .*; it asks who reads \(NIP-42\) and was answered$/)
  })

  test('with small limits is said to have them', async () => {
    expect((await look({ maxBytes: 20_000 }))[0]).toMatch(/^fail (refuses|takes) a gift wrap of 40 KB/)
  })
})

describe.skipIf(noTorNetwork)(`a Tor network${noTorNetwork ? ` (skipped: ${noTorNetwork})` : ''}`, () => {
  test('tells a published service from an unpublished one', async () => {
    const network = await startTorNetwork()
    cleanups.push(network.close)
    const control = { torControl: network.control, torPassword: undefined, grin1ForeignPort: 9 }
    const silent = { info: () => {}, warn: () => {} }
    const clock = systemClock
    const part = createOnionPart({
      config: control,
      seed: new Secret(ADDRESS.seed),
      clock,
      random: systemRandom,
      log: silent,
    })
    const look = async () =>
      lines(
        await diagnose({
          variables: { PAY_GRIN1_RAIL: 'on', PAY_TOR_CONTROL: `unix:${network.control.path}` },
          only: ['tor'],
          address: formatAddress('grin', parseOnion(part.onion)),
          clock,
        }),
      )
    await expect
      .poll(look, { timeout: 200_000, interval: 2000 })
      .toEqual([
        expect.stringMatching(/^pass tor .* lets us in$/),
        'pass tor has joined its network',
        `fail tor does not serve ${part.onion}`,
      ])
    await part.start(new AbortController().signal)
    cleanups.push(part.stop)
    await expect
      .poll(async () => (await look()).at(-1), { timeout: 200_000, interval: 2000 })
      .toMatch(new RegExp(`^pass ${part.onion.replace('.', '\\.')} is published: fetched back in \\d+ ms$`))
  })
})
