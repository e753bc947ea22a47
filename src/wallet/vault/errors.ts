// What a vault refuses. No text contains a password, a key or the seed.
import { defineError } from '../../lib/errors.js'

/** Nothing is stored. */
export const vaultNone = defineError('VAULT_NONE', {
  status: 404,
  text: () => 'this storage holds no vault',
  hint: 'create a vault, or open the storage that has one',
})

/** A vault, or rows of a wallet without one. */
export const vaultExists = defineError('VAULT_EXISTS', {
  status: 409,
  text: (what: string) => `this storage is not empty: it holds ${what}`,
  hint: 'unlock the vault that is there, or choose another storage',
})

/** The header is as it was written, and this password does not open it. */
export const vaultWrongPassword = defineError('VAULT_WRONG_PASSWORD', {
  status: 403,
  text: () => 'this is not the password of the vault',
  hint: 'try again; if it is lost, restore the wallet from its words',
})

/** Something that no password opens. */
export const vaultDamaged = defineError('VAULT_DAMAGED', {
  status: 500,
  text: (what: string) => `the vault is damaged: ${what}`,
  hint: 'restore the wallet from its words into another storage',
})

/** A newer version wrote it. */
export const vaultNewer = defineError('VAULT_NEWER', {
  status: 500,
  text: (version: number) => `the vault has form ${version}, this program reads form 1`,
  hint: 'update the program',
})

/** Its keys are gone. */
export const vaultLocked = defineError('VAULT_LOCKED', {
  status: 409,
  text: () => 'the vault is locked',
  hint: 'unlock it with its password',
})

/** A new password that is too short. */
export const vaultPassword = defineError('VAULT_PASSWORD', {
  status: 422,
  text: (least: number) => `the password of a vault has at least ${least} characters`,
  hint: 'choose a longer one: several words that never stood together before',
})

/** Web Crypto is missing. */
export const vaultUnsupported = defineError('VAULT_UNSUPPORTED', {
  status: 501,
  text: () => 'a vault needs Web Crypto, which this page does not have',
  hint: 'open the page over https or from localhost',
})
