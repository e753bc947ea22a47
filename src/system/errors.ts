import { defineError } from '../lib/errors.js'

export const fileLocked = defineError('FILE_LOCKED', {
  status: 503,
  text: (path: string) => `another program is changing ${path} for too long`,
  hint: 'try again; if nothing else runs, remove the file of the same name that ends in .lock',
})

export const settingsOfSomebodyElse = defineError('SETTINGS_OF_SOMEBODY_ELSE', {
  status: 403,
  text: (path: string, uid: number) => `${path} belongs to user ${uid}: settings of others are not taken unasked`,
  hint: 'name the file (--config FILE for the relay, --settings FILE for names), or go to another folder',
})
