// One page of a long list, as stores and daemons give it.

export interface ListPage<T> {
  readonly items: readonly T[]
  /** Cursor of the next page; null: this is the last. */
  readonly next: string | null
}

export interface ListRequest {
  readonly limit: number
  /** `next` of the page before; absent: the first page. */
  readonly cursor?: string | undefined
}
