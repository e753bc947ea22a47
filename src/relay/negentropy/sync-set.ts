// A set of events for reconciliation: sorted times and ids in 42 bytes each, with sums of ids at regular distances, so that the fingerprint of each
// range takes a microsecond or two.
import { hash } from 'node:crypto'
import { type Bound, END, FINGERPRINT_BYTES, ID_BYTES, varint } from './wire.js'

export interface SyncSet {
  readonly size: number
  /** Fingerprint of a range: SHA-256 of the sum of its ids and their number, 16 bytes. */
  fingerprint(from: number, to: number): Uint8Array
  /** Index of the first entry from `from` on that is not before the bound. */
  find(from: number, bound: Bound): number
  /** Ids of a range, concatenated. */
  ids(from: number, to: number): Uint8Array
  /** The shortest bound between entry `index` and the previous one; the final bound after the last entry. */
  boundBefore(index: number): Bound
  /** The exact bound of entry `index`. */
  boundAt(index: number): Bound
}

/** An id as eight 32-bit numbers, the lowest first. */
const WORDS = 8
const STRIDE = 16

/** Entries must be added in order of time, then id. */
export function createSetBuilder(size: number) {
  const times = new Float64Array(size)
  const ids = Buffer.alloc(size * ID_BYTES)
  const sums = new Uint32Array((Math.floor(size / STRIDE) + 1) * WORDS)
  const running = new Uint32Array(WORDS)
  let count = 0

  return {
    /** Throws RangeError unless `id` is 64 hex and in order. */
    add(time: number, id: string): void {
      const at = count * ID_BYTES
      if (ids.write(id, at, ID_BYTES, 'hex') !== ID_BYTES) throw new RangeError(`not an id: ${id.slice(0, 80)}`)
      times[count] = time
      if (count > 0 && !isAfter(times, ids, count)) throw new RangeError(`not in order: ${id}`)
      addId(running, ids, at)
      count++
      if (count % STRIDE === 0) sums.set(running, (count / STRIDE) * WORDS)
    },
    seal: (): SyncSet => createSyncSet({ size: count, times, ids, sums }),
  }
}

interface Parts {
  readonly size: number
  readonly times: Float64Array
  readonly ids: Buffer
  /** Sums of the first 0, 16, 32 … ids. */
  readonly sums: Uint32Array
}

function isAfter(times: Float64Array, ids: Buffer, index: number): boolean {
  const [before, time] = [times[index - 1] ?? 0, times[index] ?? 0]
  const at = index * ID_BYTES
  return before < time || (before === time && ids.compare(ids, at - ID_BYTES, at, at, at + ID_BYTES) > 0)
}

/** Modulo 2^256. */
function addId(sum: Uint32Array, ids: Buffer, at: number): void {
  let carry = 0
  for (let word = 0; word < WORDS; word++) {
    const digit = (sum[word] ?? 0) + ids.readUInt32LE(at + 4 * word) + carry
    sum[word] = digit
    carry = digit > 0xffffffff ? 1 : 0
  }
}

function subtract(sum: Uint32Array, other: Uint32Array): void {
  let borrow = 0
  for (let word = 0; word < WORDS; word++) {
    const digit = (sum[word] ?? 0) - (other[word] ?? 0) - borrow
    sum[word] = digit
    borrow = digit < 0 ? 1 : 0
  }
}

function createSyncSet({ size, times, ids, sums }: Parts): SyncSet {
  const timeOf = (index: number): number => times[index] ?? END.time
  const idsOf = (from: number, to: number): Uint8Array => ids.subarray(from * ID_BYTES, to * ID_BYTES)

  function sumUpTo(index: number): Uint32Array {
    const block = Math.floor(index / STRIDE)
    const sum = sums.slice(block * WORDS, (block + 1) * WORDS)
    for (let i = block * STRIDE; i < index; i++) addId(sum, ids, i * ID_BYTES)
    return sum
  }

  function isBefore(index: number, { time, prefix }: Bound): boolean {
    if (timeOf(index) !== time) return timeOf(index) < time
    const at = index * ID_BYTES
    return ids.compare(prefix, 0, prefix.length, at, at + prefix.length) < 0
  }

  return {
    size,
    fingerprint(from, to) {
      const sum = sumUpTo(to)
      subtract(sum, sumUpTo(from))
      const preimage = Buffer.alloc(ID_BYTES)
      for (const [word, digit] of sum.entries()) preimage.writeUInt32LE(digit, 4 * word)
      const count = Uint8Array.from(varint(to - from))
      return hash('sha256', Buffer.concat([preimage, count]), 'buffer').subarray(0, FINGERPRINT_BYTES)
    },
    find(from, bound) {
      let [low, high] = [from, size]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (isBefore(middle, bound)) low = middle + 1
        else high = middle
      }
      return low
    },
    ids: idsOf,
    boundBefore(index) {
      if (index >= size) return END
      const time = timeOf(index)
      if (timeOf(index - 1) !== time) return { time, prefix: new Uint8Array() }
      const [before, id] = [idsOf(index - 1, index), idsOf(index, index + 1)]
      return { time, prefix: id.subarray(0, 1 + id.findIndex((byte, i) => byte !== before[i])) }
    },
    boundAt: (index) => ({ time: timeOf(index), prefix: idsOf(index, index + 1) }),
  }
}
