// Operator changes to names and grants: one store verb each, which also writes the history entry.
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import type { AuditAction, NameShape } from '../model.js'
import { isHoldableName, isValidName, type NameBounds, normaliseName, shapeOf } from '../names/rules.js'
import {
  grantUnknown,
  holderChanged,
  keyHasOtherName,
  nameHeldByOther,
  nameKeptBackElsewhere,
  nameNotHeld,
  nameNotKeptBack,
  nameUnusable,
} from './errors.js'
import { type AdminParts, reservationOf, reservationText } from './status.js'
import { type GrantView, grantView } from './views.js'

/** The result of a command. */
export interface ChangeView {
  readonly action: AuditAction
  /** False: nothing to change, nothing written. */
  readonly changed: boolean
  readonly name: string
  /** The current or last holder. */
  readonly pubkey: string | null
  readonly npub: string | null
  readonly reason: string
}

export interface AssignedView extends ChangeView {
  /** The name that the key held before. */
  readonly released: string | null
}

export interface EvictedView extends ChangeView {
  readonly reserved: boolean
}

export interface VoidedView extends Omit<ChangeView, 'name'> {
  readonly grant: GrantView
}

/** `holder`: 64 hex; the change applies only while this key holds the name. */
export interface Eviction {
  readonly reason: string
  readonly holder: string
  readonly reserve: boolean
}

const keyMembers = (pubkey: string | null) => ({ pubkey, npub: pubkey === null ? null : formatNpub(pubkey) })

export function adminChanges(parts: AdminParts) {
  const { store, clock, bounds } = parts
  const withTime = (reason: string) => ({ reason, now: clock.now() })

  async function take(
    action: 'evict' | 'release',
    typed: string,
    { reason, ...change }: Eviction,
  ): Promise<EvictedView> {
    const shape = shapeOf(normaliseName(typed))
    const done = await store.evict(shape, { ...withTime(reason), ...change, action })
    if (done.outcome === 'unknown') throw nameNotHeld(shape.name)
    if (done.outcome === 'other-holder') throw holderChanged(shape.name, formatNpub(done.pubkey))
    return { action, changed: true, name: shape.name, ...keyMembers(done.pubkey), reserved: change.reserve, reason }
  }

  return {
    /** Throws NAME_UNUSABLE. */
    async reserve(typed: string, reason: string): Promise<ChangeView> {
      const shape = reservableShape(typed, bounds)
      const changed = (await store.reserve(shape, withTime(reason))) === 'reserved'
      return { action: 'reserve', changed, name: shape.name, ...keyMembers(null), reason }
    },

    /** Throws NAME_NOT_RESERVED, NAME_RESERVED_ELSEWHERE. */
    async unreserve(typed: string, reason: string): Promise<ChangeView> {
      const shape = shapeOf(normaliseName(typed))
      const { name } = shape
      if ((await store.unreserve(name, withTime(reason))) === 'unreserved')
        return { action: 'unreserve', changed: true, name, ...keyMembers(null), reason }
      const other = await reservationOf(parts, shape)
      throw other ? nameKeptBackElsewhere(name, reservationText(name, other)) : nameNotKeptBack(name)
    },

    /** Also assigns reserved names; no price, no cooldown. Throws NAME_UNUSABLE, NOSTR_CODE_INVALID, NAME_HELD, KEY_HAS_NAME. */
    async assign(typed: string, key: string, change: { reason: string; replace: boolean }): Promise<AssignedView> {
      const shape = claimableShape(typed, bounds)
      const { name } = shape
      const pubkey = parsePubkey(key)
      const done = await store.assign(shape, { ...withTime(change.reason), pubkey, replace: change.replace })
      if (done.outcome === 'taken') throw nameHeldByOther(name, done.by.name, formatNpub(done.by.pubkey))
      if (done.outcome === 'has-name') throw keyHasOtherName(formatNpub(pubkey), done.name)
      const changed = done.outcome === 'assigned'
      const released = done.outcome === 'assigned' ? done.released : null
      return { action: 'assign', changed, name, ...keyMembers(pubkey), released, reason: change.reason }
    },

    /** Against the holder's will. Throws NAME_NOT_HELD, HOLDER_CHANGED. */
    evict: (typed: string, change: Eviction) => take('evict', typed, change),

    /** On the holder's behalf. Throws NAME_NOT_HELD, HOLDER_CHANGED. */
    release: (typed: string, change: Omit<Eviction, 'reserve'>) =>
      take('release', typed, { ...change, reserve: false }),

    /** Throws NAME_NOT_HELD. */
    async suspend(typed: string, change: { reason: string; suspended: boolean }): Promise<ChangeView> {
      const name = normaliseName(typed)
      const done = await store.suspend(name, { ...withTime(change.reason), suspended: change.suspended })
      const holder = await store.activeName(name)
      if (done === 'unknown') throw nameNotHeld(name)
      const action = change.suspended ? 'suspend' : 'resume'
      return { action, changed: done === 'changed', name, ...keyMembers(holder?.pubkey ?? null), reason: change.reason }
    },

    /** Throws GRANT_UNKNOWN. */
    async voidGrant(invoiceId: string, reason: string): Promise<VoidedView> {
      const grant = await store.grantOfInvoice(invoiceId)
      if (!grant || (await store.voidGrant(invoiceId, withTime(reason))) === 'unknown') throw grantUnknown(invoiceId)
      const { pubkey } = grant
      return { action: 'void-grant', changed: true, ...keyMembers(pubkey), reason, grant: grantView(grant) }
    },
  }
}

/** A name that a key can hold. Throws NAME_UNUSABLE. */
function claimableShape(typed: string, bounds: NameBounds): NameShape {
  const name = normaliseName(typed)
  if (!isHoldableName(name, bounds)) throw nameUnusable(typed, bounds.nameMin, bounds.nameMax)
  return shapeOf(name)
}

/**
 * A name to reserve. Names below the minimum length are allowed: they reserve their longer look-alikes.
 * Throws NAME_UNUSABLE.
 */
function reservableShape(typed: string, { nameMax }: NameBounds): NameShape {
  const name = normaliseName(typed)
  if (!isValidName(name, { nameMin: 1, nameMax })) throw nameUnusable(typed, 1, nameMax)
  return shapeOf(name)
}
