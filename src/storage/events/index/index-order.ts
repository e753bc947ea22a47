// The rows of many events about in the order of their index table, so that neighbours share pages. Comparing whole rows would hold up the loop ten
// times as long, and making them all at once would leave a heap of them behind: they are sorted as numbers, and each is made when it is written.
import type { IndexKeys } from './index-keys.js'
import type { IndexRow, IndexTable } from './index-tables.js'

/** An event whose rows are to be written or erased. */
export interface IndexedEvent {
  readonly seq: number
  readonly keys: IndexKeys
}

export interface OrderedRows {
  readonly length: number
  row(at: number): IndexRow
}

export const NEAR_BITS = 48
/** Below 2^53, in which doubles are exact, a row's place in the table stands above its number. */
const SORTED_BITS = 53

/** Those that lie, as `near` tells it, at or after `from` and before `to`. */
export function inTableOrder(
  table: IndexTable,
  entries: readonly IndexedEvent[],
  from = 0,
  to = 2 ** NEAR_BITS,
): OrderedRows {
  let length = 0
  everyRow(table, entries, (near) => {
    if (near >= from && near < to) length++
  })
  const numberBits = Math.ceil(Math.log2(length + 1))
  const [numbers, coarse] = [2 ** numberBits, 2 ** (NEAR_BITS + numberBits - SORTED_BITS)]
  const [owners, nths, sorted] = [new Uint32Array(length), new Uint32Array(length), new Float64Array(length)]
  let number = 0
  everyRow(table, entries, (near, owner, nth) => {
    if (near < from || near >= to) return
    owners[number] = owner
    nths[number] = nth
    sorted[number] = Math.floor(near / coarse) * numbers + number
    number++
  })
  sorted.sort()

  return {
    length,
    row(at) {
      const which = (sorted[at] ?? 0) % numbers
      const { keys, seq } = entries[owners[which] ?? 0] as IndexedEvent
      return table.row(keys, seq, nths[which] ?? 0)
    },
  }
}

function everyRow(
  { count, near }: IndexTable,
  entries: readonly IndexedEvent[],
  act: (near: number, owner: number, nth: number) => void,
): void {
  for (let owner = 0; owner < entries.length; owner++) {
    const { keys } = entries[owner] as IndexedEvent
    const rows = count(keys)
    for (let nth = 0; nth < rows; nth++) act(near(keys, nth), owner, nth)
  }
}
