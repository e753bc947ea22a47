// What a client answers to a challenge (NIP-42), true or not.
import type { NostrEvent } from 'nostr-tools/pure'
import { now, type Person, type Template } from './wire-people.js'

export interface Proof extends Template {
  readonly relay: string
  readonly challenge: string
}

export const authEvent = (who: Person, { relay, challenge, ...template }: Proof): NostrEvent =>
  who.event({
    kind: 22_242,
    created_at: now(),
    tags: [
      ['relay', relay],
      ['challenge', challenge],
    ],
    content: '',
    ...template,
  })

let requests = 0

/** The header of a signed request (NIP-98); every one is another event. */
export function authorizationFor(who: Person, url: string, payload: string): string {
  const tags = [
    ['u', url],
    ['method', 'POST'],
    ['payload', payload],
    ['nonce', String(requests++)],
  ]
  const event = who.event({ kind: 27_235, tags, content: '' })
  return `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64')}`
}
