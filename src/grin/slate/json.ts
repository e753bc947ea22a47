// The JSON slate. Specification: grin-wallet, 2.1 and 2.2: strict on writing, lenient on reading.
import { fromHex, toHex } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { isRawNumber, type RawNumber, rawNumber, rawText, readExactJson } from '../../lib/parse-json.js'
import { hyphened } from '../../lib/random-bytes.js'
import { nanoGrin } from '../amount/index.js'
import { compactToRaw, rawToCompact } from '../crypto/index.js'
import { quote, readingSlate, slateVersionUnsupported } from './errors.js'
import {
  addressKey,
  addressSignature,
  isZero,
  type Participant,
  participantCount,
  participantKey,
  RANGE_PROOF_LENGTH,
  SLATE_STATES,
  SLATE_VERSION,
  type Slate,
  type SlateCommitment,
  type SlateProof,
  type SlateState,
  ZERO_OFFSET,
} from './types.js'

/**
 * Reads a JSON slate from its text or from a parsed value. Integers in a text are exact; in a parsed value, numbers beyond 2^53 are
 * refused. Throws SLATE_INVALID or SLATE_VERSION_UNSUPPORTED.
 */
export function parseSlateJson(input: unknown): Slate {
  return readingSlate(() => readSlate(readObject(typeof input === 'string' ? parseSlateText(input) : input, 'slate')))
}

/** True for JSON that is meant as a slate, of this version or an older one, readable or not. */
export function isSlateText(text: string): boolean {
  try {
    const value = readObject(parseSlateText(text), 'slate')
    return member(value, 'ver') !== undefined || isOldSlate(value)
  } catch {
    return false
  }
}

/** Versions 1 to 3 carried the whole transaction in `tx`; `version_info` came with version 2. */
const isOldSlate = (from: Members): boolean =>
  member(from, 'ver') === undefined && ['num_participants', 'tx'].every((name) => member(from, name) !== undefined)

function oldVersion(from: Members): number {
  const info = member(from, 'version_info')
  const version = present(info) ? member(readObject(info, 'version_info'), 'version') : member(from, 'version')
  return readU8(version, 'version', 1)
}

function readSlate(from: Members): Slate {
  if (isOldSlate(from)) throw slateVersionUnsupported(oldVersion(from))
  const { version, headerVersion } = readVersions(member(from, 'ver'))
  if (version !== SLATE_VERSION) throw slateVersionUnsupported(version)
  const sigs = readArray(member(from, 'sigs'), 'sigs')
  participantCount(sigs.length)
  return {
    headerVersion,
    id: readUuid(member(from, 'id')),
    state: readState(member(from, 'sta')),
    offset: member(from, 'off') === undefined ? ZERO_OFFSET : readHex(member(from, 'off'), 32, 'off'),
    numParts: readU8(member(from, 'num_parts'), 'num_parts', 2),
    amount: nanoGrin(readU64(member(from, 'amt'), 'amt')),
    fee: readU64(member(from, 'fee'), 'fee'),
    features: readU8(member(from, 'feat'), 'feat', 0),
    ttl: readU64(member(from, 'ttl'), 'ttl'),
    participants: sigs.map(readParticipant),
    ...readOptionalParts(from),
  }
}

function readOptionalParts(from: Members): Pick<Slate, 'commitments' | 'proof' | 'lockHeight'> {
  const [coms, proof, args] = ['coms', 'proof', 'feat_args'].map((name) => member(from, name))
  return {
    ...(present(coms) && { commitments: readArray(coms, 'coms').map(readCommitment) }),
    ...(present(proof) && { proof: readProof(readObject(proof, 'proof')) }),
    ...(present(args) && { lockHeight: readU64Number(member(readObject(args, 'feat_args'), 'lock_hgt'), 'lock_hgt') }),
  }
}

function readState(value: unknown): SlateState {
  const state = SLATE_STATES.find((known) => known === readText(value, 'sta'))
  if (!state) throw new RangeError(`sta: unknown state ${quote(readText(value, 'sta'))}`)
  return state
}

function readParticipant(value: unknown): Participant {
  const from = readObject(value, 'sigs')
  const excess = participantKey(readHex(member(from, 'xs'), 33, 'xs'), 'xs')
  const nonce = participantKey(readHex(member(from, 'nonce'), 33, 'nonce'), 'nonce')
  const part = member(from, 'part')
  return present(part) ? { excess, nonce, part: compactToRaw(readHex(part, 64, 'part')) } : { excess, nonce }
}

function readCommitment(value: unknown): SlateCommitment {
  const from = readObject(value, 'coms')
  const coinbase = readU8(member(from, 'f'), 'f', 0) === 1
  const commitment = readHex(member(from, 'c'), 33, 'c')
  const proof = member(from, 'p')
  return present(proof)
    ? { coinbase, commitment, proof: readHex(proof, RANGE_PROOF_LENGTH, 'p') }
    : { coinbase, commitment }
}

function readProof(from: Members): SlateProof {
  const sender = addressKey(readHex(member(from, 'saddr'), 32, 'saddr'), 'saddr')
  const receiver = addressKey(readHex(member(from, 'raddr'), 32, 'raddr'), 'raddr')
  const signature = member(from, 'rsig')
  return present(signature)
    ? { sender, receiver, signature: addressSignature(readHex(signature, 64, 'rsig'), 'rsig') }
    : { sender, receiver }
}

/** The text as serde writes it: fixed order, without defaults and spaces. */
export function formatSlateJson(slate: Slate): string {
  const { headerVersion, id, state, offset, numParts, amount, fee, features, ttl, lockHeight } = slate
  return json([
    ['ver', `"${SLATE_VERSION}:${headerVersion}"`],
    ['id', `"${id}"`],
    ['sta', `"${state}"`],
    !isZero(offset) && ['off', bytes(offset)],
    numParts !== 2 && ['num_parts', `${numParts}`],
    amount > 0n && ['amt', `"${amount}"`],
    fee > 0n && ['fee', `"${fee}"`],
    features > 0 && ['feat', `${features}`],
    ttl > 0n && ['ttl', `"${ttl}"`],
    ['sigs', `[${slate.participants.map(formatParticipant).join(',')}]`],
    slate.commitments && ['coms', `[${slate.commitments.map(formatCommitment).join(',')}]`],
    slate.proof && ['proof', formatProof(slate.proof)],
    lockHeight !== undefined && ['feat_args', json([['lock_hgt', `${lockHeight}`]])],
  ])
}

type Entry = readonly [name: string, value: string] | false | undefined

/** JSON.stringify cannot write an exact u64. Every value is a number, hex or a fixed word. */
const json = (entries: readonly Entry[]): string =>
  `{${entries.flatMap((entry) => (entry ? [`"${entry[0]}":${entry[1]}`] : [])).join(',')}}`

const bytes = (value: Uint8Array): string => `"${toHex(value)}"`

const formatParticipant = ({ excess, nonce, part }: Participant): string =>
  json([['xs', bytes(excess)], ['nonce', bytes(nonce)], part && ['part', bytes(rawToCompact(part))]])

const formatCommitment = ({ coinbase, commitment, proof }: SlateCommitment): string =>
  json([coinbase && ['f', '1'], ['c', bytes(commitment)], proof && ['p', bytes(proof)]])

const formatProof = ({ sender, receiver, signature }: SlateProof): string =>
  json([
    ['saddr', bytes(addressKey(sender, 'saddr'))],
    ['raddr', bytes(addressKey(receiver, 'raddr'))],
    signature && ['rsig', bytes(signature)],
  ])

// Reads one JSON member of a slate, as leniently as grin-wallet, except that byte fields must have their length.
// Specification: grin-wallet, 2.2. Every reader throws RangeError with the name of the member.
type Members = Readonly<Record<string, unknown>>

/** The widest slate a block can hold is 1.3 MB. */
const MAX_JSON = 2_700_000
const MAX_U64 = 2n ** 64n - 1n
/** With all its hyphens, or without any. */
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{32}$/i

/** Parses JSON as grin-wallet does. Integers beyond 15 digits, and numbers with a point or exponent, keep their text. */
function parseSlateText(text: string): unknown {
  if (text.length > MAX_JSON) throw new RangeError(`too long: ${text.length} characters`)
  return orThrow(
    () => readExactJson(text, { isLenient: true, numberOf }),
    () => new RangeError('not JSON'),
  )
}

const numberOf = (token: string): number | RawNumber => (/^-?\d{1,15}$/.test(token) ? Number(token) : rawNumber(token))

/** A JSON object, to be read with `member`. */
function readObject(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isRawNumber(value))
    throw new RangeError(`${name}: not an object`)
  return value as Members
}

/** Reads own members only, so that `__proto__` is ordinary data. */
const member = (from: Members, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined)

function readArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError(`${name}: not a list`)
  return value
}

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new RangeError(`${name}: not a text`)
  return value
}

/** A u64 as a decimal string or a number, exact; absent is 0. */
function readU64(value: unknown, name: string): bigint {
  if (value === undefined) return 0n
  return typeof value === 'string' ? decimal(value, name) : readU64Number(value, name)
}

/** A u64 that is never a string. */
function readU64Number(value: unknown, name: string): bigint {
  return isRawNumber(value) ? decimal(rawText(value), name) : integer(value, name)
}

function decimal(digits: string, name: string): bigint {
  if (!/^\+?\d{1,64}$/.test(digits)) throw new RangeError(`${name}: not a whole number: ${quote(digits)}`)
  const value = BigInt(digits.replace('+', ''))
  if (value > MAX_U64) throw new RangeError(`${name}: above 2^64-1`)
  return value
}

function integer(value: unknown, name: string): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name}: not a whole number that can be read exactly`)
  return BigInt(value)
}

/** A u8 as a number; absent is `absent`. */
function readU8(value: unknown, name: string, absent: number): number {
  if (value === undefined) return absent
  const number = integer(value, name)
  if (number > 255n) throw new RangeError(`${name}: above 255`)
  return Number(number)
}

/** Hex of either case with or without `0x`, exactly `length` bytes. */
function readHex(value: unknown, length: number, name: string): Uint8Array {
  return fromHex(readText(value, name).replace(/^0x/, ''), length, name)
}

/** Null counts as absent. */
const present = (value: unknown): boolean => value !== undefined && value !== null

/** Reads a UUID in all notations; returns lower case with hyphens. */
function readUuid(value: unknown): string {
  const text = readText(value, 'id')
  if (!UUID.test(text)) throw new RangeError(`id: not a UUID: ${quote(text)}`)
  const digits = text.replace(/^urn:uuid:|-/gi, '').toLowerCase()
  return hyphened(digits)
}

/** "<slate version>:<header version>". */
function readVersions(value: unknown): { readonly version: number; readonly headerVersion: number } {
  const match = /^\+?(\d{1,8}):\+?(\d{1,8})$/.exec(readText(value, 'ver'))
  const [version, headerVersion] = [Number(match?.[1] ?? -1), Number(match?.[2] ?? -1)]
  if (!match || version > 0xffff || headerVersion > 0xffff)
    throw new RangeError(`ver: not two version numbers: ${quote(readText(value, 'ver'))}`)
  return { version, headerVersion }
}
