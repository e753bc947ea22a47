// PAY_CONFIRM_NODES: the till on real chain clients over real sockets, with nodes that lie, lag, hang and come back.
import { afterEach, describe, expect, test } from 'vitest'
import { createChain } from '../../../src/chain/index.js'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { agreementOf, nodesNeeded } from '../../../src/till/confirmation/agreement.js'
import type { Payment } from '../../../src/till/index.js'
import { type Call, type Reply, startNode } from '../../chain/fake-node.js'
import { aSlate } from '../../support/fake-wallet.js'
import { openTill } from '../../support/till-parts.js'

/** What one node says; a test changes it while the till runs. */
interface Story {
  tip: number
  kernel: number | undefined
  output: boolean
  /** Its kernel is in the pool. */
  pool?: boolean
  trouble?: 'hang' | 'reset' | undefined
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const HONEST: Story = { tip: 1_000_009, kernel: 1_000_000, output: true }
const DENYING: Story = { ...HONEST, kernel: undefined, output: false }
const TIME = '2026-01-01T00:00:00+00:00'

function replyOf(story: Story, payment: () => Payment | undefined) {
  return ({ method }: Call): Reply => {
    const known = payment()
    const { tip, kernel, output, pool, trouble } = story
    if (trouble && method !== 'get_tip') return trouble
    const hash = tip.toString(16).padStart(64, '0')
    const commit = toHex(known?.commitment ?? new Uint8Array(33))
    const unspent = {
      commit,
      spent: false,
      proof: null,
      block_height: kernel ?? 1,
      mmr_index: 1,
      output_type: 'Transaction',
    }
    const excess = toHex(known?.excess ?? new Uint8Array(33))
    const replies: Readonly<Record<string, Reply>> = {
      get_tip: { ok: { height: tip, last_block_pushed: hash } },
      get_header: { ok: { height: tip, hash, timestamp: TIME } },
      get_unconfirmed_transactions: { ok: pool ? [{ tx: { body: { kernels: [{ excess }] } } }] : [] },
      get_outputs: { ok: output ? [unspent] : [] },
      ...(kernel !== undefined && { get_kernel: { ok: { height: kernel, tx_kernel: { excess } } } }),
    }
    return replies[method] ?? { err: 'NotFound' }
  }
}

/** A till that has answered one payment of 2 GRIN, on nodes with these stories, in this order. */
async function tillOn(
  stories: readonly Story[],
  settings: { confirmNodes?: number; confirmNodesFrom?: ReturnType<typeof nanoGrin>; confirmations?: number },
) {
  let payment: Payment | undefined
  const nodes = await Promise.all(stories.map((story) => startNode(replyOf(story, () => payment))))
  const now = { ms: 0 }
  const chain = createChain({
    urls: nodes.map(({ url }) => url),
    clock: { now: () => now.ms, monotonic: () => now.ms },
    tipCacheMs: 0,
    timeoutMs: 1000,
    rules: { maxLag: 10, maxAgeMs: undefined },
  })
  closing.push(() => chain.close(), ...nodes.map(({ close }) => close))
  const world = openTill({ settings, parts: { chain } })
  const { invoice } = await world.till.createInvoice({ amountNanogrin: 2_000_000_000n })
  payment = (await world.till.pasteSlatepack(invoice.token, aSlate({ amount: invoice.amount }))).payment
  return {
    hosts: nodes.map(({ host }) => host),
    payment: async () => world.till.findPayment(payment?.id ?? ''),
    /** Time goes by, and the till looks. */
    async look(ms = 60_000) {
      now.ms += ms
      await world.clock.advance(ms)
      await world.till.passes.confirm()
      const { alarms } = await world.till.status()
      const settlement = (await world.till.findPayment(payment?.id ?? ''))?.settlement
      return { status: (await world.till.findInvoice(invoice.id))?.status, settlement, alarms }
    },
  }
}

const story = (of: Story): Story => ({ ...of })

describe('with PAY_CONFIRM_NODES=2', () => {
  test('two nodes that agree confirm, and a third that denies it does not matter', async () => {
    const { look } = await tillOn([story(HONEST), story(DENYING), story(HONEST)], { confirmNodes: 2 })
    expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
  })

  test('a lying first node confirms nothing: the payment waits, and the alarm names hosts only', async () => {
    const { look, hosts } = await tillOn([story(HONEST), story(DENYING)], { confirmNodes: 2 })
    const { status, alarms } = await look()
    expect(status).toBe('paid')
    expect(alarms).toEqual([expect.stringContaining(`${hosts[0]} shows its kernel in block 1000000`)])
    expect(alarms[0]).toContain(`${hosts[1]} knows no such kernel`)
    expect(alarms[0]).not.toContain('http')
  })

  test('nodes that tell of two blocks, or not the same of the output, do not agree', async () => {
    const other = await tillOn([story(HONEST), { ...HONEST, kernel: 999_998 }], { confirmNodes: 2 })
    expect(await other.look()).toMatchObject({ status: 'paid', alarms: [expect.stringContaining('999998')] })
    const output = await tillOn([story(HONEST), { ...HONEST, output: false }], { confirmNodes: 2 })
    expect(await output.look()).toMatchObject({ status: 'paid', alarms: [expect.stringContaining('not unspent')] })
  })

  test('one that is a block behind is waited for without an alarm', async () => {
    const late: Story = { ...HONEST, tip: HONEST.tip - 1 }
    const { look } = await tillOn([story(HONEST), late], { confirmNodes: 2 })
    expect(await look()).toMatchObject({ status: 'paid', alarms: [] })
    late.tip = HONEST.tip
    expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
  })

  test.each([1, 10])(
    'while they do not agree the payment is in a block all the same, short of %i confirmations',
    async (confirmations) => {
      const down: Story = { ...HONEST, trouble: 'reset' }
      const { look, payment } = await tillOn([story(HONEST), down], { confirmNodes: 2, confirmations })
      expect((await look()).status).toBe('paid')
      const mined = { settlement: 'mined', minedHeight: 1_000_000, confirmations: confirmations - 1 }
      expect(await payment()).toMatchObject(mined)
      expect((await look()).alarms).toHaveLength(1)
      down.trouble = undefined
      expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
      expect(await payment()).toMatchObject({ settlement: 'confirmed', confirmations: 10 })
    },
  )

  test('what the agreeing nodes say of the output is what counts, not what the first one says', async () => {
    const stories = [{ ...HONEST, output: false }, story(HONEST), story(HONEST)]
    const { look, payment } = await tillOn(stories, { confirmNodes: 2 })
    expect((await look()).status).toBe('confirmed')
    expect(await payment()).toMatchObject({ output: null })
  })

  test.each([
    ['first', 0],
    ['last', 2],
  ])(
    'a node that claims a tip far ahead and denies everything (%s) keeps two honest ones from nothing',
    async (_, at) => {
      const liar = { ...DENYING, tip: HONEST.tip + 20_000 }
      const { look, payment } = await tillOn([story(HONEST), story(HONEST)].toSpliced(at, 0, liar), { confirmNodes: 2 })
      expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
      expect(await payment()).toMatchObject({ minedHeight: 1_000_000, confirmations: 10 })
    },
  )

  test('a node that claims a tip far ahead and tells of the kernel counts for one only', async () => {
    const liar = { ...HONEST, tip: HONEST.tip + 20_000 }
    const young = { ...HONEST, tip: 1_000_003 }
    const { look } = await tillOn([liar, young, { ...young }], { confirmNodes: 2 })
    expect((await look()).status).toBe('paid')
  })

  test.each(['hang', 'reset'] as const)(
    'one that does not answer (%s) keeps it waiting with an alarm until it is back',
    async (trouble) => {
      const down: Story = { ...HONEST, trouble }
      const { look, hosts } = await tillOn([story(HONEST), down], { confirmNodes: 2 })
      expect(await look()).toMatchObject({
        status: 'paid',
        alarms: [expect.stringContaining(`${hosts[1]} gives no usable answer`)],
      })
      down.trouble = undefined
      expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
    },
  )

  test('a reorganisation that one node has seen and the other has not confirms nothing until both tell the same', async () => {
    const [first, second] = [story(HONEST), story(HONEST)]
    first.kernel = 1_000_001
    first.tip = second.tip = 1_000_012
    const { look } = await tillOn([first, second], { confirmNodes: 2 })
    expect((await look()).status).toBe('paid')
    second.kernel = 1_000_001
    expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
  })
})

describe('a lying node that is the first one', () => {
  test('delays no payment of which the other two tell: in the pool, in a block, confirmed; the alarm names it', async () => {
    const others = [story(HONEST), story(HONEST)] as const
    for (const other of others) Object.assign(other, { kernel: undefined, output: false, pool: true })
    const { look, hosts, payment } = await tillOn([story(DENYING), ...others], { confirmNodes: 2, confirmations: 10 })
    expect(await look()).toMatchObject({ settlement: 'seen', alarms: [] })
    for (const other of others) Object.assign(other, { kernel: 1_000_000, output: true, pool: false, tip: 1_000_003 })
    const { settlement, alarms } = await look()
    expect(settlement).toBe('mined')
    expect(await payment()).toMatchObject({ minedHeight: 1_000_000, confirmations: 4 })
    expect(alarms).toEqual([
      expect.stringContaining(
        `${hosts[0]} knows no such kernel and its output not unspent, at height 1000009: alone against the other nodes, which show it in block 1000000; check PAY_NODE_URL`,
      ),
    ])
    expect(alarms[0]).not.toContain(hosts[1])
    for (const other of others) other.tip = HONEST.tip
    expect(await look()).toMatchObject({ status: 'confirmed', alarms: [] })
    // Afterwards it is watched: what the first node says of it is that node's trouble.
    const watched = (await look(700_000)).alarms
    expect(watched).toEqual([expect.stringContaining(`${hosts[0]} knows no such kernel`)])
    expect(watched[0]).not.toContain('no longer on the chain')
  })

  test('makes nothing of a payment that the others do not know', async () => {
    const { look, hosts } = await tillOn(
      [{ ...HONEST, tip: 1_000_003, pool: true }, ...[0, 1].map(() => story(DENYING))],
      {
        confirmNodes: 2,
      },
    )
    const { status, settlement, alarms } = await look()
    expect([status, settlement]).toEqual(['paid', 'replied'])
    expect(alarms).toEqual([expect.stringContaining(`${hosts[0]} shows its kernel in block 1000000`)])
  })

  test('and one of two is told by name when a confirmed payment is gone from it', async () => {
    const first = story(HONEST)
    const { look, hosts } = await tillOn([first, story(HONEST)], { confirmNodes: 2 })
    expect(await look()).toMatchObject({ status: 'confirmed' })
    Object.assign(first, DENYING)
    const [alarm] = (await look(700_000)).alarms
    expect(alarm).toContain(`no longer on the chain: ${hosts[0]} knows no such kernel`)
    expect(alarm).toContain(`${hosts[1]} shows its kernel in block 1000000`)
  })
})

describe('a payment whose time is over (PAY_SETTLE_TIMEOUT)', () => {
  const DAY = 86_400_000

  test('is not given up while any node shows its kernel: it waits with an alarm, and is confirmed when they agree', async () => {
    const first = story(DENYING)
    const { look, hosts } = await tillOn([first, story(HONEST)], { confirmNodes: 2 })
    for (let days = 0; days < 3; days += 1) {
      const { status, settlement, alarms } = await look(DAY)
      expect([status, settlement]).toEqual(['paid', 'replied'])
      expect(alarms).toEqual([expect.stringContaining(`${hosts[0]} knows no such kernel`)])
      expect(alarms[0]).toContain(`${hosts[1]} shows its kernel in block 1000000`)
    }
    Object.assign(first, HONEST)
    expect(await look(DAY)).toMatchObject({ status: 'confirmed', settlement: 'confirmed', alarms: [] })
  })

  test('that several others show, and the first node hides, is confirmed all the same', async () => {
    const { look } = await tillOn([story(DENYING), story(HONEST), story(HONEST)], { confirmNodes: 2 })
    expect(await look(2 * DAY)).toMatchObject({ status: 'confirmed', alarms: [] })
  })

  test('is given up when no node shows it, also when one does not answer', async () => {
    const { look } = await tillOn([story(DENYING), { ...HONEST, trouble: 'reset' }], { confirmNodes: 2 })
    expect(await look(2 * DAY)).toMatchObject({ status: 'expired', settlement: 'abandoned', alarms: [] })
  })

  test('is given up by the word of the first node where one is enough', async () => {
    const { look } = await tillOn([story(DENYING), story(HONEST)], {})
    expect(await look(2 * DAY)).toMatchObject({ status: 'expired', settlement: 'abandoned' })
  })
})

test('without the setting the first node is believed, and above the amount two are needed', async () => {
  const lying = () => [story(HONEST), story(DENYING)]
  expect((await (await tillOn(lying(), {})).look()).status).toBe('confirmed')
  const from = (grin: bigint) => ({ confirmNodesFrom: nanoGrin(grin * 1_000_000_000n) })
  expect((await (await tillOn(lying(), from(3n))).look()).status).toBe('confirmed')
  expect((await (await tillOn(lying(), from(2n))).look()).status).toBe('paid')
})

test('how many are needed, and one host that answers twice is one', () => {
  const from = nanoGrin(5n)
  expect([4n, 5n].map((amount) => nodesNeeded(nanoGrin(amount), { confirmNodesFrom: from }))).toEqual([1, 2])
  expect(nodesNeeded(nanoGrin(9n), { confirmNodes: 3, confirmNodesFrom: from })).toBe(3)
  const one = { host: 'a', tip: 20, kernelHeight: 11, outputThere: true }
  expect(agreementOf([one, one], 2, 10).agreed).toBe(false)
  expect(agreementOf([one, { ...one, host: 'b', tip: 22 }], 2, 10)).toEqual({
    agreed: true,
    height: 11,
    confirmations: 10,
    outputThere: true,
  })
})
