// Copies of keys at once, without the pauses of the product.
import type { KeyColumns } from '../../../src/storage/events/index/index-keys.js'

export function columnsOf(copying: Generator<number, KeyColumns>): KeyColumns {
  for (;;) {
    const { done, value } = copying.next()
    if (done) return value
  }
}
