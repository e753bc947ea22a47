// A wallet without cryptography: slates are JSON, replies name the slate. It counts what it was asked to sign.
import { createHash } from 'node:crypto'
import { GrinpayError } from '../../src/lib/errors.js'
import type { IncomingSlate, Wallet } from '../../src/till/index.js'
import { aSlateId, grin } from './till-builders.js'

type SlateText = Partial<Pick<IncomingSlate, 'id' | 'state' | 'amount' | 'feeFields' | 'ttl' | 'refusal'>> & {
  /** Two slates with one id and different notes are different slates. */
  readonly note?: string
}

export interface FakeWallet extends Wallet {
  /** Key indices that signed something. */
  readonly signed: number[]
  /** While set, signing waits for it. */
  gate: Promise<void> | undefined
  slateOf(text: SlateText): IncomingSlate
}

/** What a payer would paste. */
export function aSlate(over: SlateText = {}): string {
  const slate = { id: aSlateId(), state: 'S1', amount: grin(2), feeFields: 23_500_000n, ttl: 0n, ...over }
  return JSON.stringify(slate, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

const bytesOf = (label: string, length: number): Uint8Array =>
  new Uint8Array(createHash('sha512').update(label).digest().subarray(0, length))

export function createFakeWallet(): FakeWallet {
  const wallet: FakeWallet = {
    address: 'tgrin1fake',
    signed: [],
    gate: undefined,
    slateOf(text) {
      const slate = { id: aSlateId(), state: 'S1', amount: grin(2), feeFields: 23_500_000n, ttl: 0n, ...text }
      return {
        refusal: undefined,
        ...slate,
        digest: bytesOf(JSON.stringify([slate.id, slate.note ?? '']), 32),
        async receive(keyIndex) {
          await wallet.gate
          wallet.signed.push(keyIndex)
          return {
            s2: bytesOf(`s2 ${slate.id}`, 64),
            reply: `S2 of ${slate.id} with key ${keyIndex}`,
            commitment: bytesOf(`output ${keyIndex}`, 33),
            excess: bytesOf(`excess ${slate.id}`, 33),
            proof: null,
          }
        },
      }
    },
    async open(text) {
      if (!text.startsWith('{'))
        throw new GrinpayError('SLATEPACK_BAD_HEADER', 'there is no slatepack in this text', 422)
      const read: SlateText = JSON.parse(text, (_, value) =>
        typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
      )
      return wallet.slateOf(read)
    },
  }
  return wallet
}
