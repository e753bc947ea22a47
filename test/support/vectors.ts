// Vector files of test/vectors, and the small conversions every vector test needs.
import { readFileSync } from 'node:fs'
import { fromHex } from '../../src/lib/bytes.js'

/** Reads test/vectors/<name>; the shape is the caller's business. */
export const vectorText = (name: string): string => readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: vectors are read as they are; a wrong member fails the test that uses it
export const vectors = (name: string): any => JSON.parse(vectorText(name))

export const bytes = (hex: string): Uint8Array => fromHex(hex)

/** The code of the GrinpayError `run` throws, or 'ok'. Anything else that is thrown fails the test. */
export async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run()
    return 'ok'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.name === 'GrinpayError') return String(error.code)
    throw error
  }
}
