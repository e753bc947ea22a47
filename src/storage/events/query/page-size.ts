// Adapts the number of rows per page to a target size in bytes, from the sizes of previous pages.
import type { EventPage } from '../../../relay/index.js'

export interface PageSize {
  rows(): number
  learn(page: EventPage): void
}

const PAGE_BYTES = 256 * 1024
/** Limits of rows: the mean does not predict a single author, whose texts may have 128 kB each. */
const MOST_ROWS = 64
const FEWEST_ROWS = 8
/** Assumed size of a text at the start. */
const USUAL_BYTES = 1300
/** Number of pages in the moving average. */
const MEMORY = 8

export function createPageSize(): PageSize {
  let mean = USUAL_BYTES
  return {
    rows: () => Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, Math.floor(PAGE_BYTES / mean))),
    learn({ bytes, ends }) {
      if (ends.length > 0) mean += (bytes.length / ends.length - mean) / MEMORY
    },
  }
}
