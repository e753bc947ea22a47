// A wallet without cryptography: slates are JSON, replies name the slate. It counts what it was asked to sign.
import { createHash } from 'node:crypto'
import { toHex } from '../../src/lib/bytes.js'
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
  /** While set, issuing and finalizing fail with it. */
  broken: Error | undefined
  /** Commitments (hex) that a finalized transaction spends beside its first. */
  readonly moreInputs: string[]
  slateOf(text: SlateText): IncomingSlate
}

/** What a payer would paste. */
export function aSlate(over: SlateText = {}): string {
  const slate = { id: aSlateId(), state: 'S1', amount: grin(2), feeFields: 23_500_000n, ttl: 0n, ...over }
  return JSON.stringify(slate, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** A slate as it stands in a message. */
export const armored = (slate: string): string => `BEGINSLATEPACK. ${Buffer.from(slate).toString('hex')}. ENDSLATEPACK.`

const bytesOf = (label: string, length: number): Uint8Array =>
  new Uint8Array(createHash('sha512').update(label).digest().subarray(0, length))

const readText = (text: string): SlateText =>
  JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )

export function createFakeWallet(): FakeWallet {
  const wallet: FakeWallet = {
    address: 'tgrin1fake',
    signed: [],
    fault: () => undefined,
    gate: undefined,
    broken: undefined,
    moreInputs: [],
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
        async finalize({ slateId, sealedSecrets, commitment }) {
          await wallet.gate
          if (wallet.broken) throw wallet.broken
          if (slateId !== slate.id || !sealedSecrets) throw new Error('another slate, or one without secrets')
          if (slate.note === 'wrong signature') throw new GrinpayError('I2_SIGNATURE', 'the signature is wrong', 422)
          return {
            i3: bytesOf(`i3 ${slate.id} ${slate.note}`, 64),
            reply: `I3 of ${slate.id}`,
            excess: bytesOf(`excess ${slate.id}`, 33),
            transaction: JSON.stringify({
              body: {
                inputs: [toHex(bytesOf(`input ${slate.id}`, 33)), ...wallet.moreInputs].map((commit) => ({ commit })),
                outputs: [{ commit: toHex(commitment) }],
              },
            }),
          }
        },
      }
    },
    read: (json) => wallet.slateOf(readText(JSON.stringify(json))),
    async issue(amount, keyIndex) {
      await wallet.gate
      if (wallet.broken) throw wallet.broken
      const slateId = aSlateId()
      const slate = {
        slateId,
        amount,
        keyIndex,
        commitment: bytesOf(`output ${keyIndex}`, 33),
        rangeProof: new Uint8Array(675).fill(keyIndex),
        sealedSecrets: bytesOf(`secrets ${slateId}`, 64),
      }
      return { slate, armor: `I1 ${slateId}` }
    },
    async open(text) {
      const inside = /^BEGINSLATEPACK\. ([0-9a-f]+)\. ENDSLATEPACK\.?$/.exec(text)?.[1]
      const slate = inside === undefined ? text : Buffer.from(inside, 'hex').toString()
      if (!slate.startsWith('{'))
        throw new GrinpayError('SLATEPACK_BAD_HEADER', 'there is no slatepack in this text', 422)
      return wallet.slateOf(readText(slate))
    },
  }
  return wallet
}
