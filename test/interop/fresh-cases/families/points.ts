// Commitments and public keys: made, read, re-encoded, summed.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family } from '../family.js'
import type { Library } from '../library.js'

const publicKey = ({ crypto }: Library, dice: Dice): Uint8Array =>
  crypto.compressedPublicKey(crypto.scalarFromBytes(dice.secret()))

const commitment = (library: Library, dice: Dice): Uint8Array =>
  library.crypto.commit(dice.u64(), library.crypto.scalarFromBytes(dice.secret()))

/** Null where the work is refused. */
async function orNull(work: () => Uint8Array | boolean): Promise<string | boolean | null> {
  const outcome = await attempt(() => {
    const value = work()
    return typeof value === 'boolean' ? value : toHex(value)
  })
  return 'ok' in outcome ? (outcome.ok as string | boolean) : null
}

export const commitmentsFamily: Family = {
  name: 'commitments',
  weight: 8,
  async run({ dice, library, ask, agree }) {
    const value = dice.u64()
    const blind =
      dice.chance(0.05) && value > 0n
        ? new Uint8Array(32)
        : dice.chance(0.03)
          ? dice.bytes(32).fill(255, 0, 16)
          : dice.secret()
    const theirs = ask('commit', { value: `${value}`, blind: toHex(blind) })
    const ours = await attempt(() => ({
      commitment: toHex(library.crypto.commit(value, library.crypto.scalarFromBytes(blind))),
    }))
    agree(`commit ${value} ${toHex(blind)}`, ours, await theirs)
  },
}

export const pointsFamily: Family = {
  name: 'points',
  weight: 6,
  async run({ dice, library, ask, same }) {
    const { commitmentToPublicKey, publicKeyToCommitment } = library.crypto
    const stray = (prefixes: number[]) => new Uint8Array([dice.pick(prefixes), ...dice.bytes(32)])
    const commitments = [
      commitment(library, dice),
      damaged(dice, commitment(library, dice), false),
      stray([8, 9, 2, 10]),
    ].map(toHex)
    const keys = [publicKey(library, dice), damaged(dice, publicKey(library, dice), false), stray([2, 3, 4, 8])].map(
      toHex,
    )
    const theirs = ask('points', { commitments, keys })
    const ours = {
      commitments: await Promise.all(commitments.map((one) => orNull(() => commitmentToPublicKey(fromHex(one))))),
      keys: await Promise.all(keys.map((one) => orNull(() => publicKeyToCommitment(fromHex(one))))),
    }
    same('points', { ok: ours }, await theirs)
  },
}

export const sumsFamily: Family = {
  name: 'sums of points',
  weight: 5,
  async run({ dice, library, ask, same }) {
    const { sumCommitments, sumPublicKeys, commitmentsBalance } = library.crypto
    const [shared, sharedKey] = [commitment(library, dice), publicKey(library, dice)]
    const cancels = dice.chance(0.15)
    const more = (most: number) => (cancels ? [] : dice.many(dice.below(most), () => commitment(library, dice)))
    const plus = dice.shuffled([shared, ...more(4)])
    const minus = dice.shuffled([...(cancels || dice.chance(0.2) ? [shared] : []), ...more(3)])
    const negated = new Uint8Array(sharedKey)
    negated[0]! ^= 1
    const keys = dice.shuffled([
      sharedKey,
      ...(cancels ? [negated] : dice.many(dice.below(4), () => publicKey(library, dice))),
    ])
    const hexes = { plus: plus.map(toHex), minus: minus.map(toHex), keys: keys.map(toHex) }
    const theirs = ask('sums', hexes)
    const ours = {
      commitments: await orNull(() => sumCommitments(plus, minus)),
      balance: commitmentsBalance(plus, minus),
      keys: await orNull(() => sumPublicKeys(keys)),
    }
    same('sums', { ok: ours }, await theirs)
  },
}

export const blindSumsFamily: Family = {
  name: 'sums of blinds',
  weight: 4,
  async run({ dice, library, ask, agree }) {
    const { blindSum, scalarFromBytes, scalarToBytes, secretKeyFromBytes } = library.crypto
    const [first, others] = [dice.secret(), dice.many(dice.below(5), () => dice.secret())]
    const cancels = dice.chance(0.05)
    const plus = cancels ? [first] : [first, ...others]
    const minus = cancels ? [first] : dice.many(dice.below(4), () => dice.secret())
    const theirs = ask('blind-sum', { plus: plus.map(toHex), minus: minus.map(toHex) })
    const ours = await attempt(() => {
      const sum = scalarToBytes(
        blindSum(
          plus.map((one) => scalarFromBytes(one)),
          minus.map((one) => scalarFromBytes(one)),
        ),
      )
      secretKeyFromBytes(sum)
      return { sum: toHex(sum) }
    })
    agree('blind sum', ours, await theirs)
  },
}
