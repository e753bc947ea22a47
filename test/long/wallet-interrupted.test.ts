// A wallet whose storage fails at any commit, before or after it stored the batch, and that is opened again afterwards.
import { beforeAll, describe, expect, test } from 'vitest'
import type { RangeProofInput } from '../../src/grin/crypto/index.js'
import { openKeychain } from '../../src/grin/keychain/index.js'
import type { Slate } from '../../src/grin/slate/index.js'
import { toHex } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'
import { createMemoryStorage, openWallet, type Wallet, type WalletStorage } from '../../src/wallet/index.js'
import { prove, verify } from '../support/grin.js'
import { createDirectChain, type DirectChain } from '../wallet/direct-chain.js'

const GRIN = 1_000_000_000n
const near = { minConfirmations: 1 }
const [ALICE, BOB] = [openKeychain(new Uint8Array(32).fill(1)), openKeychain(new Uint8Array(32).fill(2))]

class Killed extends Error {}
type Moment = 'before' | 'after'

/** Fails at one commit, then is as good as before: the process that saw the failure is gone. */
function mortal(inner: WalletStorage, killAt: number, moment: Moment) {
  let commits = 0
  const storage: WalletStorage = {
    load: () => inner.load(),
    async commit(batch) {
      const isLast = commits++ === killAt
      if (isLast && moment === 'before') throw new Killed()
      const outcome = await inner.commit(batch)
      if (isLast) throw new Killed()
      return outcome
    },
  }
  return { storage, commits: () => commits }
}

/** Range proofs are determined by their input: each is made once for all runs. */
const proofs = new Map<string, Promise<Uint8Array>>()
const verdicts = new Map<string, Promise<boolean>>()
const keyOf = ({ value, blind }: RangeProofInput): string => `${value} ${blind}`

/** What left a wallet: which key made which output, and which nonce which signature. */
class Witness {
  readonly outputs = new Map<string, Set<string>>()
  readonly signatures = new Map<string, Set<string>>()

  prove = (input: RangeProofInput): Promise<Uint8Array> => {
    note(this.outputs, toHex(input.message ?? new Uint8Array()), keyOf(input))
    const proof = proofs.get(keyOf(input)) ?? prove(input)
    proofs.set(keyOf(input), proof)
    return proof
  }

  sees<T extends { readonly slate: Slate }>(result: T): T {
    for (const { nonce, part } of result.slate.participants) if (part) note(this.signatures, toHex(nonce), toHex(part))
    return result
  }

  check(): void {
    for (const [key, made] of this.outputs) expect([key, made.size]).toEqual([key, 1])
    for (const [nonce, parts] of this.signatures) expect([nonce, parts.size]).toEqual([nonce, 1])
    expect(this.signatures.size).toBeGreaterThan(5)
  }
}

function note(seen: Map<string, Set<string>>, key: string, value: string): void {
  seen.set(key, (seen.get(key) ?? new Set()).add(value))
}

const verifyOnce = (commitment: Uint8Array, proof: Uint8Array): Promise<boolean> => {
  const verdict = verdicts.get(toHex(commitment)) ?? verify(commitment, proof)
  verdicts.set(toHex(commitment), verdict)
  return verdict
}

/** A wallet that is opened again, on what its storage holds, whenever it was killed. */
async function person(keychain: typeof ALICE, inner: WalletStorage, first: WalletStorage, witness: Witness) {
  const open = (storage: WalletStorage) =>
    openWallet({
      keychain,
      storage,
      chainType: 'sandbox',
      prover: { prove: witness.prove, verify: verifyOnce },
      random: systemRandom.bytes,
      now: () => 0,
    })
  let wallet = await open(first).catch(() => open(inner))
  return {
    async does<T>(job: (wallet: Wallet) => Promise<T>): Promise<T> {
      try {
        return await job(wallet)
      } catch (thrown) {
        if (!(thrown instanceof Killed)) throw thrown
        wallet = await open(inner)
        return job(wallet)
      }
    },
  }
}

type Person = Awaited<ReturnType<typeof person>>
interface World {
  readonly chain: DirectChain
  readonly alice: Person
  readonly bob: Person
  readonly witness: Witness
}

/** Both flows, a late lock and a cancellation. Alice begins with three coins of 20 GRIN. */
async function life({ chain, alice, bob, witness }: World): Promise<void> {
  const settle = async () => {
    chain.mine()
    await alice.does((wallet) => wallet.refresh(chain))
    await bob.does((wallet) => wallet.refresh(chain))
  }
  await alice.does((wallet) => wallet.restore({ ...chain, pageSize: 2 }))
  await bob.does((wallet) => wallet.refresh(chain))

  for (const lateLock of [false, true]) {
    const s1 = witness.sees(await alice.does((wallet) => wallet.send({ amount: 5n * GRIN, lateLock, ...near })))
    const s2 = witness.sees(await bob.does((wallet) => wallet.receive(s1.slate)))
    witness.sees(await alice.does((wallet) => wallet.finalize(s2.slate)))
    await alice.does((wallet) => wallet.post(s1.slateId, chain))
    await settle()
  }
  const i1 = witness.sees(await alice.does((wallet) => wallet.invoice({ amount: GRIN })))
  const i2 = witness.sees(await bob.does((wallet) => wallet.pay(i1.slate, near)))
  witness.sees(await alice.does((wallet) => wallet.finalize(i2.slate)))
  await alice.does((wallet) => wallet.post(i1.slateId, chain))
  await settle()

  const given = witness.sees(await alice.does((wallet) => wallet.send({ amount: GRIN, ...near })))
  await alice.does((wallet) => wallet.cancel(given.slateId).catch(alreadyCancelled(wallet)))
}

/** The cancellation was stored before the process was killed. */
const alreadyCancelled = (wallet: Wallet) => async (thrown: unknown) => {
  const [last] = (await wallet.transactions()).slice(-1)
  if (last?.status !== 'cancelled') throw thrown
  return last
}

async function afterLife({ alice, bob, chain }: World): Promise<void> {
  for (const [one, total] of [
    [alice, 60n * GRIN - 10n * GRIN - 46_000_000n + GRIN],
    [bob, 9n * GRIN - 23_000_000n],
  ] as const) {
    // Killed right after a send was stored, its S1 never came back: cancelling frees the coins.
    await one.does(async (wallet) => {
      for (const { id, status } of [...(await wallet.transactions())].reverse())
        if (status === 'pending') await wallet.cancel(id)
    })
    const balance = await one.does((wallet) => wallet.balance(near))
    expect(balance).toMatchObject({ total, spendable: total, locked: 0n, awaitingFinalization: 0n })
    await one.does((wallet) => wallet.check(chain))
    expect(await one.does((wallet) => wallet.balance(near))).toEqual(balance)
  }
}

let run: (victim: 'alice' | 'bob' | undefined, killAt: number, moment: Moment) => Promise<number>

beforeAll(() => {
  run = async (victim, killAt, moment) => {
    const witness = new Witness()
    const chain = createDirectChain(witness.prove)
    for (const index of [0, 1, 2]) await chain.mineTo(ALICE, index, 20n * GRIN)
    chain.mine(3)
    witness.outputs.clear()
    const stores = [createMemoryStorage(), createMemoryStorage()] as const
    const mortals = [
      mortal(stores[0], victim === 'alice' ? killAt : -1, moment),
      mortal(stores[1], victim === 'bob' ? killAt : -1, moment),
    ] as const
    const world = {
      chain,
      witness,
      alice: await person(ALICE, stores[0], mortals[0].storage, witness),
      bob: await person(BOB, stores[1], mortals[1].storage, witness),
    }
    await life(world)
    const commits = mortals[victim === 'bob' ? 1 : 0].commits()
    await afterLife(world)
    witness.check()
    return commits
  }
})

test('without a failure', async () => {
  expect(await run(undefined, -1, 'before')).toBeGreaterThan(10)
})

describe.each(['alice', 'bob'] as const)('%s is killed', (victim) => {
  test.each(['before', 'after'] as const)('%s any commit is stored', { timeout: 120_000 }, async (moment) => {
    // A run that was killed makes fewer commits on its first storage than the number at which it was killed is large: then all were tried.
    let killAt = 0
    while ((await run(victim, killAt, moment)) > killAt) killAt += 1
    expect(killAt).toBeGreaterThan(8)
  })
})
