// The operator's filter, for commands on stored events.
import { objectOf, parseJson } from '../lib/parse-json.js'
import { type Filter, parseFilter } from '../nostr/filter/index.js'
import { parsePubkey } from '../nostr/nip19/index.js'
import { filterInvalid } from './errors.js'

/** Conditions of the filter; all must hold. */
export interface FilterWords {
  /** JSON, as NIP-01 writes it. */
  readonly filter?: string | undefined
  readonly ids?: readonly string[] | undefined
  /** As npub or 64 hex. */
  readonly authors?: readonly string[] | undefined
  readonly kinds?: readonly number[] | undefined
  /** Epoch seconds, both included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

const MAX_VALUES = 100_000

/** Throws FILTER_INVALID, also for duplicate or unknown members; NOSTR_CODE_INVALID. */
export function filterOf({ filter: text, authors, ...others }: FilterWords): Filter {
  const json = text === undefined ? {} : parseJson(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw filterInvalid('it is a JSON object')
  const value: Record<string, unknown> = { ...objectOf(json) }
  const words = { ...others, authors: authors?.map((key) => parsePubkey(key.trim())) }
  for (const [name, given] of Object.entries(words)) {
    if (given === undefined) continue
    if (name in value) throw filterInvalid(`${name} is given twice`)
    value[name] = given
  }
  // A relay ignores unknown members. Here that could delete the wrong events.
  const strange = Object.keys(value).find((name) => !KNOWN.test(name))
  if (strange !== undefined) throw filterInvalid(`${strange} is not a member of filters`)
  const filter = parseFilter(value, { maxValues: MAX_VALUES })
  if ('problem' in filter) throw filterInvalid(filter.problem)
  return filter
}

const KNOWN = /^(ids|authors|kinds|since|until|limit|#[A-Za-z])$/
