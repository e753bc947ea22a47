import { sha256 } from '@noble/hashes/sha2.js'
import { encodeSlate } from './binary.js'
import type { Slate } from './types.js'

/**
 * What makes two slates "the same" when one arrives again: SHA-256 of the binary form, 32 bytes. The spelling of a JSON
 * slate and the armor around it do not count; every member the binary form holds does.
 */
export const digestSlate = (slate: Slate): Uint8Array => sha256(encodeSlate(slate))
