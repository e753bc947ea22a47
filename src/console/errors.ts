// What the console refuses. Every text is read by a person on a page.
import { defineError } from '../lib/errors.js'

const OPEN = 'sign in again with: grinpay console open'

export const notSignedIn = defineError('CONSOLE_NOT_SIGNED_IN', {
  status: 401,
  text: () => 'you are not signed in, or your session has ended',
  hint: OPEN,
})
export const linkUnusable = defineError('CONSOLE_LINK_UNUSABLE', {
  status: 410,
  text: (why: string) => why,
  hint: 'make a new link with: grinpay console open',
})
export const passkeyRefused = defineError('CONSOLE_PASSKEY', {
  status: 403,
  text: () => 'this passkey does not sign in here',
  hint: 'try again, or ask the operator for an invitation or a link',
})
export const passkeysElsewhere = defineError('CONSOLE_PASSKEY_ADDRESS', {
  status: 400,
  text: () => 'passkeys do not work at this address',
  hint: 'open the console at its https address, or at localhost',
})
export const noSuchPerson = defineError('CONSOLE_NO_PERSON', {
  status: 404,
  text: (name: string) => `no person has the name "${name.slice(0, 40)}"`,
  hint: 'grinpay console people',
})
export const roleMayNot = defineError('CONSOLE_ROLE', {
  status: 403,
  text: (role: string) => `your role, ${role}, does not allow this`,
  hint: 'ask the operator',
})
export const foreignHost = defineError('CONSOLE_FOREIGN_HOST', {
  status: 421,
  text: (host: string) => `the console does not answer at "${host.slice(0, 80)}"`,
  hint: 'open it at the public address of its settings, or at localhost; a proxy must pass the Host of its visitors',
})
export const foreignForm = defineError('CONSOLE_FOREIGN_FORM', {
  status: 403,
  text: () => 'the form did not come from this console, or belongs to another sign-in: nothing was changed',
  hint: 'go back, load the page again and repeat',
})
export const foreignPage = defineError('CONSOLE_FOREIGN_PAGE', {
  status: 403,
  text: () => 'a page of another site asked for this',
  hint: 'open the console by its own address',
})
export const badField = defineError('CONSOLE_FIELD', {
  status: 400,
  text: (why: string) => why,
  hint: 'go back and correct the form',
})
export const tooManyStreams = defineError('CONSOLE_STREAMS', {
  status: 429,
  text: () => 'too many pages of this sign-in refresh themselves',
  hint: 'close some of them',
})
export const noSuchSession = defineError('CONSOLE_NO_SESSION', {
  status: 404,
  text: (id: string) => `there is no session ${id.slice(0, 40)} to end`,
  hint: 'grinpay console sessions',
})
export const consoleBusy = defineError('CONSOLE_BUSY', {
  status: 429,
  text: () => 'too many requests in a minute',
  hint: 'wait a minute, then load the page again',
})
