// Readers of single values of the name authority; the words and amounts are those of the originals (specification: names, 2).
import { decimalText, decimalUnits } from '../lib/decimal.js'
import { Secret } from '../lib/secret.js'
import { LEAST_SECRET } from '../lib/secret-lines.js'
import { baseAddress, canonicalHost } from '../lib/url.js'
import { weakSecret } from './setting.js'
import { checkAddress, OFF_WORDS, ON_WORDS, proxyAddress, reading, refuse } from './values.js'

/** The originals take everything but four words as off. */
export const switched = reading((text): boolean => ON_WORDS.includes(text.toLowerCase()))

export const oddSwitch = (text: string): string | undefined =>
  [...ON_WORDS, ...OFF_WORDS].includes(text.trim().toLowerCase()) ? undefined : `reads "${text}" as off; say on or off`

/** The part behind the @: a host name or an address, without scheme, port and path; in the spelling that clients ask for and sign. */
export const domain = reading((text): string => {
  const isHost = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?\.?$/u.test(text)
  return (isHost ? canonicalHost(text) : undefined) ?? refuse('must be a host name such as names.example')
})

/** https, or plain http to this very machine for tests; trailing slashes cut. */
export const baseUrl = reading((text): string => {
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$)/.test(text)
  if (!local && !/^https:\/\//i.test(text)) return refuse('must begin with https://')
  return baseAddress(text, ['https', 'http'])
})

/** What stands between scheme and port or path. */
export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/[:/].*$/s, '')

const GRIN = 9
const MAX = 2n ** 64n - 1n

/** Decimal GRIN in plain form: "1.500", ".5" and "5." are "1.5", "0.5" and "5". At most 2^64 - 1 nanogrin. */
export const grin = reading((text): string => {
  const units = decimalUnits(text, GRIN) ?? refuse('must be an amount in GRIN with at most 9 decimals')
  return units > MAX ? refuse('is more than 18446744073.709551615') : decimalText(units, GRIN)
})

/** As it was typed: wallets compare addresses letter by letter. */
const verbatim =
  (...schemes: readonly string[]) =>
  (word: string): string => {
    checkAddress(word, schemes)
    return word
  }

const wordsOf = (text: string, separator: RegExp): readonly string[] => [
  ...new Set(text.split(separator).flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))),
]

export const relays = reading((text): readonly string[] => wordsOf(text, /,/).map(verbatim('wss', 'ws')))

/** Separated by commas or white space. */
export const nodes = reading((text): readonly string[] =>
  wordsOf(text, /[,\s]/).map((word) => baseAddress(word, ['https', 'http'])),
)

/** `none`: no proxy is believed. */
export const proxies = reading((text): readonly string[] =>
  text === 'none' ? [] : wordsOf(text, /,/).map(proxyAddress),
)

export const trimmedSecret = reading((text) => {
  if (text === '') return refuse('must not be blank')
  return text.length < LEAST_SECRET ? refuse(`${weakSecret()}, as the secrets of a till do`) : new Secret(text)
})
