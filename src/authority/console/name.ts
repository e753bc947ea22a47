// One name: what it is now, who held it, its offers and its whole history; for operators what can be done about it.
import { address, type ConsolePage, type PageRequest } from '../../console/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { NameAdmin, NameStatus } from '../admin/index.js'
import type { AuditEntry } from '../model.js'
import type { NameAccess } from './access.js'
import { namePath } from './address.js'
import { ACTORS, actionWord, keyCell, NAME_STATES, reservedWords } from './labels.js'
import { offerRow, type ShownOffer, withSales } from './offers.js'

const LINES = 50
const OFFERS = 10

export const namePage = (names: NameAccess): ConsolePage => ({
  path: '/names/:name',
  title: 'Name',
  least: 'viewer',
  scripts: ['live.js'],
  async render(request) {
    const { name: typed = '' } = request.params
    const { before = '' } = request.query
    const cursor = /^\d{1,16}$/.test(before) ? before : undefined
    const { status, history, domain } = await names.read(async ({ rows }, domain) => {
      const status = await statusWithOffers(rows, typed)
      return { status, domain, history: await rows.history({ name: status.name }, { limit: LINES, cursor }) }
    })
    const { name, record } = status
    const body = request.view('names/name', {
      status,
      holderKey: record && { npub: formatNpub(record.pubkey), hex: record.pubkey },
      domain,
      path: namePath(name),
      tag: NAME_STATES[status.state],
      may: changesOf(status),
      reservedBy: status.reserved && reservedWords(name, status.reserved),
      lookAlike: status.lookAlike && {
        text: status.lookAlike.name,
        href: `/console${namePath(status.lookAlike.name)}`,
      },
      offers: status.offers.map((offer) => offerRow(offer, request)),
      history: history.items.map((change) => changeRow(change, request)),
      first: cursor === undefined ? '' : address(namePath(name), {}),
      next: history.next === null ? '' : address(namePath(name), { before: history.next }),
    })
    return { title: name, body }
  },
})

export interface StatusWithOffers extends NameStatus {
  /** The latest, newest first. */
  readonly offers: readonly ShownOffer[]
}

/** Of a name, or of the name that a key holds. Throws NAME_UNUSABLE, KEY_WITHOUT_NAME. */
export async function statusWithOffers(rows: NameAdmin['rows'], typed: string): Promise<StatusWithOffers> {
  const status = await rows.status(typed)
  const { items } = await rows.offers({ name: status.name }, { limit: OFFERS })
  return { ...status, offers: await withSales(rows, items) }
}

/** Which changes make sense as it stands; the authority decides again. */
export const changesOf = ({ name, state, reserved }: NameStatus) => ({
  suspend: state === 'active',
  lift: state === 'suspended',
  evict: state === 'active' || state === 'suspended',
  reserve: reserved === null,
  unreserve: reserved?.by === 'command' && reserved.like === name,
})

const changeRow = ({ at, action, actor, pubkey, reason }: AuditEntry, { view }: PageRequest): readonly unknown[] => [
  { html: view('parts/time', { at }) },
  actionWord(action),
  ACTORS[actor],
  pubkey && keyCell(pubkey),
  reason,
]
