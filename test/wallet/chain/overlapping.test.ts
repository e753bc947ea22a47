// Refreshes that overlap: what a slower one saw before a newer one was stored changes nothing.
import { beforeEach, describe, expect, test } from 'vitest'
import type { WalletNode } from '../../../src/wallet/index.js'
import { codeOf } from '../../support/vectors.js'
import { type DirectChain, pay, startPair } from '../direct-chain.js'
import { GRIN, type TestWallet, walletFor } from '../fixture.js'

const near = { minConfirmations: 1 }
let chain: DirectChain
let alice: TestWallet
let bob: TestWallet

beforeEach(async () => {
  ;({ chain, alice, bob } = await startPair(2, 10))
})

const paySeven = (): Promise<string> => pay({ chain, alice, bob }, 7n * GRIN)

/** A node whose first answer about outputs is of now, and arrives when `release` is called. */
function slowNode() {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    reached = resolve
  })
  let tips = 0
  const node: WalletNode = {
    ...chain.node,
    tip: (call) => {
      tips += 1
      return chain.node.tip(call)
    },
    async outputs(commitments, call) {
      const answer = await chain.node.outputs(commitments, call)
      reached()
      await released
      return answer
    },
  }
  return { node, release, asked, tips: () => tips }
}

const statusOf = async ({ wallet }: TestWallet) => (await wallet.transactions()).at(-1)?.status

describe('a look that began before a block and ends after a newer one was stored', () => {
  test.each(['the same wallet', 'another window'])('reverts nothing: %s', async (where) => {
    await paySeven()
    const slow = slowNode()
    const late = alice.wallet.refresh(slow)
    await slow.asked
    chain.mine()
    const other = where === 'the same wallet' ? alice : await walletFor(alice.keychain, alice.storage)
    expect((await other.wallet.refresh(chain)).confirmed).toEqual([2])
    slow.release()
    expect(await late).toMatchObject({ reverted: [], confirmed: [] })
    expect(await statusOf(alice)).toBe('confirmed')
    expect(await alice.wallet.balance(near)).toMatchObject({
      locked: 0n,
      reverted: 0n,
      total: 113n * GRIN - 23_000_000n,
    })
  })

  test('though both saw the same tip', async () => {
    await paySeven()
    const tip = await chain.node.tip()
    const slow = slowNode()
    const late = alice.wallet.refresh({ node: { ...slow.node, tip: async () => tip } })
    await slow.asked
    chain.mine()
    // The block came after it had asked for the tip.
    await alice.wallet.refresh({ node: { ...chain.node, tip: async () => tip } })
    expect(await statusOf(alice)).toBe('confirmed')
    slow.release()
    expect((await late).reverted).toEqual([])
    expect(await statusOf(alice)).toBe('confirmed')
  })

  test('reverts nothing that a scan confirmed', async () => {
    await paySeven()
    const slow = slowNode()
    const late = bob.wallet.refresh(slow)
    await slow.asked
    chain.mine()
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('closed'))
    await bob.wallet.restore({ ...chain, signal: stop.signal, onProgress }).catch(() => undefined)
    slow.release()
    await late
    expect(await bob.wallet.balance(near)).toMatchObject({ total: 7n * GRIN, reverted: 0n })
  })

  test('a thorough one that never gets its turn says so', async () => {
    const tip: WalletNode['tip'] = async (call) => {
      await alice.wallet.refresh(chain)
      return chain.node.tip(call)
    }
    const node = { ...chain.node, tip }
    expect(await codeOf(() => alice.wallet.refresh({ node, thorough: true }))).toBe('WALLET_STORAGE_CONFLICT')
    expect(await codeOf(() => alice.wallet.refresh({ node }))).toBe('ok')
  })
})

describe('refreshes of one wallet', () => {
  test('join one that asks the same node', async () => {
    await paySeven()
    chain.mine()
    const slow = slowNode()
    const calls = [alice.wallet.refresh(slow), alice.wallet.refresh(slow), alice.wallet.refresh(slow)]
    slow.release()
    const results = await Promise.all(calls)
    expect(results.map(({ confirmed }) => confirmed)).toEqual([[2], [2], [2]])
    expect(slow.tips()).toBe(1)
    await alice.wallet.refresh(slow)
    expect(slow.tips()).toBe(2)
  })

  test('a caller who leaves ends it for nobody else, the last one ends it', async () => {
    const slow = slowNode()
    const [first, second] = [new AbortController(), new AbortController()]
    const leaving = alice.wallet.refresh({ ...slow, signal: first.signal })
    const staying = alice.wallet.refresh({ ...slow, signal: second.signal })
    await slow.asked
    first.abort(new Error('the first left'))
    await expect(leaving).rejects.toThrow('the first left')
    slow.release()
    expect(await staying).toMatchObject({ height: (await chain.node.tip()).height })

    let seen: AbortSignal | undefined
    const hanging: WalletNode = {
      ...chain.node,
      tip: (call) => {
        seen = call?.signal
        return new Promise(() => undefined)
      },
    }
    const end = new AbortController()
    const ended = alice.wallet.refresh({ node: hanging, signal: end.signal })
    await alice.wallet.height()
    end.abort(new Error('the last left'))
    await expect(ended).rejects.toThrow('the last left')
    expect(seen?.aborted).toBe(true)
  })
})
