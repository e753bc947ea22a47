// The rules of names once more, as slow and plain as the specification states them (specification: names, 3): a history of changes goes in, who holds
// what comes out, and what in that history may not be. It shares no code with the product.
import type { AuditEntry } from '../../../src/authority/index.js'
import reservedNames from '../../vectors/names/reserved.json' with { type: 'json' }

export interface ModelRules {
  readonly domain: string
  readonly cooldownMs: number
  /** A claim costs a confirmed invoice of its key. */
  readonly isPaid: boolean
  /** The operator's file. */
  readonly reserved: readonly string[]
}

export interface NamesModel {
  /** Takes the next line of the history; answers what is wrong with it. */
  apply(entry: AuditEntry): string | undefined
  readonly holders: ReadonlyMap<string, string>
  isSuspended(name: string): boolean
  nameOf(pubkey: string): string | undefined
  /** Until when the key may not claim, by the clock of the authority. */
  cooldownOf(pubkey: string): number
  claimsOf(pubkey: string): number
  stateOf(name: string, exceptKey?: string): 'free' | 'invalid' | 'reserved' | 'taken'
  /** The answer to a claim at this time of the authority's clock, as `status code`; in paid mode that of a key that has paid. */
  claim(pubkey: string, name: string, now: number): string
  release(pubkey: string, name: string): string
}

const BUILT_IN: readonly string[] = reservedNames.builtin

const PAIRS = ['0o', '1i', '1l', '3e', '4a', '5s', '7t', '8b', '9g']

const bare = (name: string): string => [...name].filter((sign) => !'._-'.includes(sign)).join('')

/** Two names that people take for each other (specification: names, 3.4). */
function lookAlike(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  if (a.length !== b.length) return false
  return [...a].every((sign, at) => sign === b[at] || PAIRS.some((pair) => [sign + b[at], b[at] + sign].includes(pair)))
}

function isGrammatical(name: string): boolean {
  if (name.length < 3 || name.length > 20) return false
  const plain = (sign: string | undefined) => sign !== undefined && /^[a-z0-9]$/.test(sign)
  return plain(name[0]) && plain(name.at(-1)) && [...name].every((sign) => plain(sign) || '._-'.includes(sign))
}

export function createNamesModel(rules: ModelRules): NamesModel {
  const holders = new Map<string, string>()
  const suspended = new Set<string>()
  const imported = new Set<string>()
  const reserved = new Set<string>()
  const cooldowns = new Map<string, number>()
  const claims = new Map<string, number>()
  const words = [...BUILT_IN, ...rules.reserved, ...rules.domain.split('.').slice(0, -1)]
  /** The release that the next claim may be the reason of. */
  let changing:
    | { readonly id: number; readonly pubkey: string; readonly at: number; readonly before: number }
    | undefined

  const nameOf = (pubkey: string) => [...holders].find(([, key]) => key === pubkey)?.[0]
  const cooldownOf = (pubkey: string) => cooldowns.get(pubkey) ?? 0
  const isReserved = (name: string) => [...words, ...reserved].some((word) => lookAlike(word, name))
  const rivalOf = (name: string, pubkey?: string) =>
    [...holders].find(([held, key]) => key !== pubkey && (held === name || lookAlike(held, name)))?.[0]

  function arm(pubkey: string, at: number): void {
    cooldowns.set(pubkey, Math.max(cooldownOf(pubkey), at + rules.cooldownMs))
  }

  function give(name: string, pubkey: string): string | undefined {
    const held = nameOf(pubkey)
    if (held !== undefined) return `the key of ${name} holds ${held} as well`
    const holder = holders.get(name)
    if (holder !== undefined) return `${name} has two holders`
    const rival = rivalOf(name, pubkey)
    holders.set(name, pubkey)
    suspended.delete(name)
    // An import takes look-alikes over, and tells the operator.
    if (rival !== undefined && !imported.has(rival) && !imported.has(name))
      return `${name} looks like ${rival} of another key`
    return undefined
  }

  function take(name: string, pubkey: string): string | undefined {
    if (holders.get(name) !== pubkey) return `${name} was taken from a key that does not hold it`
    holders.delete(name)
    suspended.delete(name)
    return undefined
  }

  function claimed({ id, at }: AuditEntry, name: string, pubkey: string): string | undefined {
    const isChange = changing?.pubkey === pubkey && changing.id === id - 1 && changing.at === at
    const until = isChange ? (changing?.before ?? 0) : cooldownOf(pubkey)
    claims.set(pubkey, (claims.get(pubkey) ?? 0) + 1)
    const wrong = give(name, pubkey)
    if (wrong !== undefined) return wrong
    imported.delete(name)
    if (at < until) return `${name} was claimed ${until - at} ms before the cooldown ended`
    return isReserved(name) ? `${name} was claimed and is reserved` : undefined
  }

  function release({ id, at, actor }: AuditEntry, name: string, pubkey: string): string | undefined {
    const wrong = take(name, pubkey)
    const before = cooldownOf(pubkey)
    changing = { id, pubkey, at, before }
    if (actor !== 'operator') arm(pubkey, at)
    return wrong
  }

  const APPLY: Readonly<
    Record<AuditEntry['action'], (entry: AuditEntry, name: string, key: string) => string | undefined>
  > = {
    claim: claimed,
    release,
    transfer: (_, name, key) => give(name, key),
    assign: (_, name, key) => give(name, key),
    evict: (_, name, key) => take(name, key),
    suspend: (_, name) => void suspended.add(name),
    resume: (_, name) => void suspended.delete(name),
    reserve: (_, name) => void reserved.add(name),
    unreserve: (_, name) => void reserved.delete(name),
    'void-grant': () => undefined,
    import(_, name, key) {
      const held = nameOf(key)
      if (held !== undefined || holders.has(name)) return `${name} was imported over a holder`
      holders.set(name, key)
      imported.add(name)
      return undefined
    },
  }

  function stateOf(name: string, exceptKey?: string) {
    if (!isGrammatical(name)) return 'invalid'
    if (isReserved(name)) return 'reserved'
    return rivalOf(name, exceptKey) === undefined ? 'free' : 'taken'
  }

  return {
    holders,
    isSuspended: (name) => suspended.has(name),
    nameOf,
    cooldownOf,
    claimsOf: (pubkey) => claims.get(pubkey) ?? 0,
    stateOf,
    apply: (entry) => APPLY[entry.action](entry, entry.name ?? '', entry.pubkey ?? ''),
    claim(pubkey, name, now) {
      const held = nameOf(pubkey)
      if (cooldownOf(pubkey) > now && held !== name) return '429 NAME_CHANGE_COOLDOWN'
      if (!isGrammatical(name)) return '400 INVALID_NAME'
      if (isReserved(name)) return '403 NAME_RESERVED'
      if (held !== name && rivalOf(name, pubkey) !== undefined) return '409 NAME_TAKEN'
      if (held !== undefined && suspended.has(held)) return '403 NAME_SUSPENDED'
      return held === name ? '200' : '201'
    },
    release(pubkey, name) {
      const holder = holders.get(name)
      if (holder === undefined) return '404 NAME_NOT_FOUND'
      if (holder !== pubkey) return '403 NOT_THE_OWNER'
      return suspended.has(name) ? '403 NAME_SUSPENDED' : '200'
    },
  }
}
