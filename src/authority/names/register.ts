// Claims a name: refusals in a fixed order, then one write (specification: names, 6).
import { type GrinpayError, telling } from '../../lib/errors.js'
import { objectOf, parseJsonBytes } from '../../lib/parse-json.js'
import type { Names, Registration } from '../api.js'
import {
  cooldownRuns,
  databaseFull,
  invalidBody,
  invalidName,
  invalidPubkey,
  nameReserved,
  nameSuspended,
  nameTaken,
  paymentBackendUnavailable,
  pubkeyMismatch,
} from '../errors.js'
import { keyOf } from '../keys.js'
import type { NameShape } from '../model.js'
import type { ClaimOutcome } from '../ports.js'
import { isValidName, normaliseName } from './grammar.js'
import { shapeOf } from './look-alikes.js'
import type { NamesParts } from './parts.js'
import type { ReservedCheck } from './reserved.js'

/** The normalised name that a body asks for, even when the rest of it is invalid. */
function nameIn(body: Uint8Array): string | undefined {
  const { name } = objectOf(parseJsonBytes(body))
  return typeof name === 'string' ? normaliseName(name) : undefined
}

/** The normalised name that the signer claims. Throws INVALID_BODY, INVALID_PUBKEY, PUBKEY_MISMATCH, in this order. */
function readClaim(body: Uint8Array, signer: string): string {
  const { name, pubkey } = objectOf(parseJsonBytes(body))
  if (typeof name !== 'string' || typeof pubkey !== 'string') throw invalidBody()
  const key = keyOf(pubkey)
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
export function createRegister({
  store,
  clock,
  settings,
  paid,
  reservation,
  hasRoom,
}: RegisterParts): Names['register'] {
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
