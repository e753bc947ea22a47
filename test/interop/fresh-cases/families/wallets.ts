// Both wallets of a flow, and slates that travel between them in one of their forms.
import { toHex } from '../../../../src/lib/bytes.js'
import type { Dice } from '../dice.js'
import type { Round } from '../family.js'
import type { Library } from '../library.js'
import { okOf } from '../reference.js'

export type Slate = ReturnType<Library['slate']['decodeSlate']>

/** What the Rust wallet answers to a step. */
export interface Step {
  readonly id: string
  readonly json: string
  readonly binary: string
  readonly armor: string
  readonly transaction?: string
  readonly proof?: string
}

export const TIP = 3_000_000
const PREFIX = 'grin'

/** Coins of an account that pay for `amount` with every fee these tests may ask for, the smallest not always enough. */
function coinsFor(dice: Dice, { keychain }: Library, account: number, amount: bigint) {
  const spare = 1_000_000_000n + dice.amount()
  const count = dice.upTo(4)
  const first = dice.below(1000)
  return dice
    .many(count, () => 0)
    .map((_, at) => ({
      identifier: keychain.outputIdentifier(account, first + at),
      value: amount / BigInt(count) + spare,
      coinbase: dice.chance(0.15),
    }))
}

/** The wallet of grin-wallet's library. */
export async function openTheirs({ dice, library, ask }: Round, amount: bigint) {
  const account = dice.below(4)
  const coins = coinsFor(dice, library, account, amount).map((coin) => ({
    ...coin,
    identifier: toHex(coin.identifier),
    value: `${coin.value}`,
  }))
  const opened = { entropy: dice.hex(32), account, tip: TIP, next: 5000 + dice.below(100), coins }
  const { wallet, address } = okOf<{ wallet: number; address: string }>(await ask('wallet', opened))
  return {
    address,
    step: (op: string, question: object) => ask(op, { wallet, ...question }),
    forget: () => ask('forget', { wallet }),
  }
}

/** Ours: a keychain, an account, and coins for `amount`. */
export function openOurs({ dice, library }: Round, amount: bigint) {
  const { keychain: keys, send, slatepack } = library
  const entropy = dice.bytes(32)
  const [account, keychain] = [dice.below(4), keys.openKeychain(entropy)]
  const seed = keychain.addressSeed(account, 0)
  const key = slatepack.addressOfSeed(seed)
  const change = keys.outputIdentifier(account, 7000 + dice.below(1000))
  return {
    entropy: toHex(entropy),
    account,
    keychain,
    seed,
    key,
    address: slatepack.formatAddress(PREFIX, key),
    keyIndex: dice.child(),
    spend: () => send.planSpend(coinsFor(dice, library, account, amount), amount, change),
  }
}

type Ours = ReturnType<typeof openOurs>

/** A step of theirs as it reaches us: JSON, binary, or a slatepack, encrypted where the step named us as its reader. */
export async function fromTheirs(
  { dice, library }: Round,
  { json, binary, armor }: Step,
  { seed }: Ours,
): Promise<Slate> {
  switch (dice.below(4)) {
    case 0:
      return library.slate.parseSlateJson(json)
    case 1:
      return library.slate.decodeSlate(new Uint8Array(Buffer.from(binary, 'hex')))
    default: {
      const opened = await library.slatepack.readSlatepack(armor, {
        prefix: PREFIX,
        decryptWith: [seed],
        limit: 1_279_262,
      })
      return opened.slate
    }
  }
}

/** Ours as it reaches them. */
export async function toTheirs({ dice, library }: Round, slate: Slate, to: string, { key }: Ours): Promise<object> {
  const { slatepack } = library
  switch (dice.below(4)) {
    case 0:
      return { json: library.slate.formatSlateJson(slate) }
    case 1:
      return { binary: toHex(library.slate.encodeSlate(slate)) }
    case 2:
      return { armor: slatepack.armorSlate(slate, { prefix: PREFIX, sender: key }) }
    default: {
      const readers = [slatepack.parseAddress(to, PREFIX)]
      return {
        armor: await slatepack.armorSlateTo(readers, slate, { prefix: PREFIX, sender: key, random: dice.bytes }),
      }
    }
  }
}
