// What the operator's commands cannot do, in words that name the name.
import { defineError } from '../../lib/errors.js'

export const nameUnusable = defineError('NAME_UNUSABLE', {
  status: 400,
  text: (typed: string, min: number, max: number) =>
    `"${typed.slice(0, 80)}" cannot be a name: ${min} to ${max} characters out of a-z, 0-9, dot, dash and underscore, a letter or digit at both ends`,
  hint: 'capital letters are taken as small ones; the bounds are NAMEAUTH_NAME_MIN and NAMEAUTH_NAME_MAX',
})

export const nameNotHeld = defineError('NAME_NOT_HELD', {
  status: 404,
  text: (name: string) => `no key holds the name "${name.slice(0, 80)}"`,
  hint: 'grinpay name list shows the names that are held; grinpay name show NAME tells what is known of one',
})

export const keyWithoutName = defineError('KEY_WITHOUT_NAME', {
  status: 404,
  text: (npub: string) => `${npub} holds no name`,
  hint: 'grinpay name history --key KEY tells what the key once held',
})

/** Somebody else holds it, or one that looks like it. */
export const nameHeldByOther = defineError('NAME_HELD', {
  status: 409,
  text: (name: string, held: string, npub: string) =>
    name === held ? `"${name}" is held by ${npub}` : `"${name}" looks like "${held}", which ${npub} holds`,
  hint: 'grinpay name evict takes a name from its holder',
})

/** Between the question and the answer the name went to another key. */
export const holderChanged = defineError('HOLDER_CHANGED', {
  status: 409,
  text: (name: string, npub: string) =>
    `"${name}" went to another key meanwhile: ${npub} holds it now; nothing was changed`,
  hint: 'look with grinpay name history, then decide again',
})

export const keyHasOtherName = defineError('KEY_HAS_NAME', {
  status: 409,
  text: (npub: string, name: string) => `${npub} holds the name "${name}" already, and a key has one name`,
  hint: 'repeat the command with --replace: the old name is released',
})

export const nameNotKeptBack = defineError('NAME_NOT_RESERVED', {
  status: 404,
  text: (name: string) => `"${name.slice(0, 80)}" was not kept back with grinpay name reserve`,
  hint: 'grinpay name list --reserved shows the names that were',
})

export const nameKeptBackElsewhere = defineError('NAME_RESERVED_ELSEWHERE', {
  status: 409,
  text: (name: string, why: string) => `"${name}" cannot be set free: ${why}`,
  hint: 'grinpay name assign gives it to one key; the list of your own is NAMEAUTH_RESERVED_FILE',
})

export const offerUnknown = defineError('OFFER_UNKNOWN', {
  status: 404,
  text: (id: string) => `no offer ${id.slice(0, 80)}`,
  hint: 'grinpay offer list',
})

export const grantUnknown = defineError('GRANT_UNKNOWN', {
  status: 404,
  text: (invoiceId: string) => `no grant of the invoice ${invoiceId.slice(0, 80)}`,
  hint: 'grinpay grant list; a paid name leaves no grant behind',
})
