// Our wallet beside the real ones: the states that grin-wallet 5.4.1 kept through a recorded life, and what grin-wallet 5.5.1 printed on a
// recorded chain.
import { describe, expect, test } from 'vitest'
import { entropyFromMnemonic, formatPath, openKeychain } from '../../src/grin/keychain/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'
import { createMemoryStorage, openWallet, type Wallet } from '../../src/wallet/index.js'
import { chainAt } from '../sandbox/recorded-chain.js'
import { prove, verify } from '../support/grin.js'
import { codeOf, vectors, vectorText } from '../support/vectors.js'
import { createDirectChain, nodeOf } from './direct-chain.js'
import { walletFor } from './fixture.js'

const near = { minConfirmations: 1 }

type RealOutput = {
  output: {
    commit: string
    key_id: string
    value: string
    status: string
    height: string
    is_coinbase: boolean
    lock_height: string
    n_child: number
  }
}

describe.each(['miner', 'bob'])('%s of the recorded chain, restored from the words', (name) => {
  const { wallets } = vectors('real/wallets.json')
  const keychain = openKeychain(entropyFromMnemonic(wallets[name].mnemonic))
  const restored = async (): Promise<Wallet> => {
    const parts = { keychain, storage: createMemoryStorage(), prover: { prove, verify } }
    const wallet = await openWallet({ ...parts, chainType: 'usernet', random: systemRandom.bytes, now: () => 0 })
    await wallet.restore({ node: nodeOf(chainAt(26)), pageSize: 4 })
    return wallet
  }

  test('has the balance that `grin-wallet info` showed', async () => {
    const [, summary] = vectors(`real/wallet-state/${name}-summary.json`)
    expect(await (await restored()).balance(near)).toMatchObject({
      total: BigInt(summary.total),
      spendable: BigInt(summary.amount_currently_spendable),
      immature: BigInt(summary.amount_immature),
      awaitingConfirmation: BigInt(summary.amount_awaiting_confirmation),
      locked: BigInt(summary.amount_locked),
      reverted: BigInt(summary.amount_reverted),
      height: Number(summary.last_confirmed_height),
    })
  })

  test('has the unspent outputs that `grin-wallet outputs` showed', async () => {
    const [, real] = vectors(`real/wallet-state/${name}-outputs.json`)
    const unspent = (real as RealOutput[]).map(({ output }) => output).filter(({ status }) => status === 'Unspent')
    const expected = unspent.map((one) => ({
      commitment: one.commit,
      path: formatPath(fromHex(one.key_id)),
      value: BigInt(one.value),
      status: 'unspent',
      height: Number(one.height),
      coinbase: one.is_coinbase,
      lockHeight: Number(one.lock_height),
    }))
    const ours = (await (await restored()).outputs()).map((one) => ({
      commitment: one.commitment,
      path: one.path,
      value: one.value,
      status: one.status,
      height: one.height,
      coinbase: one.coinbase,
      lockHeight: one.lockHeight,
    }))
    const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
    expect(ours.sort(byPath)).toEqual(expected.sort(byPath))
    expect(expected.length).toBeGreaterThan(5)
  })

  test('hands out no key that the lost wallet may have handed out', async () => {
    const [, real] = vectors(`real/wallet-state/${name}-outputs.json`)
    const highest = Math.max(...(real as RealOutput[]).map(({ output }) => output.n_child))
    const [account] = await (await restored()).accounts()
    expect(account?.nextOutput).toBeGreaterThan(highest + 1000)
  })

  test('has the address', async () => {
    expect(await (await restored()).address()).toBe(wallets[name].slatepack_address)
  })
})

test('recorded S1s are answered with the outputs that grin-wallet made', async () => {
  const { wallets } = vectors('real/wallets.json')
  const parts = { keychain: openKeychain(entropyFromMnemonic(wallets.bob.mnemonic)), prover: { prove, verify } }
  const options = { storage: createMemoryStorage(), random: systemRandom.bytes, now: () => 0 }
  const wallet = await openWallet({ ...parts, ...options, chainType: 'usernet' })
  for (const folder of ['standard-plain', 'standard-encrypted-proof', 'standard-encrypted-ttl']) {
    const { slate } = await wallet.receive(vectorText(`real/${folder}/S1.slatepack`))
    const { coms, id, ttl, proof } = parseReal(vectors(`real/${folder}/S2.json`))
    expect([slate.id, `${slate.ttl}`]).toEqual([id, ttl ?? '0'])
    expect(slate.commitments?.map(({ commitment, proof: range }) => [toHex(commitment), toHex(range!)])).toEqual(coms)
    expect(slate.proof && toHex(slate.proof.receiver)).toBe(proof?.raddr)
  }
})

/** Output and identity of a recorded S2. */
const parseReal = (s2: { id: string; ttl?: string; coms: { c: string; p: string }[]; proof?: { raddr: string } }) => ({
  ...s2,
  coms: s2.coms.map(({ c, p }) => [c, p]),
})

type Recorded = {
  step: string
  receiver: {
    outputs: { value: string; status: string }[]
    tx_log: { tx_type: string; confirmed: boolean; amount_credited: string }[]
    next_child_index: number
  }
}

/** wallet_states.json: what grin-wallet 5.4.1 kept. Ours differs on purpose in what the notes say. */
describe('a recorded life', async () => {
  const recorded: Recorded[] = vectors('wallet/wallet_states.json').steps
  const chain = createDirectChain()
  const payer = await walletFor(41)
  const { wallet } = await walletFor(42)
  await chain.mineTo(payer.keychain, 0, 100_000_000_000n)
  for (const index of [1, 2, 3, 4, 5]) await chain.mineTo(payer.keychain, index, 100_000_000_000n)
  chain.mine(12)
  await payer.wallet.restore(chain)
  const refresh = () => wallet.refresh(chain)
  await refresh()
  const sendTo = async (amount: bigint, ttlBlocks?: number) => {
    const s1 = await payer.wallet.send({ amount, ...near, ...(ttlBlocks !== undefined && { ttlBlocks }) })
    return { s1, s2: await wallet.receive(s1.slate) }
  }
  const A = await sendTo(1_100_000_000n)

  const STATUS: Readonly<Record<string, string>> = {
    Unconfirmed: 'unconfirmed',
    Unspent: 'unspent',
    Reverted: 'reverted',
    Spent: 'spent',
    Locked: 'locked',
  }
  const LOG: Readonly<Record<string, string>> = {
    'TxReceived true': 'confirmed',
    'TxReceived false': 'pending',
    'TxReceivedCancelled false': 'cancelled',
    'TxReverted false': 'reverted',
  }

  /** Values with the state of their output, and of the newest entry of the log with that amount. */
  function expectedAt(step: string) {
    const { outputs, tx_log } = recorded.find((one) => one.step === step)!.receiver
    return {
      outputs: Object.fromEntries(outputs.map(({ value, status }) => [value, STATUS[status]])),
      log: Object.fromEntries(
        tx_log.map(({ tx_type, confirmed, amount_credited }) => [amount_credited, LOG[`${tx_type} ${confirmed}`]]),
      ),
    }
  }

  async function isAs(step: string): Promise<void> {
    const [outputs, log] = [await wallet.outputs(), await wallet.transactions()]
    expect({
      outputs: Object.fromEntries(outputs.map(({ value, status }) => [`${value}`, status])),
      log: Object.fromEntries(log.map(({ amount, status }) => [`${amount}`, status])),
    }).toEqual(expectedAt(step))
  }

  let B: Awaited<ReturnType<typeof sendTo>>

  test('received, mined, deep', async () => {
    await isAs('received payment A (S2 returned)')
    // grin-wallet refuses the second time; a retrying payer is better served with the stored reply.
    expect((await wallet.receive(A.s1.slate)).slate).toEqual(A.s2.slate)
    await isAs('the same S1 again is refused')
    await payer.wallet.finalize(A.s2.slate)
    await payer.wallet.post(A.s1.slateId, chain)
    await refresh()
    await isAs('A finalized by the sender but not mined; refresh')
    chain.mine()
    await refresh()
    await isAs('A mined; refresh')
    chain.mine(9)
    await refresh()
    await isAs('nine more blocks; refresh')
  })

  test('reverted and mined again; ours notices at the first refresh', async () => {
    chain.chain.reorg(10, 0)
    await refresh()
    await isAs('refresh with update_all')
    chain.mine()
    await refresh()
    await isAs('A mined again on the new branch; refresh')
    await payer.wallet.refresh(chain)
  })

  test('cancelled and offered again', async () => {
    B = await sendTo(1_200_000_000n)
    await isAs('received payment B')
    await wallet.cancel(B.s1.slateId)
    await isAs('B cancelled by the receiver')
    // grin-wallet receives under a new key; the S2 that left is valid anyway, so ours is the stored one, under the same key.
    expect((await wallet.receive(B.s1.slate)).slate).toEqual(B.s2.slate)
    await isAs('S1 of the cancelled B offered again')
    expect(await codeOf(() => wallet.cancel(A.s1.slateId))).toBe('WALLET_CANNOT_CANCEL')
    await isAs('cancelling the confirmed A')
  })

  test('expired', async () => {
    await sendTo(1_300_000_000n, 5)
    await isAs('received payment D with ttl')
    for (let blocks = 0; blocks < 5; blocks++) chain.chain.mine(0, { empty: true })
    await refresh()
    await isAs('tip reaches the ttl; refresh cancels D')
  })

  test('invoices: a cancelled one signs nothing, a posted one can be posted again', async () => {
    const e = await wallet.invoice({ amount: 1_400_000_000n })
    const answer = await payer.wallet.pay(e.slate, near)
    await isAs('issued invoice E (I1)')
    await wallet.cancel(e.slateId)
    await isAs('E cancelled by the issuer')
    expect(await codeOf(() => wallet.finalize(answer.slate))).toBe('WALLET_SLATE_USED')
    await isAs("the payer's I2 for the cancelled E arrives")

    const f = await wallet.invoice({ amount: 1_500_000_000n })
    const paid = await payer.wallet.pay(f.slate, near)
    await wallet.finalize(paid.slate)
    const refusing = { ...chain.node, push: () => Promise.reject(new Error('refused')) }
    await expect(wallet.post(f.slateId, { node: refusing })).rejects.toThrow('refused')
    await isAs('invoice F: the node refuses the push during finalize_tx')
    await wallet.post(f.slateId, chain)
    await isAs('invoice F: finalize_tx once more')
  })
})
