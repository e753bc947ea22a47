// A keychain whose own arithmetic goes wrong when a test says so: blinding factor and commitment fit each other, and not the seed.
import { commit } from '../../src/grin/crypto/index.js'
import type { Keychain } from '../../src/grin/keychain/index.js'

/** `fault.on` plants it. */
export function createFaultyKeychain(sound: Keychain): {
  readonly keychain: Keychain
  readonly fault: { on: boolean }
} {
  const fault = { on: false }
  const keychain: Keychain = {
    ...sound,
    proofInput(identifier, value, switchType) {
      const right = sound.proofInput(identifier, value, switchType)
      const blind = right.blind + 1n
      return fault.on ? { ...right, blind, commitment: commit(value, blind) } : right
    },
  }
  return { keychain, fault }
}
