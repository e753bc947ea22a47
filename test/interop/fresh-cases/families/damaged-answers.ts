// An S2 that was damaged on its way: theirs to us, ours to them, the same damage. Both payers must come to the same verdict.
import { toHex } from '../../../../src/lib/bytes.js'
import { attempt, type Family, type Round } from '../family.js'
import { type Outcome, okOf } from '../reference.js'
import { openOurs, openTheirs, type Slate, type Step } from './wallets.js'

type S2 = Slate & {
  readonly commitments: NonNullable<Slate['commitments']>
  readonly proof: NonNullable<Slate['proof']>
}
type Damage = (s2: S2, round: Round) => Slate

const flip = (bytes: Uint8Array | undefined, at: number): Uint8Array => bytes!.with(at, bytes![at]! ^ 1)
const stranger = ({ dice, library }: Round): Uint8Array =>
  library.crypto.compressedPublicKey(library.crypto.scalarFromBytes(dice.secret()))

const DAMAGES: Readonly<Record<string, Damage>> = {
  none: (s2) => s2,
  offset: (s2) => ({ ...s2, offset: flip(s2.offset, 31) }),
  signature: (s2) => ({ ...s2, participants: s2.participants.map((one) => ({ ...one, part: flip(one.part, 40) })) }),
  excess: (s2, round) => ({ ...s2, participants: s2.participants.map((one) => ({ ...one, excess: stranger(round) })) }),
  nonce: (s2, round) => ({ ...s2, participants: s2.participants.map((one) => ({ ...one, nonce: stranger(round) })) }),
  'no signature': (s2) => ({ ...s2, participants: s2.participants.map(({ excess, nonce }) => ({ excess, nonce })) }),
  'no participant': (s2) => ({ ...s2, participants: [] }),
  'no output': (s2) => ({ ...s2, commitments: [] }),
  'range proof': (s2) => ({
    ...s2,
    commitments: s2.commitments.map((one) => ({ ...one, proof: flip(one.proof, 100) })),
  }),
  commitment: (s2, round) => {
    const commitment = round.library.crypto.publicKeyToCommitment(stranger(round))
    return { ...s2, commitments: s2.commitments.map((one) => ({ ...one, commitment })) }
  },
  'payment proof': (s2) => ({ ...s2, proof: { ...s2.proof, signature: flip(s2.proof.signature, 5) } }),
  'unsigned payment proof': ({ proof: { sender, receiver }, ...s2 }) => ({ ...s2, proof: { sender, receiver } }),
  'no payment proof': ({ proof: _, ...s2 }) => s2,
  state: (s2) => ({ ...s2, state: 'S3' }),
  id: (s2, { dice }) => ({ ...s2, id: dice.uuid() }),
  amount: (s2, { library }) => ({ ...s2, amount: library.amount.nanoGrin(1n) }),
  fee: (s2) => ({ ...s2, fee: 1n }),
}

export const damagedAnswersFamily: Family = {
  name: 'damaged answers',
  weight: 1,
  async run(round) {
    const kind = round.dice.pick(Object.keys(DAMAGES))
    const damage = (slate: Slate): Slate => DAMAGES[kind]!(slate as S2, round)
    round.agree(`an S2 with a fault: ${kind}`, await ourVerdict(round, damage), await theirVerdict(round, damage))
  },
}

const verdict = (outcome: Outcome): Outcome => ('ok' in outcome ? { ok: 'taken' } : outcome)

async function ourVerdict(round: Round, damage: (slate: Slate) => Slate): Promise<Outcome> {
  const { dice, library } = round
  const amount = dice.amount()
  const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
  const proof = { recipient: library.slatepack.parseAddress(theirs.address, 'grin'), seed: ours.seed }
  const { slate, pending } = library.send.createS1({ amount, spend: ours.spend(), proof })
  const s2 = okOf<Step>(await theirs.step('receive', { json: library.slate.formatSlateJson(slate) }))
  await theirs.forget()
  const answer = damage(library.slate.parseSlateJson(s2.json))
  return verdict(await attempt(() => library.send.finalizeS2({ keychain: ours.keychain, pending, slate: answer })))
}

async function theirVerdict(round: Round, damage: (slate: Slate) => Slate): Promise<Outcome> {
  const { dice, library } = round
  const amount = dice.amount()
  const [theirs, ours] = [await openTheirs(round, amount), openOurs(round, amount)]
  const asked = { amount: `${amount}`, proof: ours.address, change: 1 }
  const s1 = library.slate.parseSlateJson(okOf<Step>(await theirs.step('send', asked)).json)
  const { keychain, account, keyIndex } = ours
  const { slate } = await library.receive.receiveS1({ keychain, slate: s1, account, keyIndex })
  const outcome = await theirs.step('finalize', { binary: toHex(library.slate.encodeSlate(damage(slate))) })
  await theirs.forget()
  return verdict(outcome)
}
