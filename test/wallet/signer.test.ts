// A wallet that reaches its seed only through the signer port, with everything that crosses it copied as between two processes.
import { beforeAll, describe, expect, test } from 'vitest'
import { scalarToBytes } from '../../src/grin/crypto/index.js'
import { identifierFromPath, type Keychain, openKeychain, outputIdentifier } from '../../src/grin/keychain/index.js'
import { toHex } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'
import {
  createMemoryStorage,
  createSigner,
  openWallet,
  type Signer,
  type Wallet,
  type WalletStorage,
} from '../../src/wallet/index.js'
import { prove, verify } from '../support/grin.js'
import { codeOf } from '../support/vectors.js'
import { createDirectChain, type DirectChain } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
const keychain = openKeychain(new Uint8Array(32).fill(1))
const parts = { random: systemRandom.bytes, now: () => 1_000 }

/** The signer as another process has it: arguments and results are copies, and every result is kept. */
function apart(signer: Signer): { readonly signer: Signer; readonly results: unknown[]; readonly verbs: Set<string> } {
  const results: unknown[] = []
  const verbs = new Set<string>()
  const across =
    (name: keyof Signer) =>
    async (...values: unknown[]) => {
      verbs.add(name)
      const verb = signer[name] as (...values: unknown[]) => Promise<unknown>
      const result = structuredClone(await verb(...structuredClone(values)))
      results.push(result)
      return result
    }
  const names = Object.keys(signer) as (keyof Signer)[]
  return { signer: Object.fromEntries(names.map((name) => [name, across(name)])) as unknown as Signer, results, verbs }
}

/** All bytes, texts and numbers of a value, as hex. */
function hexOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [toHex(value)]
  if (typeof value === 'bigint') return [value.toString(16).padStart(64, '0')]
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hexOf) : []
}

/** What must not leave: blinding factors and keys of all outputs, seeds of addresses, and the subkeys. */
function secretsOf(keys: Keychain, outputs: readonly { readonly path: string; readonly value: bigint }[]): string[] {
  const ofOutputs = outputs.flatMap(({ path, value }) => {
    const identifier = identifierFromPath(path)
    return [keys.outputBlind(identifier, value), keys.deriveKey(identifier)].map((key) => toHex(scalarToBytes(key)))
  })
  const labels = ['grinpay wallet storage 1', 'grinpay wallet randomness 1', 'grinpay invoice slate secrets 1']
  const seeds = [0, 1].map((index) => toHex(keys.addressSeed(0, index)))
  return [...ofOutputs, ...seeds, ...labels.map((label) => toHex(keys.subkey(label)))]
}

const leaksIn = (results: readonly unknown[], secrets: readonly string[]): string[] => {
  const all = hexOf(results)
  return secrets.filter((secret) => all.some((text) => text.includes(secret)))
}

const inProcess = (keys: Keychain): Signer => createSigner({ keychain: keys, prover: { prove, verify }, ...parts })
const openWith = (signer: Signer, storage: WalletStorage = createMemoryStorage()): Promise<Wallet> =>
  openWallet({ signer, storage, chainType: 'sandbox', ...parts })

describe('a wallet whose signer is elsewhere', () => {
  const port = apart(inProcess(keychain))
  let chain: DirectChain
  let alice: Wallet
  let bob: TestWallet
  beforeAll(async () => {
    chain = createDirectChain()
    bob = await walletFor(2)
    for (const index of [0, 1, 2]) await chain.mineTo(keychain, index, 60n * GRIN)
    chain.mine(5)
    alice = await openWith(port.signer)
    await alice.restore(chain)
  })

  async function settle(): Promise<void> {
    chain.mine()
    await alice.refresh(chain)
    await bob.wallet.refresh(chain)
  }

  test('finds its outputs', async () => {
    expect(await alice.balance(near)).toMatchObject({ spendable: 180n * GRIN })
  })

  test('pays in both flows, with a proof and with a late lock, and is paid in both', async () => {
    for (const options of [{}, { lateLock: true }]) {
      const recipient = await bob.wallet.address()
      const s1 = await alice.send({ amount: GRIN, recipient, ...near, ...options })
      const s2 = await bob.wallet.receive(s1.slatepack)
      const { slateId, proof } = await alice.finalize(s2.slatepack)
      expect(proof?.recipient_address).toBe(recipient)
      await alice.post(slateId, chain)
      await settle()
    }
    const i1 = await bob.wallet.invoice({ amount: GRIN, payer: await alice.address() })
    const paid = await bob.wallet.finalize((await alice.pay(i1.slatepack, near)).slatepack)
    await bob.wallet.post(paid.slateId, chain)
    await settle()

    const { address } = await alice.nextAddress()
    const s1 = await bob.wallet.send({ amount: GRIN, recipient: address, ...near })
    const back = await bob.wallet.finalize((await alice.receive(s1.slatepack)).slatepack)
    await bob.wallet.post(back.slateId, chain)
    await settle()
    const asked = await alice.invoice({ amount: GRIN / 2n, payer: await bob.wallet.address() })
    const own = await alice.finalize((await bob.wallet.pay(asked.slatepack, near)).slatepack)
    await alice.post(own.slateId, chain)
    await settle()
    expect(await bob.wallet.balance(near)).toMatchObject({ spendable: 1_453_500_000n })
    const proof = await bob.wallet.paymentProof(back.slateId)
    expect(await alice.verifyProof(proof, chain)).toMatchObject({ recipientIsOurs: true, senderIsOurs: false })
  })

  test('has used every verb, and none has handed out a blinding factor, a seed or a key', async () => {
    expect([...port.verbs].sort()).toEqual(Object.keys(port.signer).sort())
    const outputs = await alice.outputs()
    expect(outputs.length).toBeGreaterThan(6)
    expect(leaksIn(port.results, secretsOf(keychain, outputs))).toEqual([])
  })

  test('the search notices a secret', () => {
    const identifier = outputIdentifier(0, 0)
    const outputs = [{ path: 'm/0/0/0', value: 60n * GRIN }]
    const blind = keychain.outputBlind(identifier, 60n * GRIN)
    expect(leaksIn([{ slate: { offset: scalarToBytes(blind) } }], secretsOf(keychain, outputs))).toHaveLength(1)
    expect(leaksIn([[{ blind }]], secretsOf(keychain, outputs))).toHaveLength(1)
  })
})

test('a storage refuses the signer of another seed', async () => {
  const storage = createMemoryStorage()
  await openWith(inProcess(keychain), storage)
  const other = inProcess(openKeychain(new Uint8Array(32).fill(9)))
  expect(await codeOf(() => openWith(other, storage))).toBe('WALLET_OTHER_SEED')
  await openWith(inProcess(keychain), storage)
})

test('secrets that were sealed for one slate finish no other', async () => {
  const signer = inProcess(keychain)
  const slateIds = ['0436430c-2b02-624c-2032-570501212b00', '0436430c-2b02-624c-2032-570501212b01']
  const spend = { inputs: [], change: [], fee: 23_000_000n }
  const [one, two] = await Promise.all(
    slateIds.map((slateId) => signer.beginSend({ account: 0, slateId, amount: GRIN, spend, ttl: 0, proof: false })),
  )
  const s2 = { ...one!.slate, state: 'S2' as const }
  const mixed = { account: 0, s1: one!.slate, s2, spend, sealed: two!.sealed }
  expect(await codeOf(() => signer.finishSend(mixed))).toBe('WALLET_STORAGE_DAMAGED')
})
