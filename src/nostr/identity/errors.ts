import { defineError } from '../../lib/errors.js'

export const identityConflict = defineError('IDENTITY_CONFLICT', {
  status: 500,
  text: () => 'both an nsec and an ncryptsec are given for the Nostr identity',
  hint: 'keep one of the two settings',
})

export const identityPasswordMissing = defineError('IDENTITY_PASSWORD_MISSING', {
  status: 500,
  text: () => 'the Nostr identity is encrypted and no wallet password is given',
  hint: 'set PAY_WALLET_PASSWORD_FILE',
})

export const identityWrongPassword = defineError('IDENTITY_WRONG_PASSWORD', {
  status: 500,
  text: () => 'the wallet password does not open the Nostr identity',
  hint: 'use the password it was encrypted with; grinpay never replaces it',
})

/** `why` never contains the damaged text. */
export const identityDamaged = defineError('IDENTITY_DAMAGED', {
  status: 500,
  text: (why: string) => `the stored Nostr identity cannot be read: ${why}`,
  hint: 'restore it from a backup; grinpay never replaces it',
})
