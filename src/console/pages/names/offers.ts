// Offers of names and the sales that came of them, with what proved each payment.
import type { ConsolePage, PageRequest } from '../../area.js'
import { address, cursorOf, pagesOf } from '../address.js'
import { REFRESH_SECONDS } from '../live.js'
import { namePath } from './address.js'
import type { Key, NameDesk, OfferRow, OfferState } from './desk.js'
import { noSuchOffer } from './errors.js'
import { offerTag, shortKey } from './labels.js'

const ROWS = 50

const CHOICES: readonly (readonly [state: OfferState | undefined, label: string, none: string])[] = [
  ['live', 'Open', 'No name is offered now.'],
  ['consumed', 'Sold', 'No name was sold yet.'],
  ['revoked', 'Revoked', 'No offer was revoked.'],
  ['expired', 'Expired', 'No offer has expired.'],
  [undefined, 'All', 'No name was ever offered. Holders offer names where NAMEAUTH_TRANSFERS is on.'],
]

/** Open ones first; what is not understood is left out. */
const choiceOf = (show: string) => CHOICES.find(([state]) => (state ?? 'all') === show) ?? CHOICES[0]

export const offersPage = (desk: NameDesk): ConsolePage => ({
  path: '/offers',
  title: 'Offers and sales',
  least: 'viewer',
  navigation: { label: 'Offers and sales', order: 320 },
  scripts: ['live.js'],
  async render(request) {
    const [state, , none] = choiceOf(request.query.show ?? 'live') ?? []
    const show = state ?? 'all'
    const cursor = cursorOf(request.query)
    const { items, next } = await desk.offers(state, { limit: ROWS, cursor })
    const body = request.view('names/offers', {
      choices: CHOICES.map(([value, label]) => ({
        label,
        href: address('/offers', { show: value ?? 'all' }),
        isCurrent: value === state,
      })),
      rows: items.map((offer) => [nameCell(offer), ...offerRow(offer, request)]),
      none,
      ...pagesOf('/offers', { show }, { cursor, next }),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

const nameCell = ({ name }: OfferRow) => ({ text: name, href: `/console${namePath(name)}` })

/** The cells behind the name: state with proof, price, keys, time. */
export const offerRow = (offer: OfferRow, { view, now }: PageRequest): readonly unknown[] => [
  { html: view('names/offer-state', { ...offer, href: `/console/offers/${offer.id}`, tag: offerTag(offer, now) }) },
  { html: view('names/price', { price: offer.price }) },
  { html: view('names/keys', { seller: keyCell(offer.seller), buyer: keyCell(offer.buyer) }) },
  { html: view('parts/time', { at: offer.endedAt ?? offer.expiresAt }) },
]

const keyCell = (key: Key) => ({ text: shortKey(key), title: key.npub })

export const offerPage = (desk: NameDesk): ConsolePage => ({
  path: '/offers/:id',
  title: 'Offer',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params: { id = '' }, view, now }) {
    const offer = /^[0-9a-f]{64}$/.test(id) ? await desk.offer(id) : undefined
    if (!offer) throw noSuchOffer()
    const body = view('names/offer', { offer, tag: offerTag(offer, now), namePath: namePath(offer.name) })
    return { title: `Offer of ${offer.name}`, body, refreshSeconds: REFRESH_SECONDS }
  },
})
