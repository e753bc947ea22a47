// Short ids: which ids begin with what an operator typed. The public routes accept whole ids only.
import type { SearchableId } from './model.js'

/** One more than an error lists, so that it can say that there are more. */
export const MOST_IDS = 6

export interface IdSearch {
  /** Ids of this kind that begin with the prefix, in order, at most `limit`. */
  idsLike(kind: SearchableId, prefix: string, limit: number): Promise<readonly string[]>
}
