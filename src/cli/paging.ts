// Lists: the flags they share, the `--json` document, and reading all pages.
import { Flags } from '@oclif/core'

/** Of lists that can be read to their end in one go. */
export const pageFlags = {
  limit: Flags.integer({ description: 'most entries per page', default: 50, min: 1, max: 200, helpValue: 'N' }),
  cursor: Flags.string({ description: 'continue after an earlier page (its "next")', helpValue: 'CURSOR' }),
  all: Flags.boolean({ description: 'all pages', exclusive: ['cursor'] }),
}

/** The `--json` document of every list. */
export interface ItemList<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

const PAGE = 200
/** A wrong server must not keep us busy for ever. */
const MOST_PAGES = 10_000

/** Every item of every page, in the order of the server. */
export async function* allItems<Item>(
  page: (query: { limit: number; cursor?: string }) => Promise<ItemList<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null | undefined
  for (let count = 0; count < MOST_PAGES; count++) {
    const { items, next } = await page({ limit: PAGE, ...(cursor ? { cursor } : {}) })
    yield* items
    if (next === null) return
    cursor = next
  }
}

/** The `--json` document of all of them. */
export async function wholeList<Item>(found: AsyncIterable<Item>): Promise<ItemList<Item>> {
  const items: Item[] = []
  for await (const item of found) items.push(item)
  return { items, next: null }
}
