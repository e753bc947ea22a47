// A name authority's desk in memory: what its pages are tested and looked at with.
import type { Key, NameDesk, NameRow, NameStatus, OfferRow } from '../../src/console/pages/names/desk.js'
import { DAY, grin, HOUR, MINUTE, NOON } from './till-builders.js'

const aKey = (letter: string): Key => ({
  hex: letter.repeat(64).slice(0, 64),
  npub: `npub1${letter.repeat(52)}key${letter}`,
})
const ANN = aKey('a')
export const BEN = aKey('b')

export const aName = (over: Partial<NameRow> = {}): NameRow => ({
  name: 'harbour',
  state: 'active',
  holder: ANN,
  since: NOON - 30 * DAY,
  releasedAt: null,
  suspendedAt: null,
  ...over,
})

export const anOffer = (over: Partial<OfferRow> = {}): OfferRow => ({
  id: 'f'.repeat(64),
  name: 'harbour',
  state: 'live',
  seller: ANN,
  buyer: BEN,
  price: grin(12.5),
  proofAddress: `grin1${'q'.repeat(58)}`,
  expiresAt: NOON + DAY,
  createdAt: NOON - HOUR,
  endHeight: null,
  endedAt: null,
  sale: null,
  ...over,
})

const SALE = { kernelExcess: '09'.repeat(33), kernelHeight: 2_749_990, claimedAt: NOON - 2 * HOUR }

export interface FakeNameDesk extends NameDesk {
  readonly rows: Map<string, NameRow>
  readonly kept: Map<string, string>
  readonly offered: OfferRow[]
  /** What was changed, as words. */
  readonly done: string[]
}

/** Names in every state, one reserved name, an open offer and a sale. `text` stands wherever operators write. */
export function createFakeNameDesk(text = 'complaint 17: not their brand', over: Partial<NameDesk> = {}): FakeNameDesk {
  const rows = new Map(
    [
      aName(),
      aName({ name: 'bakery.shop', holder: BEN, state: 'suspended', suspendedAt: NOON - DAY }),
      aName({ name: 'chandlery', state: 'released', releasedAt: NOON - HOUR }),
    ].map((row) => [row.name, row]),
  )
  const kept = new Map([['support', text]])
  const sold = anOffer({
    id: 'e'.repeat(64),
    name: 'bakery.shop',
    state: 'consumed',
    endHeight: 2_750_000,
    endedAt: NOON - 2 * HOUR,
    sale: SALE,
  })
  const offered = [anOffer(), sold, anOffer({ id: 'd'.repeat(64), name: 'chandlery', expiresAt: NOON - MINUTE })]
  const done: string[] = []
  const page = <T>(items: readonly T[], { limit }: { readonly limit: number }) => ({
    items: items.slice(0, limit),
    next: items.length > limit ? 'm' : null,
  })
  const note = (words: string, name: string) => {
    done.push(words)
    return { name, changed: true }
  }

  function status(name: string): NameStatus {
    const record = rows.get(name) ?? null
    const reason = kept.get(name)
    const isHeld = record !== null && record.state !== 'released'
    return {
      name,
      state: isHeld ? (record.state as 'active') : reason === undefined ? 'free' : 'reserved',
      why: isHeld ? `held by ${record.holder.npub}` : null,
      record,
      reserved: reason === undefined ? null : { by: 'command', like: name, reason },
      lookAlike: null,
      cooldownUntil: null,
      offers: offered.filter((one) => one.name === name),
    }
  }

  return {
    rows,
    kept,
    offered,
    done,
    domain: async () => 'acme.example',
    names: async ({ text: begin, choice, limit }) =>
      page(
        [...rows.values()].filter(
          ({ name, state }) =>
            name.startsWith(begin) &&
            (choice === 'all' || choice === state || (choice === 'held' && state !== 'released')),
        ),
        { limit },
      ),
    name: async (name) => status(name),
    history: async (name, request) =>
      page(
        rows.has(name)
          ? [
              { id: 2, at: NOON - DAY, actor: 'operator', action: 'suspend', key: ANN, reason: text },
              { id: 1, at: NOON - 30 * DAY, actor: 'holder', action: 'claim', key: ANN, reason: null },
            ]
          : [],
        request,
      ),
    reserved: async (request) =>
      page(
        [...kept].map(([name, reason]) => ({ name, reason, createdAt: NOON - DAY })),
        request,
      ),
    offers: async (state, request) =>
      page(
        offered.filter((one) => state === undefined || one.state === state),
        request,
      ),
    offer: async (id) => offered.find((one) => one.id === id),
    changeMark: async () => done.join(),
    reserve: async ({ name, reason }) => note(`reserve ${name}: ${reason}`, name),
    unreserve: async ({ name, reason }) => note(`unreserve ${name}: ${reason}`, name),
    suspend: async ({ name, reason }, suspended) => note(`${suspended ? 'suspend' : 'lift'} ${name}: ${reason}`, name),
    evict: async ({ name, reason }, { holder, reserve }) =>
      note(`evict ${name} from ${holder.slice(0, 4)}${reserve ? ' and reserve' : ''}: ${reason}`, name),
    ...over,
  }
}
