// Looks up names and holders, and claims a name: refusals in a fixed order, then one write (specification: names, 3, 6 and 7).
import { type GrinpayError, telling } from '../../lib/errors.js'
import { objectOf, parseJsonBytes } from '../../lib/parse-json.js'
import type { Clock } from '../../lib/ports.js'
import type { AuthoritySettings, Availability, Holder, Names, PaidAccess, Registration } from '../api.js'
import {
  cooldownRuns,
  databaseFull,
  invalidBody,
  invalidName,
  invalidPubkey,
  nameNotFound,
  nameReserved,
  nameSuspended,
  nameTaken,
  notTheOwner,
  paymentBackendUnavailable,
  pubkeyMismatch,
} from '../errors.js'
import { type ActiveName, type NameShape, parseKey } from '../model.js'
import type { ClaimOutcome, NameChanges, NameReads, PublicLookups } from '../ports.js'
import {
  createReservedCheck,
  isHoldableName,
  isValidName,
  normaliseName,
  type ReservedCheck,
  shapeOf,
} from './rules.js'

interface NamesParts {
  readonly store: NameReads & NameChanges
  /** Default: the store. */
  readonly lookups?: PublicLookups | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'nameMin' | 'nameMax' | 'cooldownSeconds' | 'reserved'>
  readonly paid: Pick<PaidAccess, 'requireName'>
  /** False: the disk is full. */
  readonly hasRoom?: (() => boolean) | undefined
}

/** The rules of names around a store (specification: names, 3, 6 and 7). */
export function createNames({ store, lookups = store, clock, settings, paid, hasRoom }: NamesParts): Names {
  const cooldownMs = settings.cooldownSeconds * 1000
  const reservation = createReservedCheck({ domain: settings.domain, extra: settings.reserved })

  async function stateOf(name: string): Promise<Availability['state']> {
    if (!isValidName(name, settings)) return 'invalid'
    const shape = shapeOf(name)
    return reservation(shape) ? 'reserved' : store.availabilityOf(shape)
  }

  return {
    async lookup(typed, aged) {
      const name = normaliseName(typed)
      const pubkey = isHoldableName(name, settings) ? await lookups.keyOfName(name, aged) : undefined
      return pubkey === undefined ? undefined : { name, pubkey }
    },
    async nameOf(typed, aged) {
      const pubkey = parseKey(typed)
      return pubkey === undefined ? undefined : shown(await lookups.nameOfKey(pubkey, aged))
    },
    async availability(typed) {
      const name = normaliseName(typed)
      return { name, state: await stateOf(name) }
    },
    register: createRegister({ store, clock, settings, paid, reservation, hasRoom }),
    async release(caller, typed) {
      const name = normaliseName(typed)
      const outcome = await store.releaseName({ name, pubkey: caller.pubkey, now: clock.now(), cooldownMs })
      if (outcome !== 'released') throw REFUSED_RELEASE[outcome]()
      return name
    },
  }
}

const REFUSED_RELEASE = { unknown: nameNotFound, 'not-owner': notTheOwner, suspended: nameSuspended }

/** The public part of a row. */
const shown = (row: ActiveName | undefined): Holder | undefined =>
  row === undefined || row.suspendedAt !== null ? undefined : { name: row.name, pubkey: row.pubkey }

/** The normalised name that a body asks for, even when the rest of it is invalid. */
function nameIn(body: Uint8Array): string | undefined {
  const { name } = objectOf(parseJsonBytes(body))
  return typeof name === 'string' ? normaliseName(name) : undefined
}

/** The normalised name that the signer claims. Throws INVALID_BODY, INVALID_PUBKEY, PUBKEY_MISMATCH, in this order. */
function readClaim(body: Uint8Array, signer: string): string {
  const { name, pubkey } = objectOf(parseJsonBytes(body))
  if (typeof name !== 'string' || typeof pubkey !== 'string') throw invalidBody()
  const key = parseKey(pubkey)
  if (key === undefined) throw invalidPubkey()
  if (key !== signer) throw pubkeyMismatch()
  return normaliseName(name)
}

interface RegisterParts extends Omit<NamesParts, 'lookups'> {
  readonly reservation: ReservedCheck
}

/** Another claim may spend the same payment between check and write; the payment is then demanded again this often. */
const MOST_TRIES = 3

/** Steps 3 to 15. The checks give the refusals their order; the write transaction decides everything again. */
function createRegister({ store, clock, settings, paid, reservation, hasRoom }: RegisterParts): Names['register'] {
  const cooldownMs = settings.cooldownSeconds * 1000

  /** Undefined: the key may claim. */
  async function cooldownOf(pubkey: string): Promise<GrinpayError | undefined> {
    const left = (await store.cooldownUntil(pubkey)) - clock.now()
    return left > 0 ? telling(cooldownRuns(), { retry_after: Math.ceil(left / 1000) }) : undefined
  }

  /** Step 3. Repeating the claim of the held name passes, whatever the rest of the body is. */
  async function refuseCooldown(pubkey: string, body: Uint8Array): Promise<void> {
    const refusal = await cooldownOf(pubkey)
    if (!refusal) return
    const held = await store.nameOfKey(pubkey)
    if (!held || held.name !== nameIn(body)) throw refusal
  }

  /** Steps 7 to 11. True: the signer holds this name already. */
  async function refuseClaim(shape: NameShape, pubkey: string): Promise<boolean> {
    if (!isValidName(shape.name, settings)) throw invalidName()
    if (reservation(shape) || (await store.reservedLike(shape))) throw nameReserved()
    const held = await store.nameOfKey(pubkey)
    const isHeld = held?.name === shape.name
    if (!isHeld && (await store.rivalOf(shape, pubkey))) throw nameTaken()
    if (held && held.suspendedAt !== null) throw nameSuspended()
    return isHeld
  }

  /** Steps 12 and 13. */
  async function pay(shape: NameShape, pubkey: string): Promise<ClaimOutcome> {
    let outcome: ClaimOutcome = { outcome: 'unpaid' }
    for (let tries = 0; tries < MOST_TRIES && outcome.outcome === 'unpaid'; tries++) {
      const isPaid = await paid.requireName(pubkey)
      outcome = await store.claimName({ shape, pubkey, now: clock.now(), cooldownMs, paid: isPaid })
    }
    return outcome
  }

  return async ({ pubkey }, body) => {
    await refuseCooldown(pubkey, body)
    const name = readClaim(body, pubkey)
    const answer = (isNew: boolean): Registration => ({ name, nip05: `${name}@${settings.domain}`, isNew })
    const shape = shapeOf(name)
    if (await refuseClaim(shape, pubkey)) return answer(false)
    if (hasRoom?.() === false) throw databaseFull()
    const { outcome } = await pay(shape, pubkey)
    if (outcome === 'claimed') return answer(true)
    if (outcome === 'held') return answer(false)
    if (outcome === 'cooldown') throw (await cooldownOf(pubkey)) ?? cooldownRuns()
    throw REFUSED_CLAIM[outcome]()
  }
}

const REFUSED_CLAIM = {
  taken: nameTaken,
  reserved: nameReserved,
  suspended: nameSuspended,
  unpaid: paymentBackendUnavailable,
}
