// Errors of reading a seed file. No text quotes the file, the password or the seed.
import { defineError } from '../../lib/errors.js'

export const seedFileInvalid = defineError('SEED_FILE_INVALID', {
  status: 400,
  text: (why: string) => `not a seed file of this program: ${why}`,
  hint: 'restore the file from a backup, or the wallet from its words',
})

export const seedFileTooNew = defineError('SEED_FILE_TOO_NEW', {
  status: 400,
  text: (version: number) => `the seed file has format ${version}, this program reads format 1`,
  hint: 'update the program that reads it',
})

export const seedWrongChain = defineError('SEED_WRONG_CHAIN', {
  status: 400,
  text: (found: string, expected: string) => `this seed was made for ${found}, and this wallet is of ${expected}`,
  hint: 'use the seed file of this wallet',
})

export const seedWrongPassword = defineError('SEED_WRONG_PASSWORD', {
  status: 400,
  text: () => 'the password does not open the seed file (or the file is damaged)',
  hint: 'use the stored password; if it is lost, restore the wallet from its seed words',
})
