// Slatepacks of an attacker, each with the refusal that the specification names for it. All but one
// thing about each of them is right, so that it is that thing which is refused.
import { createHash } from 'node:crypto'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { encodeSlate, type Slate, ZERO_OFFSET } from '../../src/grin/slate/index.js'
import {
  addressOfSeed,
  armor,
  armorSlate,
  armorSlateTo,
  encodeEnvelope,
  parseAddress,
} from '../../src/grin/slatepack/index.js'
import { boundSecrets, participantOf } from '../../src/grin/tx/index.js'
import { concatBytes } from '../../src/lib/bytes.js'
import { systemRandom } from '../../src/system/index.js'

export interface Target {
  /** What the invoice asks for. */
  readonly amount: bigint
  /** The till's own address. */
  readonly address: string
}

export interface HostilePack {
  readonly name: string
  readonly make: (target: Target) => string | Promise<string>
  readonly code: string
}

const FEE = 23_000_000n
const PREFIX = 'tgrin'
const STRANGER = addressOfSeed(new Uint8Array(32).fill(9))

/** As an honest wallet makes it: the till would take it. */
export const honestS1 = ({ amount }: Pick<Target, 'amount'>, changes: Partial<Slate> = {}): Slate => ({
  headerVersion: 5,
  id: systemRandom.uuid(),
  state: 'S1',
  offset: ZERO_OFFSET,
  numParts: 2,
  amount: nanoGrin(amount),
  fee: FEE,
  features: 0,
  ttl: 0n,
  participants: [participantOf(boundSecrets({ random: systemRandom }, 'S1', new Uint8Array(32)))],
  ...changes,
})

/** The armored honest S1 with these members changed. */
export const armoredS1 = (target: Pick<Target, 'amount'>, changes: Partial<Slate> = {}): string =>
  armorSlate(honestS1(target, changes), { prefix: PREFIX })

/** The same bytes in every run, and in no order anybody wrote. */
export function noise(length: number, seed = 'noise'): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${seed} ${at}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

const participant = () => participantOf(boundSecrets({ random: systemRandom }, 'S1', new Uint8Array(32)))
const own = ({ address }: Target) => parseAddress(address, PREFIX)
/** Armor, check bytes and envelope are right; the slate's bytes are these. */
const packed = (slate: Uint8Array): string => armor(encodeEnvelope({ mode: 'plain', payload: slate }, PREFIX))
const changed = (slate: Uint8Array, at: number, ...bytes: number[]): Uint8Array => {
  const copy = slate.slice()
  copy.set(bytes, at)
  return copy
}
/** A signed request for a proof of ours; `last` is the signature's highest byte, which is at most 0x1f in a scalar. */
const signedProof = (target: Target, last: number) => ({
  sender: STRANGER,
  receiver: own(target),
  signature: changed(new Uint8Array(noise(64)), 63, last),
})
const withState = (state: Slate['state']): HostilePack => ({
  name: `in state ${state}`,
  make: (target) => armoredS1(target, { state }),
  code: 'SLATE_WRONG_STATE',
})
/** Where the parts of the binary S1 above stand. */
const AT = { version: 0, participants: 70, excess: 72 } as const

const ARMOR: readonly HostilePack[] = [
  { name: 'nothing', make: () => '', code: 'SLATEPACK_BAD_HEADER' },
  { name: '12 000 bytes of noise', make: () => noise(12_000).toString('latin1'), code: 'SLATEPACK_BAD_HEADER' },
  {
    name: 'control characters and marks that turn text around',
    make: () => '\0\u0007\u202e\ufeff\u{1f4a9}',
    code: 'SLATEPACK_BAD_HEADER',
  },
  { name: 'cut off in the middle', make: (target) => armoredS1(target).slice(0, 150), code: 'SLATEPACK_BAD_FOOTER' },
  {
    name: 'a word missing in the middle',
    make: (target) => armoredS1(target).replace(/ \w{15} /, ' '),
    code: 'SLATEPACK_BAD_CHECK',
  },
  {
    name: 'wrong check bytes',
    make: (target) =>
      armoredS1(target).replace(/^(BEGINSLATEPACK\. )(.)/, (_, head, one) => `${head}${one === '2' ? '3' : '2'}`),
    code: 'SLATEPACK_BAD_CHECK',
  },
  {
    name: 'a character that is not base58',
    make: (target) => armoredS1(target).replace(/ (\w)/, ' 0'),
    code: 'SLATEPACK_BAD_BASE58',
  },
  { name: 'only armor', make: () => 'BEGINSLATEPACK. . ENDSLATEPACK.', code: 'SLATEPACK_TOO_SHORT' },
  { name: 'longer than a slatepack may be', make: () => armor(noise(23_000)), code: 'SLATEPACK_TOO_LONG' },
  { name: 'one that never ends', make: () => `BEGINSLATEPACK. ${'2'.repeat(60_000)}`, code: 'SLATEPACK_TOO_LONG' },
  { name: 'nothing but beginnings', make: () => 'BEGINSLATEPACK.'.repeat(4_000), code: 'SLATEPACK_BAD_FOOTER' },
  {
    name: 'a footer of spaces',
    make: () => `BEGINSLATEPACK. 2222. ${' '.repeat(28_000)}X.`,
    code: 'SLATEPACK_BAD_FOOTER',
  },
  {
    name: 'the one number base58 takes longest for',
    make: () => `BEGINSLATEPACK. ${'z'.repeat(30_600)}. ENDSLATEPACK.`,
    code: 'SLATEPACK_BAD_CHECK',
  },
]

const ENVELOPES: readonly HostilePack[] = [
  ...[7, 60, 700, 21_000].map((length) => ({
    name: `right armor around ${length} random bytes`,
    // Version, mode 0, no flags, no optional part: everything after it is noise.
    make: () => armor(concatBytes(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0), noise(length))),
    code: 'SLATEPACK_INVALID',
  })),
  {
    name: 'right armor around nothing but noise',
    make: () => armor(noise(600, 'mode 137')),
    code: 'SLATEPACK_BAD_MODE',
  },
  {
    name: 'an unknown mode',
    make: () => armor(Uint8Array.of(1, 0, 2, ...new Uint8Array(14))),
    code: 'SLATEPACK_BAD_MODE',
  },
  {
    name: 'a payload length of 2^64-1',
    make: () => armor(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, ...new Uint8Array(8).fill(255))),
    code: 'SLATEPACK_INVALID',
  },
  {
    name: 'from another chain',
    make: (target) => armorSlate(honestS1(target), { prefix: 'grin', sender: STRANGER }),
    code: 'SLATEPACK_WRONG_CHAIN',
  },
  {
    name: 'encrypted to another key',
    make: (target) => armorSlateTo([STRANGER], honestS1(target), { prefix: PREFIX, random: systemRandom }),
    code: 'SLATEPACK_CANNOT_DECRYPT',
  },
  {
    name: 'encrypted noise',
    make: () => armor(encodeEnvelope({ mode: 'encrypted', payload: noise(2_000) }, PREFIX)),
    code: 'SLATEPACK_CANNOT_DECRYPT',
  },
  {
    name: 'an age header of 300 recipients',
    make: () => {
      const stanza = `-> X25519 ${noise(32).toString('base64').replace(/=+$/, '')}\n${'A'.repeat(43)}\n`
      return armor(
        encodeEnvelope(
          {
            mode: 'encrypted',
            payload: Buffer.from(`age-encryption.org/v1\n${stanza.repeat(300)}--- ${'A'.repeat(43)}\n`),
          },
          PREFIX,
        ),
      )
    },
    code: 'SLATEPACK_TOO_LONG',
  },
  {
    name: 'an age header of 150 recipients',
    make: () => {
      const stanza = `-> X25519 ${noise(32).toString('base64').replace(/=+$/, '')}\n${'A'.repeat(43)}\n`
      return armor(
        encodeEnvelope(
          {
            mode: 'encrypted',
            payload: Buffer.from(`age-encryption.org/v1\n${stanza.repeat(150)}--- ${'A'.repeat(43)}\n`),
          },
          PREFIX,
        ),
      )
    },
    code: 'SLATEPACK_CANNOT_DECRYPT',
  },
  {
    name: 'an age file that asks for the work of 2^62 passwords',
    make: () =>
      armor(
        encodeEnvelope(
          {
            mode: 'encrypted',
            payload: Buffer.from(
              `age-encryption.org/v1\n-> scrypt ${'A'.repeat(22)} 62\n${'A'.repeat(43)}\n--- ${'A'.repeat(43)}\n`,
            ),
          },
          PREFIX,
        ),
      ),
    code: 'SLATEPACK_CANNOT_DECRYPT',
  },
  {
    name: 'JSON ten thousand levels deep',
    make: () => `{"slatepack":${'['.repeat(10_000)}`,
    code: 'SLATEPACK_INVALID',
  },
  {
    name: 'JSON that wants to be everybody’s prototype',
    make: () => '{"__proto__":{"slatepack":"1.0","mode":0,"payload":""},"constructor":{"prototype":{"mode":0}}}',
    code: 'SLATEPACK_INVALID',
  },
  {
    name: 'JSON with a mode out of order',
    make: () => '{"slatepack":"1.0","mode":1e308,"payload":"AAAA"}',
    code: 'SLATEPACK_BAD_MODE',
  },
]

const SLATES: readonly HostilePack[] = [
  {
    name: 'a slate that ends early',
    make: (target) => packed(encodeSlate(honestS1(target)).slice(0, -20)),
    code: 'SLATE_INVALID',
  },
  {
    name: 'slate version 3',
    make: (target) => packed(changed(encodeSlate(honestS1(target)), AT.version, 0, 3)),
    code: 'SLATE_VERSION_UNSUPPORTED',
  },
  {
    name: 'slate version 65535',
    make: (target) => packed(changed(encodeSlate(honestS1(target)), AT.version, 255, 255)),
    code: 'SLATE_VERSION_UNSUPPORTED',
  },
  {
    name: '255 participants',
    make: (target) => packed(changed(encodeSlate(honestS1(target)), AT.participants, 255)),
    code: 'SLATE_INVALID',
  },
  {
    name: 'a key that is not on the curve',
    make: (target) => packed(changed(encodeSlate(honestS1(target)), AT.excess, 2, ...new Uint8Array(32).fill(255))),
    code: 'SLATE_INVALID',
  },
  {
    name: 'a key at infinity',
    make: (target) => packed(changed(encodeSlate(honestS1(target)), AT.excess, ...new Uint8Array(33))),
    code: 'SLATE_INVALID',
  },
  ...(['S2', 'S3', 'I1', 'I2', 'I3', 'NA'] as const).map(withState),
]

const MONEY: readonly HostilePack[] = [
  { name: 'zero amount', make: () => armoredS1({ amount: 0n }), code: 'S1_ZERO_AMOUNT' },
  {
    name: 'a nanogrin too little',
    make: ({ amount }) => armoredS1({ amount: amount - 1n }),
    code: 'SLATE_WRONG_AMOUNT',
  },
  { name: 'a nanogrin too much', make: ({ amount }) => armoredS1({ amount: amount + 1n }), code: 'SLATE_WRONG_AMOUNT' },
  { name: 'an amount of 2^64-1', make: () => armoredS1({ amount: 2n ** 64n - 1n }), code: 'SLATE_WRONG_AMOUNT' },
  { name: 'no fee', make: (target) => armoredS1(target, { fee: 0n }), code: 'S1_FEE_TOO_LOW' },
  {
    name: 'a fee that shifts away',
    make: (target) => armoredS1(target, { fee: (15n << 40n) | FEE }),
    code: 'S1_FEE_TOO_LOW',
  },
  {
    name: 'a fee field with stray bits',
    make: (target) => armoredS1(target, { fee: (1n << 60n) | FEE }),
    code: 'S1_FEE_FIELD',
  },
  { name: 'a time that is over', make: (target) => armoredS1(target, { ttl: 2n }), code: 'SLATE_EXPIRED' },
]

const PARTIES: readonly HostilePack[] = [
  { name: 'no participant', make: (target) => armoredS1(target, { participants: [] }), code: 'S1_PARTICIPANTS' },
  {
    name: 'two participants',
    make: (target) => armoredS1(target, { participants: [participant(), participant()] }),
    code: 'S1_PARTICIPANTS',
  },
  {
    name: 'the same participant twice',
    make: (target) => {
      const one = participant()
      return armoredS1(target, { participants: [one, one] })
    },
    code: 'S1_PARTICIPANTS',
  },
  {
    name: 'a signature before ours',
    make: (target) => armoredS1(target, { participants: [{ ...participant(), part: noise(64) }] }),
    code: 'S1_SIGNED',
  },
  { name: 'three sides', make: (target) => armoredS1(target, { numParts: 3 }), code: 'S1_NUM_PARTS' },
  { name: 'a coinbase kernel', make: (target) => armoredS1(target, { features: 1 }), code: 'S1_FEATURES' },
  {
    name: 'a kernel locked until a height',
    make: (target) => armoredS1(target, { features: 2, lockHeight: 9_000_000n }),
    code: 'S1_FEATURES',
  },
  {
    name: 'a kernel locked until now',
    make: (target) => armoredS1(target, { features: 2, lockHeight: 0n }),
    code: 'S1_FEATURES',
  },
  {
    name: 'a kernel against recent duplicates',
    make: (target) => armoredS1(target, { features: 3 }),
    code: 'S1_FEATURES',
  },
  { name: 'an unknown kernel', make: (target) => armoredS1(target, { features: 255 }), code: 'S1_FEATURES' },
  {
    name: 'an offset above the group order',
    make: (target) => armoredS1(target, { offset: new Uint8Array(32).fill(255) }),
    code: 'S1_OFFSET',
  },
  {
    name: 'a proof for another recipient',
    make: (target) => armoredS1(target, { proof: { sender: STRANGER, receiver: STRANGER } }),
    code: 'S1_PROOF_ADDRESS',
  },
  {
    name: 'a proof that is signed already',
    make: (target) => armoredS1(target, { proof: signedProof(target, 0x0f) }),
    code: 'S1_PROOF_SIGNED',
  },
  {
    name: 'a proof whose signature is beyond the group order',
    make: (target) => armoredS1(target, { proof: signedProof(target, 0xff) }),
    code: 'SLATE_INVALID',
  },
  {
    name: 'a proof key of small order',
    make: (target) => {
      const slate = encodeSlate(honestS1(target, { proof: { sender: STRANGER, receiver: own(target) } }))
      return packed(changed(slate, slate.length - 65, 1, ...new Uint8Array(31)))
    },
    code: 'SLATE_INVALID',
  },
  {
    name: 'a wrong amount, encrypted to us without a sender',
    make: (target) =>
      armorSlateTo([own(target)], honestS1({ amount: target.amount + 1n }), { prefix: PREFIX, random: systemRandom }),
    code: 'SLATE_WRONG_AMOUNT',
  },
]

/** Every row of it is refused with 422 and its code. */
export const HOSTILE_PACKS: readonly HostilePack[] = [...ARMOR, ...ENVELOPES, ...SLATES, ...MONEY, ...PARTIES]
