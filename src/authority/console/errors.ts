// What the pages of names do not find, or refuse before the authority is asked.
import { defineError } from '../../lib/errors.js'

export const noSuchOffer = defineError('CONSOLE_NO_OFFER', {
  status: 404,
  text: () => 'there is no such offer',
  hint: 'look into the list of offers',
})

export const nameNotSo = defineError('CONSOLE_NAME_STATE', {
  status: 409,
  text: (name: string, why: string) => `"${name.slice(0, 80)}" is ${why} now, so this cannot be done`,
  hint: 'look at the name again, then decide',
})
