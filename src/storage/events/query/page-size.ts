// How many rows a page takes, so that it is about so many bytes: known only afterwards, so the next one is made by what the last ones were.
import type { EventPage } from '../../../relay/index.js'

export interface PageSize {
  rows(): number
  learn(page: EventPage): void
}

const PAGE_BYTES = 256 * 1024
/** The mean says nothing of what one author wrote: these may have 128 kB each, and a page is put together in one piece. */
const MOST_ROWS = 64
const FEWEST_ROWS = 8
/** Of a text, before any was read. */
const USUAL_BYTES = 1300
/** The mean is that of about so many pages. */
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
