// Readers of single values: text in, checked value out. Messages complete the sentence "PAY_X …".
import { parseDatabaseAddress } from '../lib/database-address.js'
import { decimalUnits } from '../lib/decimal.js'
import { canonicalNetwork } from '../lib/ip-network.js'
import { pastedWord } from '../lib/pasted-text.js'
import { Secret } from '../lib/secret.js'
import { baseAddress, checkedUrl, parseUrl } from '../lib/url.js'
import type { ValueReader } from './setting.js'

/** Runs `read`; a thrown RangeError becomes the setting's problem. */
export const reading =
  <T>(read: (text: string) => T): ValueReader<T> =>
  (text) => {
    try {
      return { success: true, value: read(text.trim()) }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return { success: false, problem: error.message }
    }
  }

/** The problem of a value, as the end of "NAME …". */
export const refuse = (message: string): never => {
  throw new RangeError(message)
}

export interface Bind {
  readonly host: string
  readonly port: number
}

/** `host:port`, `[::1]:port`; port 0 asks the system for a free one. */
export const bind = reading((text): Bind => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (!match || port > 65535) return refuse('must be host:port')
  return { host: match[1] ?? match[2] ?? '', port }
})

/** The same, or `off`. */
export const bindOrOff: ValueReader<Bind | undefined> = (text) =>
  text.trim() === 'off' ? { success: true, value: undefined } : bind(text)

/** Words for a switch that most programs take. */
export const ON_WORDS = ['1', 'true', 'yes', 'on']
export const OFF_WORDS = ['0', 'false', 'no', 'off']

export const onOff = reading((text): boolean => {
  if (text !== 'on' && text !== 'off') return refuse('must be "on" or "off"')
  return text === 'on'
})

/** One of the words, exactly. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  reading((text): Word => words.find((word) => word === text) ?? refuse(`must be ${words.join(', ')}`))

/** The address of a PostgreSQL cluster. It may hold a password, so it stays a secret. */
export const databaseAddress = reading((text): Secret => {
  parseDatabaseAddress(text)
  return new Secret(text)
})

/** A schema that needs no quotes. */
export const schemaName = reading((text): string =>
  /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(text)
    ? text
    : refuse('must have a-z, 0-9 and _ only, and not begin with a digit or pg_'),
)

/** A whole number within the bounds, both included. */
export const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  reading((text): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    return refuse(
      `must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`,
    )
  })

/** Nanogrin, from decimal GRIN above 0 with at most 9 decimals. */
export const grinAmount = reading((text): bigint => {
  const units = decimalUnits(text, 9)
  const isAmount = units !== undefined && units > 0n && units < 2n ** 64n
  return isAmount ? units : refuse('must be an amount in GRIN above 0 with at most 9 decimals, like 100 or 2.5')
})

export const path = reading((text) => text)

const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** A comma list; every entry goes through `check`, which throws RangeError. */
export const list = (check: (word: string) => string, min = 0) =>
  reading((text): readonly string[] => {
    const entries = words(text).map(check)
    return entries.length < min ? refuse('must not be empty') : [...new Set(entries)]
  })

/** Words out of `known`; others are ignored, and nothing left means all. */
export const someOf = <const Word extends string>(known: readonly Word[]) =>
  reading((text): readonly Word[] => {
    const wanted = words(text)
    const kept = known.filter((word) => wanted.includes(word))
    return kept.length === 0 ? known : kept
  })

/** An address that is used as it stands: with one of the schemes (no colon), without credentials; trailing slashes cut. */
export const address = (...schemes: readonly string[]) => reading((text) => checkAddress(text, schemes))

/** The same for a setting that names one receiver. Two of them with a comma between would be read as one address. */
export const oneAddress = (...schemes: readonly string[]) =>
  reading((text) => (text.includes(',') ? refuse('must be one address, without a comma') : checkAddress(text, schemes)))

/** An address that paths are added to, or that is compared (`baseAddress`). */
export const base = (...schemes: readonly string[]) => reading((text) => baseAddress(text, schemes))

/** The same without a path: a host that serves one thing. */
export const wholeHost = reading((text) => {
  const url = baseAddress(text, ['http', 'https'])
  return new URL(url).origin === url
    ? url
    : refuse('must be an address without a path, such as https://console.example.com')
})

export function checkAddress(text: string, schemes: readonly string[]): string {
  checkedUrl(text, schemes)
  return text.replace(/\/+$/, '')
}

export type RateSourceSetting =
  | { readonly kind: 'coingecko' | 'coinpaprika' }
  | { readonly kind: 'fixed'; readonly rates: Readonly<Record<string, string>> }
  | { readonly kind: 'url'; readonly url: string }

/** A comma begins another source only where one can begin: fixed rates and addresses have commas of their own. */
const NEXT_SOURCE = /,\s*(?=(?:coingecko|coinpaprika)\s*(?:,|$)|fixed:|https?:\/\/)/

/**
 * Sources in the order in which they are asked: `coingecko`, `coinpaprika`, `fixed:usd=0.05,eur=0.04` (fiat per GRIN), or an address
 * that answers like CoinGecko's simple price.
 */
export const rateSources = reading((text): readonly RateSourceSetting[] =>
  text.split(NEXT_SOURCE).map((one) => rateSource(one.trim())),
)

function rateSource(text: string): RateSourceSetting {
  if (text === 'coingecko' || text === 'coinpaprika') return { kind: text }
  if (text.startsWith('fixed:'))
    return { kind: 'fixed', rates: Object.fromEntries(words(text.slice(6)).map(fixedRate)) }
  if (/^https?:/.test(text)) return { kind: 'url', url: checkAddress(text, ['http', 'https']) }
  return refuse('must list coingecko, coinpaprika, fixed:<currency>=<rate>,… or http(s) addresses')
}

function fixedRate(entry: string): readonly [string, string] {
  const match = /^([A-Za-z]{2,10})=(\d{1,12}(?:\.\d{1,10})?)$/.exec(entry)
  const [, currency, rate] = match ?? []
  if (currency === undefined || rate === undefined || Number(rate) <= 0)
    return refuse(`has a bad fixed rate "${entry}"`)
  return [currency.toLowerCase(), rate]
}

/** Lower-case currency code. */
export const currency = (word: string): string =>
  /^[A-Za-z0-9]{2,10}$/.test(word) ? word.toLowerCase() : refuse(`has a bad currency "${word}"`)

/** An IP address or CIDR range. */
export const proxyAddress = (word: string): string => canonicalNetwork(word) ?? refuse(`has a bad address "${word}"`)

/** An origin as CSP's frame-ancestors takes it. */
export const origin = (word: string): string =>
  word === "'self'" || /^https?:\/\/[A-Za-z0-9.*[\]:-]+$/.test(word) ? word : refuse(`has a bad origin "${word}"`)

/** An origin exactly as browsers send it: scheme, host and a port that is not the usual one, in lower case and without a path. */
export function exactOrigin(word: string): string {
  const url = parseUrl(word)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.includes('*'))
    return refuse(`has a bad origin "${word}": it begins with https://`)
  return url.origin === word ? word : refuse(`has a bad origin "${word}": write ${url.origin}`)
}

/** A name as it stands on a page. */
export const shopName = reading((text) =>
  text.length <= 60 && !/\p{C}/u.test(text) ? text : refuse('must be at most 60 characters without control characters'),
)

export const publicKey = reading((typed) => {
  const text = pastedWord(typed)
  return /^npub1[02-9ac-hj-np-z]{58}$/.test(text) || /^[0-9a-f]{64}$/.test(text)
    ? text
    : refuse('must be an npub or 64 hex digits')
})

/** `rustls` is the original's word for on. */
export const tls = reading((text): boolean => {
  if (text !== 'on' && text !== 'rustls' && text !== 'off') return refuse('must be "on" or "off"')
  return text !== 'off'
})

/** Where a local tor takes commands: TCP of this machine, or a unix socket. */
export type TorEndpoint = { readonly host: string; readonly port: number } | { readonly path: string }

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i

/** `host:port` of this machine, `unix:/path`, or `off`. The key of the wallet's address goes there: never over a network. */
export const torControl = reading((text): TorEndpoint | undefined => {
  if (text === 'off') return undefined
  if (/^unix:\/./.test(text)) return text.length <= 112 ? { path: text.slice(5) } : refuse('has too long a path')
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text)
  const [host, port] = [match?.[1] ?? match?.[2] ?? '', Number(match?.[3])]
  if (!(port > 0 && port <= 65535)) return refuse('must be host:port, unix:/path or "off"')
  return LOOPBACK.test(host) ? { host, port } : refuse('must name a port of this machine, such as 127.0.0.1:9051')
})
