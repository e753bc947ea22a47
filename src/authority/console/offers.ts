// Offers of names and the sales that came of them, with what proved each payment.
import { address, type ConsolePage, cursorOf, type PageRequest, pagesOf, REFRESH_SECONDS } from '../../console/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { NameAdmin, OfferWithSale } from '../admin/index.js'
import type { Offer, OfferStatus } from '../model.js'
import type { NameAccess } from './access.js'
import { namePath } from './address.js'
import { noSuchOffer } from './errors.js'
import { keyCell, offerTag } from './labels.js'

const ROWS = 50

const CHOICES: readonly (readonly [status: OfferStatus | undefined, label: string, none: string])[] = [
  ['live', 'Open', 'No name is offered now.'],
  ['consumed', 'Sold', 'No name was sold yet.'],
  ['revoked', 'Revoked', 'No offer was revoked.'],
  ['expired', 'Expired', 'No offer has expired.'],
  [undefined, 'All', 'No name was ever offered. Holders offer names where NAMEAUTH_TRANSFERS is on.'],
]

/** Open ones first; what is not understood is left out. */
const choiceOf = (show: string) => CHOICES.find(([status]) => (status ?? 'all') === show) ?? CHOICES[0]

export const offersPage = (names: NameAccess): ConsolePage => ({
  path: '/offers',
  title: 'Offers and sales',
  least: 'viewer',
  navigation: { label: 'Offers and sales', order: 320 },
  scripts: ['live.js'],
  async render(request) {
    const [status, , none] = choiceOf(request.query.show ?? 'live') ?? []
    const show = status ?? 'all'
    const cursor = cursorOf(request.query)
    const { offers, next } = await names.read(async ({ rows }) => {
      const { items, next } = await rows.offers({ status }, { limit: ROWS, cursor })
      return { offers: await withSales(rows, items), next }
    })
    const body = request.view('names/offers', {
      choices: CHOICES.map(([value, label]) => ({
        label,
        href: address('/offers', { show: value ?? 'all' }),
        isCurrent: value === status,
      })),
      rows: offers.map((offer) => [nameCell(offer), ...offerRow(offer, request)]),
      none,
      ...pagesOf('/offers', { show }, { cursor, next }),
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

const nameCell = ({ name }: Offer) => ({ text: name, href: `/console${namePath(name)}` })

export type ShownOffer = Offer & Pick<OfferWithSale, 'sale'>

/** Only of a consumed offer there may be a sale. */
export async function withSales(rows: NameAdmin['rows'], offers: readonly Offer[]): Promise<readonly ShownOffer[]> {
  const shown: ShownOffer[] = []
  for (const offer of offers)
    shown.push({ ...offer, sale: offer.status === 'consumed' ? (await rows.offer(offer.id))?.sale : undefined })
  return shown
}

/** Of a live one: when it expires. */
const endOf = ({ status, stateChangedAt, expiration }: Offer): number =>
  status === 'live' ? expiration * 1000 : stateChangedAt

/** The cells behind the name: state with proof, price, keys, time. */
export const offerRow = (offer: ShownOffer, { view, now }: PageRequest): readonly unknown[] => [
  { html: view('names/offer-state', { ...offer, href: `/console/offers/${offer.id}`, tag: offerTag(offer, now) }) },
  { html: view('names/price', { price: offer.price }) },
  { html: view('names/keys', { seller: keyCell(offer.seller), buyer: keyCell(offer.buyer) }) },
  { html: view('parts/time', { at: endOf(offer) }) },
]

export const offerPage = (names: NameAccess): ConsolePage => ({
  path: '/offers/:id',
  title: 'Offer',
  least: 'viewer',
  scripts: ['live.js'],
  async render({ params: { id = '' }, view, now }) {
    const found = /^[0-9a-f]{64}$/.test(id) ? await names.read(({ rows }) => rows.offer(id)) : undefined
    if (!found) throw noSuchOffer()
    const { offer, sale } = found
    const body = view('names/offer', {
      ...{ offer, sale },
      seller: formatNpub(offer.seller),
      buyer: formatNpub(offer.buyer),
      tag: offerTag(offer, now),
      namePath: namePath(offer.name),
    })
    return { title: `Offer of ${offer.name}`, body, refreshSeconds: REFRESH_SECONDS }
  },
})
