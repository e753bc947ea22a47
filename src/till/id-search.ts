// Short ids: which ids begin with what an operator typed. The public routes know whole ids only.

export type IdKind = 'invoice' | 'payment' | 'event'

/** One more than an error lists, so that it can say that there are more. */
export const MOST_IDS = 6

export interface IdSearch {
  /** Ids of this kind that begin with the prefix, in order, at most `limit`. */
  idsLike(kind: IdKind, prefix: string, limit: number): Promise<readonly string[]>
}
