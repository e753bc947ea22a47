// What the verbs refuse, what two windows do to each other, and what the storage does not give away.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { openKeychain } from '../../src/grin/keychain/index.js'
import { createSecretVault } from '../../src/grin/receive/index.js'
import { addressOfSeed, formatAddress, MAX_ARMOR } from '../../src/grin/slatepack/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'
import { createMemoryStorage, openWallet, type WalletStorage } from '../../src/wallet/index.js'
import { chainAt } from '../sandbox/recorded-chain.js'
import { prove, verify, walletOf } from '../support/grin.js'
import { codeOf, vectors } from '../support/vectors.js'
import { createDirectChain, type DirectChain, nodeOf } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
let chain: DirectChain
let alice: TestWallet
let bob: TestWallet
let funded: Awaited<ReturnType<WalletStorage['load']>>['records']
const [ALICE, BOB] = [openKeychain(new Uint8Array(32).fill(1)), openKeychain(new Uint8Array(32).fill(2))]

beforeAll(async () => {
  chain = createDirectChain()
  for (const index of [0, 1, 2]) await chain.mineTo(ALICE, index, 20n * GRIN)
  chain.mine(5)
  const first = await walletFor(ALICE)
  await first.wallet.restore(chain)
  funded = (await first.storage.load()).records
})
beforeEach(async () => {
  alice = await walletFor(ALICE, createMemoryStorage(funded))
  bob = await walletFor(BOB)
  await bob.wallet.refresh(chain)
})

describe('a slate out of turn', () => {
  test('is refused by every verb that is not for it', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const s2 = await bob.wallet.receive(s1.slatepack)
    const i1 = await bob.wallet.invoice({ amount: GRIN })
    const i2 = await alice.wallet.pay(i1.slatepack, near)
    expect(await codeOf(() => bob.wallet.receive(s2.slatepack))).toBe('S1_STATE')
    expect(await codeOf(() => alice.wallet.receive(i1.slatepack))).toBe('S1_STATE')
    expect(await codeOf(() => alice.wallet.pay(s1.slatepack))).toBe('WALLET_SLATE')
    expect(await codeOf(() => alice.wallet.finalize(s1.slatepack))).toBe('WALLET_SLATE')
    expect(await codeOf(() => bob.wallet.finalize(s2.slatepack))).toBe('WALLET_SLATE_UNKNOWN')
    expect(await codeOf(() => alice.wallet.finalize(i2.slatepack))).toBe('WALLET_SLATE_UNKNOWN')
    expect(await codeOf(() => alice.wallet.post(s1.slateId, chain))).toBe('WALLET_NOTHING_TO_POST')
    expect(await codeOf(() => alice.wallet.post('none', chain))).toBe('WALLET_SLATE_UNKNOWN')
    expect(await codeOf(() => alice.wallet.cancel('none'))).toBe('WALLET_SLATE_UNKNOWN')
    expect(await codeOf(() => alice.wallet.paymentProof(s1.slateId))).toBe('WALLET_NO_PROOF')
  })

  test('uses no key', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const before = await bob.wallet.accounts()
    for (const slate of [
      { ...s1.slate, amount: nanoGrin(0n) },
      { ...s1.slate, numParts: 3 },
      { ...s1.slate, ttl: 1n },
      { ...s1.slate, fee: 1n },
    ])
      expect(await codeOf(() => bob.wallet.receive(slate))).toMatch(/^S1_/)
    expect(await codeOf(() => bob.wallet.receive(s1.slate, { amount: 2n * GRIN }))).toBe('S1_WRONG_AMOUNT')
    expect(await codeOf(() => bob.wallet.receive(s1.slate, { account: 7 }))).toBe('WALLET_NO_ACCOUNT')
    expect(await bob.wallet.accounts()).toEqual(before)
  })
})

test('a payment is posted by Dandelion unless asked otherwise', async () => {
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  await alice.wallet.finalize((await bob.wallet.receive(s1.slate)).slate)
  const fluffs: boolean[] = []
  const push = async (_: unknown, fluff: boolean) => void fluffs.push(fluff)
  const node = { ...chain.node, push }
  await alice.wallet.post(s1.slateId, { node })
  await alice.wallet.post(s1.slateId, { node, fluff: true })
  expect(fluffs).toEqual([false, true])
})

describe('a context signs once', () => {
  test('a second S2 is refused, also after the storage was opened again', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const carol = await walletFor(3)
    const [first, second] = [await bob.wallet.receive(s1.slate), await carol.wallet.receive(s1.slate)]
    const done = await alice.wallet.finalize(first.slate)
    expect(await codeOf(() => alice.wallet.finalize(second.slate))).toBe('WALLET_SLATE_USED')
    const again = await walletFor(ALICE, alice.storage)
    expect(await codeOf(() => again.wallet.finalize(second.slate))).toBe('WALLET_SLATE_USED')
    expect((await again.wallet.finalize(first.slate)).slate).toEqual(done.slate)
    expect((await alice.storage.load()).records.filter(({ key }) => key.startsWith('context/'))).toEqual([])
  })

  test('a second I2 is refused', async () => {
    const i1 = await bob.wallet.invoice({ amount: GRIN })
    const one = await alice.wallet.pay(i1.slate, near)
    const copy = await walletFor(ALICE, createMemoryStorage(funded))
    const two = await copy.wallet.pay(i1.slate, near)
    await bob.wallet.finalize(one.slate)
    expect(await codeOf(() => bob.wallet.finalize(two.slate))).toBe('WALLET_SLATE_USED')
  })

  test('a damaged S2 is refused, and the honest one still finalizes', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const { slate } = await bob.wallet.receive(s1.slate)
    const [part] = slate.participants
    const damaged = {
      ...slate,
      participants: [{ ...part!, part: part!.part!.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) }],
    }
    expect(await codeOf(() => alice.wallet.finalize(damaged))).toBe('PAYER_REPLY')
    expect((await alice.wallet.finalize(slate)).slate.state).toBe('S3')
  })

  test('an S1 with a known id and other content is refused', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    await bob.wallet.receive(s1.slate)
    expect(await codeOf(() => bob.wallet.receive({ ...s1.slate, amount: nanoGrin(2n * GRIN) }))).toBe(
      'WALLET_SLATE_USED',
    )
    const i1 = await bob.wallet.invoice({ amount: GRIN })
    await alice.wallet.pay(i1.slate, near)
    expect(await codeOf(() => alice.wallet.pay({ ...i1.slate, amount: nanoGrin(2n * GRIN) }, near))).toBe(
      'WALLET_SLATE_USED',
    )
    await alice.wallet.cancel(i1.slateId)
    expect(await codeOf(() => alice.wallet.pay(i1.slate, near))).toBe('WALLET_SLATE_USED')
  })
})

describe('two windows on one storage', () => {
  test('lock no coin twice, and use no key twice', async () => {
    const twin = await walletFor(ALICE, alice.storage)
    const sends = await Promise.all([
      alice.wallet.send({ amount: 15n * GRIN, ...near }),
      twin.wallet.send({ amount: 15n * GRIN, ...near }),
      alice.wallet.send({ amount: 15n * GRIN, ...near }),
    ])
    alice.wallet.reload()
    twin.wallet.reload()
    const log = (await alice.wallet.transactions()).filter(({ kind }) => kind === 'sent')
    expect(log.map(({ slateId }) => slateId).sort()).toEqual(sends.map(({ slateId }) => slateId).sort())
    expect(new Set(log.flatMap(({ inputs }) => inputs)).size).toBe(3)
    expect(new Set(log.flatMap(({ outputs }) => outputs.map(({ path }) => path))).size).toBe(3)
    expect(await twin.wallet.transactions()).toEqual(await alice.wallet.transactions())
    expect(await codeOf(() => twin.wallet.send({ amount: GRIN, ...near }))).toBe('WALLET_NOT_ENOUGH')
  })

  test('answer one S1 once', async () => {
    const twin = await walletFor(BOB, bob.storage)
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const [one, two] = await Promise.all([bob.wallet.receive(s1.slate), twin.wallet.receive(s1.slate)])
    expect(two.slate).toEqual(one.slate)
  })

  test('sign one of two replies', async () => {
    const twin = await walletFor(ALICE, alice.storage)
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const carol = await walletFor(3)
    const replies = [await bob.wallet.receive(s1.slate), await carol.wallet.receive(s1.slate)]
    twin.wallet.reload()
    const outcomes = await Promise.all([
      codeOf(() => alice.wallet.finalize(replies[0]!.slate)),
      codeOf(() => twin.wallet.finalize(replies[1]!.slate)),
    ])
    expect(outcomes.sort()).toEqual(['WALLET_SLATE_USED', 'ok'])
  })

  test('a storage that never lets go is given up', async () => {
    const stubborn: WalletStorage = { ...alice.storage, commit: async () => 'conflict' }
    const { wallet } = await walletFor(ALICE, stubborn)
    expect(await codeOf(() => wallet.createAccount('x'))).toBe('WALLET_STORAGE_CONFLICT')
  })
})

describe('the storage', () => {
  test('holds the secrets of a slate encrypted under the seed', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const { records } = await alice.storage.load()
    const context = JSON.parse(records.find(({ key }) => key === `context/${s1.slateId}`)!.value)
    const random = { bytes: systemRandom.bytes }
    const secrets = createSecretVault(ALICE, random).open(s1.slateId, fromHex(context.row.sealed))
    expect(secrets).toHaveLength(64)
    const all = records.map(({ value }) => value).join()
    for (const half of [secrets.subarray(0, 32), secrets.subarray(32)]) expect(all).not.toContain(toHex(half))
    expect(() => createSecretVault(BOB, random).open(s1.slateId, fromHex(context.row.sealed))).toThrow(
      'of another wallet',
    )
    expect(all).not.toContain(toHex(new Uint8Array(32).fill(1)))
  })

  test('belongs to one seed and chain', async () => {
    expect(await codeOf(() => walletFor(BOB, alice.storage))).toBe('WALLET_OTHER_SEED')
    const parts = {
      keychain: ALICE,
      storage: alice.storage,
      prover: { prove, verify },
      random: systemRandom.bytes,
      now: () => 0,
    }
    expect(await codeOf(() => openWallet({ ...parts, chainType: 'testnet' }))).toBe('WALLET_OTHER_CHAIN')
  })

  test.each([
    ['a newer table', 'visits/1', '{"v":1,"row":{}}', 'WALLET_STORAGE_NEWER'],
    ['a newer form', 'scan/it', '{"v":2,"row":{}}', 'WALLET_STORAGE_NEWER'],
    ['no JSON', 'scan/it', '{', 'WALLET_STORAGE_DAMAGED'],
    ['a missing member', 'account/0', '{"v":1,"row":{"index":0}}', 'WALLET_STORAGE_DAMAGED'],
    [
      'an amount that is a number',
      `output/${'0'.repeat(66)}`,
      '{"v":1,"row":{"commitment":"","path":"m","value":5}}',
      'WALLET_STORAGE_DAMAGED',
    ],
    [
      'a row of another name',
      'account/3',
      '{"v":1,"row":{"index":0,"label":"x","nextOutput":0,"addresses":1}}',
      'WALLET_STORAGE_DAMAGED',
    ],
    [
      'more addresses than can be',
      'account/0',
      '{"v":1,"row":{"index":0,"label":"x","nextOutput":0,"addresses":9007199254740991}}',
      'WALLET_STORAGE_DAMAGED',
    ],
    [
      'a key beyond all keys',
      'account/0',
      '{"v":1,"row":{"index":0,"label":"x","nextOutput":4294967296,"addresses":1}}',
      'WALLET_STORAGE_DAMAGED',
    ],
  ])('%s is not read', async (_, key, value, code) => {
    const storage = createMemoryStorage([...funded.filter((record) => record.key !== key), { key, value }])
    expect(await codeOf(() => walletFor(ALICE, storage))).toBe(code)
  })
})

describe('a row that means nothing any more', () => {
  /** The wallet with one member of a row replaced. */
  async function withMember(table: string, member: string, value: unknown) {
    const { records } = await alice.storage.load()
    const changed = records.map((record) => {
      if (!record.key.startsWith(`${table}/`)) return record
      const { v, row } = JSON.parse(record.value)
      return member in row ? { ...record, value: JSON.stringify({ v, row: { ...row, [member]: value } }) } : record
    })
    return walletFor(ALICE, createMemoryStorage(changed))
  }

  test.each([
    ['output', 'path', 'm/0/0/4294967296'],
    ['output', 'path', 'somewhere'],
    ['output', 'commitment', '08zz'],
    ['transaction', 'excess', 'none'],
    ['transaction', 'inputs', ['']],
    ['transaction', 'request', '00'],
    ['transaction', 'slate', '0001'],
    ['context', 'sealed', '00'],
    ['context', 'sealed', `01${'00'.repeat(120)}`],
  ])('%s %s %j: the storage is damaged', async (table, member, value) => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    const i1 = await bob.wallet.invoice({ amount: GRIN })
    await alice.wallet.pay(i1.slate, near)
    const using = async () => {
      const { wallet } = await withMember(table, member, value)
      await wallet.finalize(s2.slate)
    }
    expect(await codeOf(using)).toBe('WALLET_STORAGE_DAMAGED')
  })
})

describe('amounts', () => {
  test('the fee on top, or included', async () => {
    const top = await alice.wallet.send({ amount: GRIN, ...near })
    expect([top.amount, top.fee]).toEqual([GRIN, 23_000_000n])
    const inside = await alice.wallet.send({ amount: GRIN, feeIncluded: true, ...near })
    expect([inside.amount, inside.fee]).toEqual([GRIN - 23_000_000n, 23_000_000n])
  })

  test('everything: all coins, fee included, no change', async () => {
    const all = await alice.wallet.send({ amount: 60n * GRIN, feeIncluded: true, strategy: 'all', ...near })
    expect([all.amount, all.fee]).toEqual([60n * GRIN - 13_500_000n, 13_500_000n])
    const s2 = await bob.wallet.receive(all.slate)
    expect((await alice.wallet.finalize(s2.slate)).transaction).toMatchObject({
      outputs: { length: 1 },
      inputs: { length: 3 },
    })
  })

  test('several change outputs', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, changeOutputs: 4, ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    expect((await alice.wallet.finalize(s2.slate)).transaction.outputs).toHaveLength(5)
  })

  test('the answer to an invoice has as many change outputs as its slatepack may hold, or locks nothing', async () => {
    const i1 = await bob.wallet.invoice({ amount: GRIN, payer: await alice.wallet.address() })
    for (const changeOutputs of [50, 29])
      expect(await codeOf(() => alice.wallet.pay(i1.slatepack, { changeOutputs, ...near }))).toBe('WALLET_TOO_LARGE')
    expect(await alice.wallet.balance(near)).toMatchObject({ spendable: 60n * GRIN, locked: 0n })
    expect((await alice.wallet.accounts())[0]?.nextOutput).toBe(10_003)
    const i2 = await alice.wallet.pay(i1.slatepack, { changeOutputs: 28, ...near })
    expect(i2.slatepack.length).toBeGreaterThan(0.93 * MAX_ARMOR)
    expect((await bob.wallet.finalize(i2.slatepack)).transaction.outputs).toHaveLength(29)
  })

  test.each([0n, -1n, 2n ** 64n])('%d nanogrin cannot be sent or asked for', async (amount) => {
    expect(await codeOf(() => alice.wallet.send({ amount, ...near }))).toBe('WALLET_AMOUNT')
    await expect(alice.wallet.invoice({ amount })).rejects.toThrow(RangeError)
  })

  test('a payer who expects another amount does not pay', async () => {
    const i1 = await bob.wallet.invoice({ amount: GRIN })
    expect(await codeOf(() => alice.wallet.pay(i1.slate, { amount: 2n * GRIN, ...near }))).toBe('WALLET_SLATE')
  })
})

describe('accounts and addresses', () => {
  test('keep keys, coins and labels apart', async () => {
    const savings = await bob.wallet.createAccount('savings')
    expect(savings).toMatchObject({ index: 1, label: 'savings' })
    expect(await codeOf(() => bob.wallet.createAccount('savings'))).toBe('WALLET_ACCOUNT_EXISTS')
    expect(await codeOf(() => bob.wallet.labelAccount(0, 'savings'))).toBe('WALLET_ACCOUNT_EXISTS')
    expect(await bob.wallet.labelAccount(1, 'rainy days')).toMatchObject({ index: 1, label: 'rainy days' })
    expect(await codeOf(() => bob.wallet.address(4))).toBe('WALLET_NO_ACCOUNT')

    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    await bob.wallet.receive(s1.slate, { account: 1 })
    expect((await bob.wallet.outputs(1)).map(({ path }) => path)).toEqual(['m/1/0/0'])
    expect(await bob.wallet.balance({ account: 0, ...near })).toMatchObject({ awaitingFinalization: 0n })
    expect(await bob.wallet.balance({ account: 1, ...near })).toMatchObject({ awaitingFinalization: GRIN })
    const i1 = await bob.wallet.invoice({ amount: GRIN, account: 1 })
    const i2 = await alice.wallet.pay(i1.slatepack, near)
    expect((await bob.wallet.finalize(i2.slatepack)).slate.state).toBe('I3')
  })

  test('a payment whose proof names an address of an account goes to that account, signed with its key', async () => {
    await bob.wallet.createAccount('savings')
    const { index, address } = await bob.wallet.nextAddress(1)
    expect([index, address]).toEqual([1, await bob.wallet.address(1, 1)])
    const s1 = await alice.wallet.send({ amount: GRIN, recipient: address, ...near })
    const s2 = await bob.wallet.receive(s1.slatepack)
    expect((await bob.wallet.outputs())[0]?.path).toBe('m/1/0/0')
    const { proof } = await alice.wallet.finalize(s2.slatepack)
    expect(proof?.recipient_address).toBe(address)
    await expect(bob.wallet.address(1, 2)).rejects.toThrow(RangeError)
  })

  test('a proof asked from a stranger is refused before a key is used', async () => {
    const recipient = await (await walletFor(3)).wallet.address()
    const s1 = await alice.wallet.send({ amount: GRIN, recipient, ...near })
    expect(await codeOf(() => bob.wallet.receive(s1.slate))).toBe('S1_PROOF_ADDRESS')
  })

  test('an address of another chain is refused', async () => {
    const recipient = formatAddress('grin', addressOfSeed(BOB.addressSeed(0, 0)))
    expect(await codeOf(() => alice.wallet.send({ amount: GRIN, recipient, ...near }))).toBe('SLATEPACK_WRONG_CHAIN')
  })
})

test('the payment proof that grin-wallet exported verifies on the recorded chain, and tells whose it is', async () => {
  const proof = vectors('real/payment-proof/proof.json')
  const { wallets } = vectors('real/wallets.json')
  const node = nodeOf(chainAt(26))
  const walletOn = (mnemonic: string) =>
    openWallet({
      keychain: walletOf(mnemonic),
      storage: createMemoryStorage(),
      chainType: 'usernet',
      prover: { prove, verify },
      random: systemRandom.bytes,
      now: () => 0,
    })
  const [miner, receiver] = [await walletOn(wallets.miner.mnemonic), await walletOn(wallets.bob.mnemonic)]
  expect(await miner.verifyProof(proof, { node })).toMatchObject({
    amount: 2_250_000_000n,
    height: 18,
    confirmations: 9,
    senderIsOurs: true,
    recipientIsOurs: false,
  })
  expect(await receiver.verifyProof(proof, { node })).toMatchObject({ senderIsOurs: false, recipientIsOurs: true })
  expect(await miner.verifyProof(proof, { node: nodeOf(chainAt(17)) })).toMatchObject({ confirmations: 0 })
  const changed = { ...proof, amount: '2250000001' }
  expect(await codeOf(() => miner.verifyProof(changed, { node }))).toBe('PROOF_RECIPIENT_SIGNATURE')
})
