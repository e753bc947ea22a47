import { describe, expect, test } from 'vitest'
import {
  blindSum,
  commit,
  commitmentsBalance,
  commitmentToPublicKey,
  compressedPublicKey,
  isCommitment,
  isPublicKey,
  publicKeyToCommitment,
  scalarToBytes,
  sumCommitments,
  sumPublicKeys,
  switchBlind,
} from '../../../src/grin/crypto/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { GrinpayError } from '../../../src/lib/errors.js'
import { bytes, casesOf, scalar } from './vectors.js'

type Result = { ok: boolean }

describe('commitments', () => {
  test.each(casesOf<Result & { value: string; blind: string; commit: string; pubkey: string }>('commitments'))(
    'commit($value, $blind)',
    ({ ok, value, blind, commit: expected, pubkey }) => {
      const make = () => commit(BigInt(value), scalar(blind))
      if (!ok) return expect(make).toThrow(GrinpayError)
      expect(toHex(make())).toBe(expected)
      expect(toHex(commitmentToPublicKey(make()))).toBe(pubkey)
      expect(toHex(publicKeyToCommitment(bytes(pubkey)))).toBe(expected)
      expect([isCommitment(make()), isPublicKey(make())]).toEqual([true, false])
      expect([isCommitment(bytes(pubkey)), isPublicKey(bytes(pubkey))]).toEqual([false, true])
    },
  )

  test.each(casesOf<Result & { pos: string[]; neg: string[]; commit: string }>('commitment_sums'))(
    'sum of commitments %#',
    ({ ok, pos, neg, commit: expected }) => {
      const make = () => sumCommitments(pos.map(bytes), neg.map(bytes))
      expect(commitmentsBalance(pos.map(bytes), neg.map(bytes))).toBe(!ok)
      if (!ok) return expect(make).toThrow(/cancel/)
      expect(toHex(make())).toBe(expected)
    },
  )

  test('an amount outside 64 bits is refused', () => {
    expect(() => commit(2n ** 64n, 1n)).toThrow(/out of range/)
    expect(() => commit(-1n, 1n)).toThrow(/out of range/)
  })

  test('33 bytes that are no point are neither a commitment nor a public key', () => {
    const noPoint = bytes(`08${'ff'.repeat(32)}`)
    expect([isCommitment(noPoint), isPublicKey(bytes(`02${'ff'.repeat(32)}`))]).toEqual([false, false])
    expect([isCommitment(bytes('08')), isPublicKey(new Uint8Array(0))]).toEqual([false, false])
    expect(() => commitmentToPublicKey(noPoint)).toThrow(/not a point/)
    expect(() => commitmentToPublicKey(bytes('08'))).toThrow(/need 33 bytes/)
    expect(() => publicKeyToCommitment(bytes('02'))).toThrow(/need 33 bytes/)
  })
})

describe('scalars and public keys', () => {
  test.each(casesOf<Result & { pos: string[]; neg: string[]; sum: string }>('blind_sums'))(
    'sum of blinding factors %#',
    ({ ok, pos, neg, sum }) => {
      const make = () => blindSum(pos.map(scalar), neg.map(scalar))
      if (!ok) return expect(make).toThrow(GrinpayError)
      expect(toHex(scalarToBytes(make()))).toBe(sum)
    },
  )

  test.each(casesOf<Result & { sks: string[]; keys: string[]; pubkey: string }>('pubkey_sums'))(
    'sum of public keys %#',
    ({ ok, sks, keys, pubkey }) => {
      expect(sks.map((sk) => toHex(compressedPublicKey(scalar(sk))))).toEqual(keys)
      const make = () => sumPublicKeys(keys.map(bytes))
      if (!ok) return expect(make).toThrow(/cancel/)
      expect(toHex(make())).toBe(pubkey)
    },
  )
})

describe('switch', () => {
  test.each(casesOf<Result & { value: string; blind: string; switch_blind: string; switch_commit: string }>('switch'))(
    'switch of $blind for $value',
    ({ ok, value, blind, switch_blind, switch_commit }) => {
      const make = () => switchBlind(BigInt(value), scalar(blind))
      if (!ok) return expect(make).toThrow(GrinpayError)
      expect(toHex(scalarToBytes(make()))).toBe(switch_blind)
      expect(toHex(commit(BigInt(value), make()))).toBe(switch_commit)
    },
  )
})

describe('whole transactions', () => {
  type Balance = Record<
    | 'input'
    | 'change'
    | 'output'
    | 'excess'
    | 'fee'
    | 'amount'
    | 'offset'
    | 'output_blind'
    | 'change_blind'
    | 'input_blind'
    | 'input_value'
    | 'change_value'
    | 'receiver_excess_key'
    | 'receiver_offset'
    | 'sender_excess_key',
    string
  >
  test.each(casesOf<Balance>('tx_balance'))('outputs, fee, inputs, excess and offset tally %#', (tx) => {
    expect(toHex(commit(BigInt(tx.amount), scalar(tx.output_blind)))).toBe(tx.output)
    expect(toHex(commit(BigInt(tx.change_value), scalar(tx.change_blind)))).toBe(tx.change)
    expect(toHex(commit(BigInt(tx.input_value), scalar(tx.input_blind)))).toBe(tx.input)
    const offset = blindSum([scalar(tx.output_blind)], [scalar(tx.receiver_excess_key)])
    expect(toHex(scalarToBytes(offset))).toBe(tx.receiver_offset)
    const outputs = [bytes(tx.output), bytes(tx.change), commit(BigInt(tx.fee), 0n)]
    const rest = [bytes(tx.input), bytes(tx.excess), commit(0n, scalar(tx.offset))]
    expect(commitmentsBalance(outputs, rest)).toBe(true)
    expect(commitmentsBalance(outputs.slice(1), rest)).toBe(false)
  })
})
