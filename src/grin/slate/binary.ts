// The binary slate. Specification: grin-wallet, 2.3.
import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import { hyphened } from '../../lib/random-bytes.js'
import { nanoGrin } from '../amount/index.js'
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from '../wire/index.js'
import { readingSlate, slateVersionUnsupported } from './errors.js'
import {
  addressKey,
  addressSignature,
  type Participant,
  participantCount,
  participantKey,
  RANGE_PROOF_LENGTH,
  SLATE_STATES,
  SLATE_VERSION,
  type Slate,
  type SlateCommitment,
  type SlateProof,
} from './types.js'

const HAS = { numParts: 0x01, amount: 0x02, fee: 0x04, features: 0x08, ttl: 0x10 } as const
const THEN = { commitments: 0x01, proof: 0x02 } as const
const FEE_PART = 2n ** 40n - 1n
/** The only kernel feature with an argument in binary form. */
const HEIGHT_LOCKED = 2
const COINBASE = 1

/**
 * Reads a binary slate. Unknown states read as NA, unknown flags and trailing bytes are ignored, as in grin-wallet;
 * a range proof that is not 675 bytes is refused. Throws SLATE_INVALID or SLATE_VERSION_UNSUPPORTED.
 */
export function decodeSlate(bytes: Uint8Array): Slate {
  return readingSlate(() => readSlate(createByteReader(bytes)))
}

function readSlate(from: ByteReader): Slate {
  const version = from.u16('version')
  const headerVersion = from.u16('header version')
  if (version !== SLATE_VERSION) throw slateVersionUnsupported(version)
  const id = hyphened(toHex(from.bytes(16, 'id')))
  const state = SLATE_STATES[from.u8('sta')] ?? 'NA'
  const offset = from.bytes(32, 'off')
  const options = readOptions(from)
  const participants = readParticipants(from)
  const then = from.u8('flags')
  const commitments = then & THEN.commitments ? readCommitments(from) : undefined
  const proof = then & THEN.proof ? readProof(from) : undefined
  const lockHeight = options.features === HEIGHT_LOCKED ? from.u64('lock height') : undefined
  return {
    headerVersion,
    id,
    state,
    offset,
    ...options,
    participants,
    ...(commitments && { commitments }),
    ...(proof && { proof }),
    ...(lockHeight !== undefined && { lockHeight }),
  }
}

function readOptions(from: ByteReader) {
  const has = from.u8('flags')
  return {
    numParts: has & HAS.numParts ? from.u8('num_parts') : 2,
    amount: nanoGrin(has & HAS.amount ? from.u64('amt') : 0n),
    fee: has & HAS.fee ? from.u64('fee') : 0n,
    features: has & HAS.features ? from.u8('feat') : 0,
    ttl: has & HAS.ttl ? from.u64('ttl') : 0n,
  }
}

function readParticipants(from: ByteReader): Participant[] {
  return Array.from({ length: participantCount(from.u8('sigs')) }, () => {
    const signed = from.u8('sigs') === 1
    const excess = participantKey(from.bytes(33, 'xs'), 'xs')
    const nonce = participantKey(from.bytes(33, 'nonce'), 'nonce')
    return signed ? { excess, nonce, part: from.bytes(64, 'part') } : { excess, nonce }
  })
}

function readCommitments(from: ByteReader): SlateCommitment[] {
  const count = from.u16('coms')
  const commitments: SlateCommitment[] = []
  // The count is untrusted, so no array is allocated from it: reading stops at the end of the bytes.
  while (commitments.length < count) {
    const isOutput = from.u8('coms') === 1
    const coinbase = readFeature(from) === COINBASE
    const commitment = from.bytes(33, 'c')
    commitments.push(isOutput ? { coinbase, commitment, proof: readRangeProof(from) } : { coinbase, commitment })
  }
  return commitments
}

/** 0 plain, 1 coinbase. The JSON form takes every other number for plain; this one refuses it, as grin-wallet does. */
function readFeature(from: ByteReader): number {
  const feature = from.u8('f')
  if (feature > COINBASE) throw new RangeError(`f: no output feature ${feature}`)
  return feature
}

function readRangeProof(from: ByteReader): Uint8Array {
  const length = from.u64('p')
  if (length !== BigInt(RANGE_PROOF_LENGTH)) throw new RangeError(`p: need ${RANGE_PROOF_LENGTH} bytes, have ${length}`)
  return from.bytes(RANGE_PROOF_LENGTH, 'p')
}

function readProof(from: ByteReader): SlateProof {
  const sender = addressKey(from.bytes(32, 'saddr'), 'saddr')
  const receiver = addressKey(from.bytes(32, 'raddr'), 'raddr')
  const signed = from.u8('proof') !== 0
  return signed
    ? { sender, receiver, signature: addressSignature(from.bytes(64, 'rsig'), 'rsig') }
    : { sender, receiver }
}

/** Writes the binary form. Feature 3 loses its argument, as in grin-wallet. Throws RangeError for wrong lengths. */
export function encodeSlate(slate: Slate): Uint8Array {
  const to = createByteWriter().u16(SLATE_VERSION).u16(slate.headerVersion).bytes(uuidBytes(slate.id), 16, 'id')
  to.u8(SLATE_STATES.indexOf(slate.state)).bytes(slate.offset, 32, 'off')
  writeOptions(to, slate)
  to.u8(slate.participants.length)
  for (const one of slate.participants) writeParticipant(to, one)
  to.u8((slate.commitments ? THEN.commitments : 0) | (slate.proof ? THEN.proof : 0))
  if (slate.commitments) writeCommitments(to, slate.commitments)
  if (slate.proof) writeProof(to, slate.proof)
  if (slate.features === HEIGHT_LOCKED) to.u64(slate.lockHeight ?? 0n)
  return to.done()
}

function writeOptions(to: ByteWriter, { numParts, amount, fee, features, ttl }: Slate): void {
  const has =
    (numParts === 2 ? 0 : HAS.numParts) |
    (amount > 0n ? HAS.amount : 0) |
    ((fee & FEE_PART) > 0n ? HAS.fee : 0) |
    (features > 0 ? HAS.features : 0) |
    (ttl > 0n ? HAS.ttl : 0)
  to.u8(has)
  if (has & HAS.numParts) to.u8(numParts)
  if (has & HAS.amount) to.u64(amount)
  if (has & HAS.fee) to.u64(fee)
  if (has & HAS.features) to.u8(features)
  if (has & HAS.ttl) to.u64(ttl)
}

function writeParticipant(to: ByteWriter, { excess, nonce, part }: Participant): void {
  to.u8(part ? 1 : 0)
    .bytes(excess, 33, 'xs')
    .bytes(nonce, 33, 'nonce')
  if (part) to.bytes(part, 64, 'part')
}

function writeCommitments(to: ByteWriter, commitments: readonly SlateCommitment[]): void {
  to.u16(commitments.length)
  for (const { coinbase, commitment, proof } of commitments) {
    to.u8(proof ? 1 : 0)
      .u8(coinbase ? 1 : 0)
      .bytes(commitment, 33, 'c')
    if (proof) to.u64(BigInt(RANGE_PROOF_LENGTH)).bytes(proof, RANGE_PROOF_LENGTH, 'p')
  }
}

function writeProof(to: ByteWriter, { sender, receiver, signature }: SlateProof): void {
  to.bytes(addressKey(sender, 'saddr'), 32)
    .bytes(addressKey(receiver, 'raddr'), 32)
    .u8(signature ? 1 : 0)
  if (signature) to.bytes(signature, 64, 'rsig')
}

const uuidBytes = (id: string): Uint8Array => fromHex(id.replaceAll('-', ''), 16, 'id')

/** Identifies a repeated slate: SHA-256 of the binary form, 32 bytes, independent of JSON formatting and armor. */
export const digestSlate = (slate: Slate): Uint8Array => sha256(encodeSlate(slate))
