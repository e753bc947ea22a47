// What a subscription tells: payments, balance and height, also when another window or process changed them; bounded, and not ended by errors.
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openKeychain } from '../../src/grin/keychain/index.js'
import { systemRandom } from '../../src/system/index.js'
import {
  createMemoryStorage,
  openWallet,
  type SubscribeOptions,
  type Wallet,
  type WalletEvent,
  type WalletStorage,
  walletErrors,
} from '../../src/wallet/index.js'
import { prove, verify } from '../support/grin.js'
import { createDirectChain, type DirectChain } from './direct-chain.js'
import { GRIN } from './fixture.js'

const near = { minConfirmations: 1 }
let chain: DirectChain
let ends: (() => void)[]

/** Ticks by hand: a sleeper wakes with the next `tick`, or when its signal ends it. */
function clockByHand() {
  const waits: { readonly ms: number; readonly wake: () => void }[] = []
  return {
    waits,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits.push({ ms, wake: resolve })
        signal.addEventListener('abort', () => resolve())
      }),
    async tick() {
      await expect.poll(() => waits.length).toBe(1)
      const [{ ms, wake } = { ms: 0, wake: () => undefined }] = waits.splice(0)
      wake()
      return ms
    },
  }
}
const clock = clockByHand()

const open = (seed: number, storage: WalletStorage = createMemoryStorage()): Promise<Wallet> =>
  openWallet({
    keychain: openKeychain(new Uint8Array(32).fill(seed)),
    prover: { prove, verify },
    random: systemRandom.bytes,
    now: () => 7,
    sleep: clock.sleep,
    chainType: 'sandbox',
    storage,
  })

const nameOf = (event: WalletEvent): string => {
  if ('transaction' in event) return `${event.type} ${event.transaction.kind} ${event.transaction.id}`
  return event.type === 'height' ? `height ${event.height}` : event.type
}

/** What a subscription told so far, without `changed`. */
function heardBy(wallet: Wallet, options: Omit<SubscribeOptions, 'listener'> = {}): string[] {
  const heard: string[] = []
  const listener = (event: WalletEvent): void => {
    if (event.type !== 'changed' || options.events) heard.push(nameOf(event))
  }
  ends.push(wallet.subscribe({ ...options, listener }))
  return heard
}

const hears = (heard: string[], wanted: readonly string[]) =>
  expect
    .poll(() => [...heard])
    .toEqual(wanted)
    .then(() => heard.splice(0))

beforeEach(() => {
  ends = []
  clock.waits.splice(0)
  chain = createDirectChain()
})
afterEach(() => {
  for (const end of ends) end()
})

/** A wallet with two coins. */
async function funded(storage?: WalletStorage): Promise<Wallet> {
  const wallet = await open(1, storage)
  for (const index of [0, 1]) await chain.mineTo(openKeychain(new Uint8Array(32).fill(1)), index, 60n * GRIN)
  chain.mine(15)
  await wallet.restore(chain)
  return wallet
}

test('a payment of both sides, from begun to reverted, and its way back', async () => {
  const [alice, bob] = [await funded(), await open(2)]
  await bob.refresh(chain)
  const [sent, received] = [heardBy(alice), heardBy(bob)]
  const s1 = await alice.send({ amount: GRIN, ...near })
  await hears(sent, ['created sent 2', 'balance'])
  const s2 = await bob.receive(s1.slate)
  await hears(received, ['created received 0', 'balance'])
  await alice.finalize(s2.slate)
  await alice.post(s1.slateId, chain)
  await hears(sent, ['posted sent 2'])
  expect((await alice.transactions())[2]?.postedAt).toBe(7)
  chain.mine()
  for (const wallet of [alice, bob]) await wallet.refresh(chain)
  const { height } = chain.chain.ledger.tip()
  await hears(sent, [`height ${height}`, 'confirmed sent 2', 'balance'])
  await hears(received, [`height ${height}`, 'confirmed received 0', 'balance'])
  chain.chain.reorg(1, 0)
  for (const wallet of [alice, bob]) await wallet.refresh(chain)
  const { height: after } = chain.chain.ledger.tip()
  const moved = after === height ? [] : [`height ${after}`]
  await hears(received, [...moved, 'reverted received 0', 'balance'])
  await hears(sent, [...moved, 'reverted sent 2', 'balance'])
})

test('a cancelled payment, and one that is open again because its S1 came again', async () => {
  const [alice, bob] = [await funded(), await open(2)]
  const s1 = await alice.send({ amount: GRIN, ...near })
  await bob.receive(s1.slate)
  const heard = heardBy(bob)
  await bob.cancel(s1.slateId)
  await hears(heard, ['cancelled received 0', 'balance'])
  await bob.receive(s1.slate)
  await hears(heard, ['reopened received 0', 'balance'])
})

describe('another wallet of the same storage', () => {
  test('is heard by the signal of the storage', async () => {
    const storage = createMemoryStorage()
    const [here, there] = [await funded(storage), await open(1, storage)]
    const heard = heardBy(there)
    await here.send({ amount: GRIN, ...near })
    await hears(heard, ['created sent 2', 'balance'])
  })

  test('is heard by looking, where a storage has no signal', async () => {
    const { watch: _, ...storage } = createMemoryStorage()
    const [here, there] = [await funded(storage), await open(1, storage)]
    const heard = heardBy(there, { everyMs: 1000 })
    await expect.poll(() => clock.waits.length).toBe(1)
    await here.send({ amount: GRIN, ...near })
    expect(await clock.tick()).toBe(1000)
    await hears(heard, ['created sent 2', 'balance'])
  })
})

test('with a node it asks by itself; a failure is told, makes it wait longer, and ends nothing', async () => {
  const alice = await funded()
  let isDown = false
  const tip: typeof chain.node.tip = async (call) => {
    if (isDown) throw walletErrors.walletNodeFailed('down')
    return chain.node.tip(call)
  }
  const heard = heardBy(alice, { node: { ...chain.node, tip }, everyMs: 2000 })
  expect(await clock.tick()).toBe(2000)
  await expect.poll(() => clock.waits.length).toBe(1)
  isDown = true
  expect(await clock.tick()).toBe(2000)
  await hears(heard, ['failed'])
  expect(await clock.tick()).toBe(4000)
  for (const wanted of [8000, 16_000, 20_000, 20_000]) expect(await clock.tick()).toBe(wanted)
  isDown = false
  chain.mine()
  await clock.tick()
  await expect.poll(() => heard.at(-1)).toBe(`height ${chain.chain.ledger.tip().height}`)
  expect(await clock.tick()).toBe(2000)
})

test('a listener that is busy hears everything that happened meanwhile, once', async () => {
  const alice = await funded()
  const heard: string[] = []
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  ends.push(
    alice.subscribe(async (event) => {
      heard.push(nameOf(event))
      await gate
    }),
  )
  await alice.createAccount('one')
  await expect.poll(() => heard).toEqual(['changed'])
  for (const label of ['two', 'three', 'four']) await alice.createAccount(label)
  const { slateId } = await alice.send({ amount: GRIN, ...near })
  await alice.cancel(slateId)
  release()
  await expect.poll(() => heard).toEqual(['changed', 'created sent 2', 'cancelled sent 2', 'changed'])
})

test('ends by the function and by the signal: nothing is told or asked after that', async () => {
  const alice = await funded()
  const stop = new AbortController()
  const heard = [heardBy(alice), heardBy(alice, { node: chain.node, signal: stop.signal })]
  await expect.poll(() => clock.waits.length).toBe(1)
  for (const end of ends) end()
  ends.splice(0)
  stop.abort()
  chain.mine()
  await alice.send({ amount: GRIN, ...near })
  await alice.refresh(chain)
  expect(heard).toEqual([[], []])
  expect(alice.subscribe({ listener: () => undefined, signal: stop.signal })()).toBeUndefined()
})

test('one that the function ended leaves nothing at its signal, which may live as long as the page', async () => {
  const alice = await open(1)
  const { signal } = new AbortController()
  const end = alice.subscribe({ listener: () => undefined, signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  end()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a listener that throws surfaces, and hears what follows', async () => {
  const alice = await open(1)
  const surfaced: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => surfaced.push(error))
  try {
    let calls = 0
    ends.push(
      alice.subscribe(() => {
        calls += 1
        throw new Error(`listener ${calls}`)
      }),
    )
    await alice.createAccount('one')
    await expect.poll(() => calls).toBe(1)
    await alice.createAccount('two')
    await expect.poll(() => calls).toBe(2)
    await expect.poll(() => surfaced.length).toBe(2)
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  }
})

test('is bounded', async () => {
  const alice = await open(1)
  const listener = (): void => undefined
  for (const everyMs of [0, 999, 3_600_001, Number.NaN])
    expect(() => alice.subscribe({ listener, everyMs })).toThrow('everyMs')
  for (let count = 0; count < 1000; count++) ends.push(alice.subscribe(listener))
  expect(() => alice.subscribe(listener)).toThrow('at most 1000')
  ends.pop()?.()
  ends.push(alice.subscribe(listener))
})
