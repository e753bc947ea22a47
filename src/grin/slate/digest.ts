import { blake2b256 } from '../crypto/index.js'
import { encodeSlate } from './binary.js'
import type { Slate } from './types.js'

/**
 * What makes two slates "the same" when one arrives again: BLAKE2b-256 over the binary form, 32 bytes. The spelling of
 * a JSON slate and the armor around it do not count. Inputs and outputs a sender put into an S1 do.
 */
export const digestSlate = (slate: Slate): Uint8Array => blake2b256(encodeSlate(slate))
