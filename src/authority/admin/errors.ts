// What the operator's commands cannot do, in words that name the name.
import { defineError } from '../../lib/errors.js'

export const nameUnusable = defineError('NAME_UNUSABLE', {
  status: 400,
  text: (typed: string, min: number, max: number) =>
    `"${typed.slice(0, 80)}" is not a valid name: use ${min} to ${max} characters a-z, 0-9, dot, dash, underscore, with a letter or digit at both ends`,
  hint: 'capitals count as small letters; the bounds are NAMEAUTH_NAME_MIN and NAMEAUTH_NAME_MAX',
})

export const nameNotHeld = defineError('NAME_NOT_HELD', {
  status: 404,
  text: (name: string) => `no key holds the name "${name.slice(0, 80)}"`,
  hint: 'grinpay name list, or grinpay name show NAME',
})

export const keyWithoutName = defineError('KEY_WITHOUT_NAME', {
  status: 404,
  text: (npub: string) => `${npub} holds no name`,
  hint: 'grinpay name history --key KEY shows its former names',
})

/** Another key holds the name or a look-alike. */
export const nameHeldByOther = defineError('NAME_HELD', {
  status: 409,
  text: (name: string, held: string, npub: string) =>
    name === held ? `"${name}" is held by ${npub}` : `"${name}" looks like "${held}", which ${npub} holds`,
  hint: 'grinpay name evict NAME takes it from its holder',
})

/** Between the question and the answer the name went to another key. */
export const holderChanged = defineError('HOLDER_CHANGED', {
  status: 409,
  text: (name: string, npub: string) => `"${name}" now belongs to ${npub}; nothing was changed`,
  hint: 'grinpay name history NAME, then decide again',
})

export const keyHasOtherName = defineError('KEY_HAS_NAME', {
  status: 409,
  text: (npub: string, name: string) => `${npub} already holds the name "${name}"; a key has one name`,
  hint: 'repeat with --replace to release the old name',
})

export const nameNotKeptBack = defineError('NAME_NOT_RESERVED', {
  status: 404,
  text: (name: string) => `"${name.slice(0, 80)}" is not reserved by grinpay name reserve`,
  hint: 'grinpay name list --reserved',
})

export const nameKeptBackElsewhere = defineError('NAME_RESERVED_ELSEWHERE', {
  status: 409,
  text: (name: string, why: string) => `"${name}" stays reserved: ${why}`,
  hint: 'grinpay name assign gives it to a key; your own list is NAMEAUTH_RESERVED_FILE',
})

export const offerUnknown = defineError('OFFER_UNKNOWN', {
  status: 404,
  text: (id: string) => `no offer ${id.slice(0, 80)}`,
  hint: 'grinpay offer list',
})

export const grantUnknown = defineError('GRANT_UNKNOWN', {
  status: 404,
  text: (invoiceId: string) => `no grant of the invoice ${invoiceId.slice(0, 80)}`,
  hint: 'grinpay grant list; a claimed name leaves no grant',
})
