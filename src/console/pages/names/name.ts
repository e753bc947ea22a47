// One name: what it is now, who held it, its offers and its whole history; for operators what can be done about it.
import type { ConsolePage, PageRequest } from '../../area.js'
import { address } from '../address.js'
import { namePath } from './address.js'
import type { NameChange, NameDesk, NameStatus } from './desk.js'
import { ACTORS, actionWord, NAME_STATES, reservedWords, shortKey } from './labels.js'
import { offerRow } from './offers.js'

const LINES = 50

export const namePage = (desk: NameDesk): ConsolePage => ({
  path: '/names/:name',
  title: 'Name',
  least: 'viewer',
  scripts: ['live.js'],
  async render(request) {
    const { name: typed = '' } = request.params
    const { before = '' } = request.query
    const cursor = /^\d{1,16}$/.test(before) ? before : undefined
    const status = await desk.name(typed)
    const { name } = status
    const history = await desk.history(name, { limit: LINES, cursor })
    const body = request.view('names/name', {
      status,
      domain: await desk.domain(),
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

/** Which changes make sense as it stands; the authority decides again. */
export const changesOf = ({ name, state, reserved }: NameStatus) => ({
  suspend: state === 'active',
  lift: state === 'suspended',
  evict: state === 'active' || state === 'suspended',
  reserve: reserved === null,
  unreserve: reserved?.by === 'command' && reserved.like === name,
})

const changeRow = ({ at, action, actor, key, reason }: NameChange, { view }: PageRequest): readonly unknown[] => [
  { html: view('parts/time', { at }) },
  actionWord(action),
  ACTORS[actor],
  key && { text: shortKey(key), title: key.npub },
  reason,
]
