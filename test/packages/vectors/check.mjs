// What every list of checks is made of. Runs in Node and in a page as it is.

/**
 * One vector case: its name, and a function that answers what the library said and what the vector says.
 * A table of checks is `{ [vector file]: (content, read) => cases }`; `read` gives the content of another file.
 *
 * @typedef {readonly [string, () => unknown]} Case
 */

export const bytes = (hex) => {
  const pairs = hex.match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

export const hex = (value) => Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A scalar without any check, to feed values the library must refuse. */
export const scalar = (text) => BigInt(`0x${text}`)

export const optional = (text) => (text === null ? undefined : bytes(text))

export const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]))

/** `{ [name]: value }`, or nothing where the value is absent. */
export const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export const base64 = (value) => {
  const bits = Array.from(value, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const sixes = bits.match(/.{1,6}/g) ?? []
  const text = sixes.map((six) => BASE64[Number.parseInt(six.padEnd(6, '0'), 2)]).join('')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** The code of the error that `run` throws or rejects with: its own, or its class; 'ok' without one. */
export async function codeOf(run) {
  try {
    await run()
    return 'ok'
  } catch (error) {
    return error.code ?? error.name
  }
}

/** Two values are the same when they are spelled the same: bytes as hex, members sorted, absent ones left out. */
export function spell(value) {
  return JSON.stringify(value, (_, member) => {
    if (member instanceof Uint8Array) return hex(member)
    if (typeof member === 'bigint') return `${member}n`
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

async function failureOf([name, run]) {
  try {
    const [actual, expected] = (await run()).map(spell)
    return actual === expected ? undefined : `${name}: ${actual?.slice(0, 300)} instead of ${expected?.slice(0, 300)}`
  } catch (error) {
    return `${name}: ${error?.stack ?? error}`
  }
}

/**
 * Runs all checks over the vectors, which are given as `{ [file]: content }`.
 * Answers `{ [file]: { cases, failures } }`; a file without a case counts as one failure.
 */
export async function runChecks(checks, vectors) {
  const read = (file) => {
    if (vectors[file] === undefined) throw new Error(`${file} was not given`)
    return vectors[file]
  }
  const results = {}
  for (const [file, casesOf] of Object.entries(checks)) {
    const cases = casesOf(read(file), read)
    const failures = []
    for (const one of cases) {
      const failure = await failureOf(one)
      if (failure) failures.push(failure)
    }
    if (cases.length === 0) failures.push('no case')
    results[file] = { cases: cases.length, failures }
  }
  return results
}
