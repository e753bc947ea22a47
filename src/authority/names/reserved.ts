// Reserved names (specification: names, 3.3).
import type { NameShape } from '../model.js'
import { normaliseName } from './grammar.js'
import { shapeOf } from './look-alikes.js'

/** The built-in list, in its published order. */
export const BUILT_IN: readonly string[] = `
  admin administrator root support help info mail email www relay nostr pay payment payments wallet official
  security abuse postmaster hostmaster webmaster contact team staff mod moderator moderators system bot api app
  dev developer test testing anonymous anon null void owner ceo register registration account accounts verify
  verified billing donate treasury faucet exchange swap bank money cash fees fee node miner mining explorer
  status blog news docs wiki store shop
`
  .trim()
  .split(/\s+/)

/** The reserved labels of a host name: all but the last, or the only one. Lower-case, none empty. */
export function domainLabels(domain: string): readonly string[] {
  const labels = domain
    .trim()
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '')
  return labels.length > 1 ? labels.slice(0, -1) : labels
}

/** Why the settings reserve a name: it looks like `word` of that list. */
export interface Reservation {
  readonly word: string
  readonly list: 'built-in' | 'domain' | 'operator'
}

/** Checks the settings only; rows in the database are checked by the store. */
export type ReservedCheck = (shape: NameShape) => Reservation | undefined

/** The check for one domain. `extra`: the operator's words, in upper or lower case. */
export function createReservedCheck(given: {
  readonly domain: string
  readonly extra: readonly string[]
}): ReservedCheck {
  const bySkeleton = new Map<string, Reservation[]>()
  function keep(list: Reservation['list'], words: readonly string[]): void {
    for (const typed of words) {
      const word = normaliseName(typed)
      const { skeleton } = shapeOf(word)
      const others = bySkeleton.get(skeleton)
      if (others) others.push({ word, list })
      else bySkeleton.set(skeleton, [{ word, list }])
    }
  }
  keep('built-in', BUILT_IN)
  keep('domain', domainLabels(given.domain))
  keep('operator', given.extra)
  return (shape) => bySkeleton.get(shape.skeleton)?.find(({ word }) => shape.looksLike(word))
}
