// Random lives of two wallets on one chain with forks: in the end every wallet holds exactly what the chain holds for its seed.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RangeProofInput } from '../../src/grin/crypto/index.js'
import { type Keychain, openKeychain } from '../../src/grin/keychain/index.js'
import type { Slate } from '../../src/grin/slate/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'
import { createMemoryStorage, openWallet, type Wallet, type WalletStorage } from '../../src/wallet/index.js'
import { prove, verify } from '../support/grin.js'
import { createDirectChain, type DirectChain } from '../wallet/direct-chain.js'

const GRIN = 1_000_000_000n
const KEYCHAINS = [openKeychain(new Uint8Array(32).fill(51)), openKeychain(new Uint8Array(32).fill(52))] as const

/** Proofs are determined by their input: runs share them. */
const proofs = new Map<string, Promise<Uint8Array>>()
const proveOnce = ({ ...input }: RangeProofInput): Promise<Uint8Array> => {
  const key = `${input.value} ${input.blind}`
  const proof = proofs.get(key) ?? prove(input)
  proofs.set(key, proof)
  return proof
}
const verdicts = new Map<string, Promise<boolean>>()
const verifyOnce = (commitment: Uint8Array, proof: Uint8Array): Promise<boolean> => {
  const verdict = verdicts.get(toHex(commitment)) ?? verify(commitment, proof)
  verdicts.set(toHex(commitment), verdict)
  return verdict
}

interface World {
  readonly chain: DirectChain
  readonly wallets: [Wallet, Wallet]
  readonly storages: readonly [WalletStorage, WalletStorage]
  /** Slates on their way, with the wallet that they are for. */
  readonly mail: { readonly to: 0 | 1; readonly slate: Slate }[]
}

type Step = readonly [what: string, who: 0 | 1, number: number]

const open = (keychain: Keychain, storage: WalletStorage): Promise<Wallet> =>
  openWallet({
    keychain,
    storage,
    chainType: 'sandbox',
    prover: { prove: proveOnce, verify: verifyOnce },
    random: systemRandom.bytes,
    now: () => 0,
  })

/** Refusals of the wallet are part of life; anything else fails the test. */
async function tried<T>(job: Promise<T>): Promise<T | undefined> {
  try {
    return await job
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'GrinpayError') return undefined
    throw thrown
  }
}

const other = (who: 0 | 1): 0 | 1 => (who === 0 ? 1 : 0)

async function take({ chain, wallets, storages, mail }: World, [what, who, number]: Step): Promise<void> {
  const wallet = wallets[who]
  const answer = (made: { readonly slate: Slate } | undefined) =>
    made && mail.push({ to: other(who), slate: made.slate })
  const amount = BigInt(number) * 100_000_000n
  switch (what) {
    case 'send':
      return void answer(
        await tried(wallet.send({ amount, minConfirmations: number % 2, changeOutputs: 1 + (number % 3) })),
      )
    case 'send late':
      return void answer(await tried(wallet.send({ amount, minConfirmations: 1, lateLock: true, ttlBlocks: 4 })))
    case 'invoice':
      return void answer(await tried(wallet.invoice({ amount })))
    case 'mail': {
      const [letter] = mail.splice(number % Math.max(1, mail.length), 1)
      return letter && deliver(wallets, mail, letter)
    }
    case 'cancel': {
      const log = await wallet.transactions()
      const row = log[number % Math.max(1, log.length)]
      return void (row && (await tried(wallet.cancel(row.id))))
    }
    case 'mine':
      return chain.mine(1 + (number % 2))
    case 'fork':
      return void chain.chain.reorg(1 + (number % 3), 0, number % 5 === 0 ? { forget: true } : {})
    case 'refresh':
      return void (await tried(wallet.refresh(chain)))
    case 'post all':
      for (const { slateId, written } of await wallet.transactions())
        if (slateId !== undefined && (written === 'S3' || written === 'I3')) await tried(wallet.post(slateId, chain))
      return
    case 'reopen':
      wallets[who] = await open(KEYCHAINS[who], storages[who])
  }
}

async function deliver(wallets: readonly [Wallet, Wallet], mail: World['mail'], { to, slate }: World['mail'][number]) {
  const wallet = wallets[to]
  if (slate.state === 'S1') {
    const made = await tried(wallet.receive(slate))
    if (made) mail.push({ to: other(to), slate: made.slate })
  } else if (slate.state === 'I1') {
    const made = await tried(wallet.pay(slate, { minConfirmations: 1 }))
    if (made) mail.push({ to: other(to), slate: made.slate })
  } else await tried(wallet.finalize(slate))
}

/** What the chain holds for a seed. */
const onChain = ({ chain: { ledger } }: DirectChain, keychain: Keychain): string[] =>
  ledger
    .unspent()
    .filter(({ commit, proof }) => keychain.rewindOutput(fromHex(commit), fromHex(proof)))
    .map(({ commit, height }) => `${commit} ${height}`)
    .sort()

async function inWallet(wallet: Wallet): Promise<string[]> {
  const outputs = await wallet.outputs()
  const makers = await wallet.transactions()
  // With 0 confirmations, change is locked that the chain does not hold yet.
  const isMined = (maker: number): boolean => makers.find(({ id }) => id === maker)?.status === 'confirmed'
  return outputs
    .filter(({ status, transaction }) => (status === 'unspent' || status === 'locked') && isMined(transaction))
    .map(({ commitment, height }) => `${commitment} ${height}`)
    .sort()
}

async function newWorld(): Promise<World> {
  const chain = createDirectChain(proveOnce)
  const storages = [createMemoryStorage(), createMemoryStorage()] as const
  for (const keychain of KEYCHAINS) for (const index of [0, 1]) await chain.mineTo(keychain, index, 10n * GRIN)
  chain.mine(8)
  const wallets: [Wallet, Wallet] = [await open(KEYCHAINS[0], storages[0]), await open(KEYCHAINS[1], storages[1])]
  for (const wallet of wallets) await wallet.restore(chain)
  return { chain, wallets, storages, mail: [] }
}

const WHAT = [
  'send',
  'send late',
  'invoice',
  'mail',
  'mail',
  'mail',
  'cancel',
  'mine',
  'mine',
  'fork',
  'refresh',
  'refresh',
  'post all',
  'reopen',
]
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...WHAT),
  fc.constantFrom(0, 1),
  fc.integer({ min: 1, max: 60 }),
)

/** A payment and an invoice from their first slate into a block, so that however few lives a run draws, one has both. */
const WHOLE_LIFE: Step[] = [
  ['send', 0, 10],
  ['mail', 1, 1],
  ['mail', 0, 1],
  ['post all', 0, 1],
  ['mine', 0, 1],
  ['refresh', 0, 1],
  ['refresh', 1, 1],
  ['invoice', 0, 5],
  ['mail', 1, 1],
  ['mail', 0, 1],
  ['post all', 0, 1],
  ['mine', 0, 1],
]

test('a wallet that is refreshed holds what the chain holds, no more and no less', { timeout: 240_000 }, async () => {
  let complete = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const world = await newWorld()
      for (const one of steps) await take(world, one)
      for (const who of [0, 1] as const) await take(world, ['post all', who, 0])
      // After what the pool holds is mined, the second refresh knows everything.
      world.chain.mine(2)
      for (const [who, wallet] of world.wallets.entries()) {
        await wallet.refresh(world.chain)
        await wallet.refresh(world.chain)
        expect(await inWallet(wallet)).toEqual(onChain(world.chain, KEYCHAINS[who]!))
        for (const { id, status } of [...(await wallet.transactions())].reverse())
          if (status === 'pending' || status === 'reverted') await wallet.cancel(id)
        expect(await wallet.balance({ minConfirmations: 1 })).toMatchObject({
          locked: 0n,
          awaitingFinalization: 0n,
          reverted: 0n,
        })
        complete += (await wallet.transactions()).filter(
          ({ status, slateId }) => status === 'confirmed' && slateId,
        ).length
      }
    }),
    { numRuns: 40, examples: [[WHOLE_LIFE]] },
  )
  // Both sides of both.
  expect(complete).toBeGreaterThanOrEqual(4)
})
