// How fast the relay can check signatures: by the C library, or in WebAssembly.
import { SLOW_SIGNATURES } from '../../nostr/keys/index.js'
import { pass, warn } from '../finding.js'
import type { RelayCheck } from './context.js'

export const signaturesCheck: RelayCheck = {
  name: 'signatures',
  limitMs: 10_000,
  applies: () => true,
  async run({ signatureCheck }) {
    const { text, remedy } = SLOW_SIGNATURES
    return [signatureCheck() === 'native' ? pass('signatures are checked by the C library') : warn(text, remedy)]
  },
}
