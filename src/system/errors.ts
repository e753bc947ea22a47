import { defineError } from '../lib/errors.js'

export const fileLocked = defineError('FILE_LOCKED', {
  status: 503,
  text: (path: string) => `another program holds the lock of ${path}`,
  hint: 'try again; if no grinpay process runs, remove the .lock file of the same name',
})

export const settingsOfSomebodyElse = defineError('SETTINGS_OF_SOMEBODY_ELSE', {
  status: 403,
  text: (path: string, uid: number) => `${path} belongs to user ${uid}: it is read only if named explicitly`,
  hint: 'name it with --settings, or change the folder',
})

export const walletMissing = defineError('WALLET_MISSING', {
  status: 500,
  text: (path: string) => `there is no wallet at ${path}`,
  hint: 'grinpay setup pay, or grinpay wallet restore',
})
