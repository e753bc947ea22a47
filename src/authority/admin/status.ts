// The status of one name: holder, reservation, look-alike, cooldown, offer, history.
import type { Clock } from '../../lib/ports.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { ActiveName, NameRecord, NameShape } from '../model.js'
import {
  isHoldableName,
  type NameBounds,
  normaliseName,
  type Reservation,
  type ReservedCheck,
  shapeOf,
} from '../names/rules.js'
import { nameUnusable } from './errors.js'
import type { OperatorStore } from './ports.js'
import {
  type HistoryView,
  historyView,
  maybeMoment,
  type NameView,
  nameView,
  type OfferView,
  offerView,
} from './views.js'

/** What the operator's commands work with: the database and the rules for names. */
export interface AdminParts {
  readonly store: OperatorStore
  readonly clock: Pick<Clock, 'now'>
  readonly bounds: NameBounds
  readonly isReserved: ReservedCheck
}

/** Why a name cannot be claimed: the list that contains it or a look-alike. */
interface ReservationView {
  /** `file`: NAMEAUTH_RESERVED_FILE; `command`: grinpay name reserve. */
  readonly by: 'built-in' | 'domain' | 'file' | 'command'
  readonly like: string
  readonly reason: string | null
}

/** Times are epoch milliseconds. */
export interface NameStatus {
  readonly name: string
  /** `taken`: another key holds a look-alike. `invalid`: the bounds of the settings changed after the claim. */
  readonly state: 'free' | 'invalid' | 'reserved' | 'taken' | 'active' | 'suspended'
  /** One sentence for people; null for a free name. */
  readonly why: string | null
  /** The current or last holder. */
  readonly record: NameRecord | null
  readonly reserved: ReservationView | null
  readonly lookAlike: ActiveName | null
  /** Until when the holder may not claim another name. */
  readonly cooldownUntil: number | null
}

export interface NameStatusView extends Pick<NameStatus, 'name' | 'state' | 'why' | 'reserved'> {
  readonly record: NameView | null
  readonly look_alike: NameView | null
  readonly cooldown_until: string | null
  /** The live offer. */
  readonly offer: OfferView | null
  /** The newest entries. */
  readonly history: readonly HistoryView[]
}

const LINES = 5
const LISTS = { 'built-in': 'built-in', domain: 'domain', operator: 'file' } as const

/** Throws NAME_UNUSABLE for a name that is neither held nor valid. */
export async function nameStatusOf(parts: AdminParts, typed: string): Promise<NameStatus> {
  const { store, bounds, clock } = parts
  const shape = shapeOf(normaliseName(typed))
  const { name } = shape
  const record = await store.nameRecord(name)
  const isValid = isHoldableName(name, bounds)
  if (!record && !isValid) throw nameUnusable(typed, bounds.nameMin, bounds.nameMax)
  const holder = record?.releasedAt === null ? record : undefined
  const reserved = await reservationOf(parts, shape)
  const rival = holder ? undefined : await store.rivalOf(shape)
  const until = holder ? await store.cooldownUntil(holder.pubkey) : 0
  const state = stateOf({ holder, isValid, reserved, rival })
  return {
    name,
    state,
    why: whyOf(state, { name, holder, reserved, rival }),
    record: record ?? null,
    reserved: reserved ?? null,
    lookAlike: rival ?? null,
    cooldownUntil: until > clock.now() ? until : null,
  }
}

/** The document of `name show`. */
export async function nameStatusView(
  { store }: Pick<AdminParts, 'store'>,
  { name, state, why, record, reserved, lookAlike, cooldownUntil }: NameStatus,
): Promise<NameStatusView> {
  const offers = await store.listOffers({ status: 'live', name }, 1)
  const history = await store.history({ name }, LINES)
  return {
    ...{ name, state, why, reserved },
    record: record && nameView(record),
    look_alike: lookAlike && nameView({ ...lookAlike, releasedAt: null }),
    cooldown_until: maybeMoment(cooldownUntil),
    offer: offers.items.map(offerView)[0] ?? null,
    history: history.items.map(historyView),
  }
}

/** The settings come first: no command can change them. */
export async function reservationOf(
  { store, isReserved }: Pick<AdminParts, 'store' | 'isReserved'>,
  shape: NameShape,
): Promise<ReservationView | undefined> {
  const listed: Reservation | undefined = isReserved(shape)
  if (listed) return { by: LISTS[listed.list], like: listed.word, reason: null }
  const row = await store.reservedLike(shape)
  return row ? { by: 'command', like: row.name, reason: row.reason } : undefined
}

interface NameFacts {
  readonly name: string
  readonly holder: NameRecord | undefined
  readonly reserved: ReservationView | undefined
  readonly rival: ActiveName | undefined
}

function stateOf({
  holder,
  isValid,
  reserved,
  rival,
}: Omit<NameFacts, 'name'> & { readonly isValid: boolean }): NameStatus['state'] {
  if (holder) return holder.suspendedAt === null ? 'active' : 'suspended'
  if (!isValid) return 'invalid'
  if (reserved) return 'reserved'
  return rival ? 'taken' : 'free'
}

function whyOf(state: NameStatus['state'], { name, holder, reserved, rival }: NameFacts): string | null {
  if (holder) return `held by ${formatNpub(holder.pubkey)}${state === 'suspended' ? ', suspended' : ''}`
  if (state === 'invalid') return 'outside the bounds of the settings'
  if (reserved) return reservationText(name, reserved)
  return rival ? `looks like "${rival.name}", which ${formatNpub(rival.pubkey)} holds` : null
}

const PLACES = {
  'built-in': 'in the built-in list',
  domain: 'a part of the domain',
  file: 'in the file of NAMEAUTH_RESERVED_FILE',
  command: 'reserved by the operator',
} as const

/** As the end of "the name is …". */
export function reservationText(name: string, { by, like, reason }: ReservationView): string {
  const words = `${PLACES[by]}${reason === null ? '' : ` (${reason})`}`
  return like === name ? words : `like "${like}", ${words}`
}
