// Who uses a name authority in the fault rounds, and the requests they sign. Everything that is signed is written down.
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { freshSecret, publicKeyOf } from '../../src/nostr/keys/index.js'
import { systemRandom } from '../../src/system/index.js'
import { addressOf, DOMAIN, offerEvent, offerTags, proofJson } from '../support/name-transfer.js'
import type { Asked, NameLog, Verb, Wire } from './name-log.js'

export const BASE = `https://${DOMAIN}`
export { DOMAIN }

export interface Person {
  readonly secret: ReturnType<typeof freshSecret>
  readonly pubkey: string
  /** The name it believes to hold. */
  name: string | undefined
}

export function newPerson(): Person {
  const secret = freshSecret(systemRandom)
  return { secret, pubkey: publicKeyOf(secret), name: undefined }
}

export const chance = (part: number): boolean => Math.random() < part
export const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

const STEMS = Array.from(
  { length: 60 },
  (_, at) =>
    `${'zrvkmpdn'[at % 8]}${['ole', 'igat', 'abes', 'uste', 'elog'][at % 5]}${'xqwh'[at % 4]}${'oeia'[at % 3]}`,
)
const DISGUISES: Readonly<Record<string, string>> = {
  o: '0',
  i: '1l',
  l: '1',
  e: '3',
  a: '4',
  s: '5',
  t: '7',
  b: '8',
  g: '9',
}

/** One of sixty names, often written so that it looks like another one. */
export const aName = (): string =>
  [...(oneOf(STEMS) ?? '')]
    .map((letter, at) => {
      const sign = chance(0.2) ? (oneOf([...(DISGUISES[letter] ?? letter)]) ?? letter) : letter
      return at > 0 && chance(0.06) ? `${oneOf(['.', '-', '_'])}${sign}` : sign
    })
    .join('')

/** A name that looks like no other one. Who keeps it for ever takes nothing from the sixty. */
export const aRareName = (): string =>
  Array.from(systemRandom.bytes(10), (byte) => 'cdfhjkmnpqruvwxy'[byte % 16]).join('')

interface Request {
  readonly method: Wire['method']
  readonly path: string
  readonly body?: object
}

type Said = Pick<Asked, 'verb' | 'name'> & { readonly offer?: string; readonly excess?: string }

let nonces = 0

/** Signs a request now, some a little ahead of time, and notes it. */
function signed(log: NameLog, person: Person, { method, path, body }: Request, said: Said): Asked {
  const text = body && JSON.stringify(body)
  const authorization = httpAuthHeader({
    url: BASE + path,
    method,
    secret: person.secret,
    now: Date.now() + (chance(0.2) ? Math.random() * 4000 : 0),
    random: systemRandom,
    extraTags: [['nonce', String(nonces++)]],
    ...(text !== undefined && { body: Buffer.from(text) }),
  })
  const event = JSON.parse(Buffer.from(authorization.slice('Nostr '.length), 'base64').toString())
  const asked: Asked = {
    id: event.id,
    createdAt: event.created_at,
    key: person.pubkey,
    ...said,
    wire: { method, path, body: text, authorization },
    attempts: [],
  }
  log.asked.push(asked)
  return asked
}

const REGISTER = '/api/v1/register'
const OFFER = '/api/v1/transfer/offer'

export interface Deal {
  readonly seller: Person
  readonly buyer: Person
  readonly name: string
  readonly event: ReturnType<typeof offerEvent>
  readonly seed: Uint8Array
  readonly price: bigint
}

export const newExcess = (): string => `08${Buffer.from(systemRandom.bytes(32)).toString('hex')}`

export function newDeal(seller: Person, buyer: Person, name: string): Deal {
  const [seed, price, now] = [systemRandom.bytes(32), BigInt(1 + Math.floor(Math.random() * 1e12)), Date.now()]
  const terms = { name, p: buyer.pubkey, price: String(price), proof_address: addressOf(seed) }
  const expiration = String(Math.floor(now / 1000) + (chance(0.1) ? 2 : 600))
  const event = offerEvent(now, { tags: offerTags(now, { ...terms, expiration }), from: seller })
  return { seller, buyer, name, event, seed, price }
}

/** What people ask of this authority. */
export const asksOf = (log: NameLog) => ({
  claim: (who: Person, name: string) =>
    signed(log, who, { method: 'POST', path: REGISTER, body: { name, pubkey: who.pubkey } }, { verb: 'claim', name }),
  release: (who: Person, name: string) =>
    signed(log, who, { method: 'DELETE', path: `${REGISTER}/${name}` }, { verb: 'release', name }),
  lodge: ({ seller, name, event }: Deal) =>
    signed(log, seller, { method: 'POST', path: OFFER, body: { offer: event } }, said('lodge', name, event.id)),
  revoke: ({ seller, name, event }: Deal) =>
    signed(log, seller, { method: 'DELETE', path: `${OFFER}/${event.id}` }, said('revoke', name, event.id)),
  buy({ buyer, name, event, seed, price }: Deal, excess: string) {
    const proof = proofJson({ amount: price, excess, recipient: seed, sender: SENDER })
    const request: Request = { method: 'POST', path: '/api/v1/transfer/claim', body: { offer_id: event.id, proof } }
    return signed(log, buyer, request, { ...said('buy', name, event.id), excess })
  },
})

const SENDER = systemRandom.bytes(32)
const said = (verb: Verb, name: string, offer: string) => ({ verb, name, offer })
