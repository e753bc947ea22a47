import { defineError } from '../lib/errors.js'

export const fileLocked = defineError('FILE_LOCKED', {
  status: 503,
  text: (path: string) => `another program is changing ${path} for too long`,
  hint: 'try again; if nothing else runs, remove the file of the same name that ends in .lock',
})
