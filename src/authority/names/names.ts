// Looks up names and holders.
import type { Availability, Holder, Names } from '../api.js'
import { nameNotFound, nameSuspended, notTheOwner } from '../errors.js'
import { keyOf } from '../keys.js'
import type { ActiveName } from '../model.js'
import { isHoldableName, isValidName, normaliseName } from './grammar.js'
import { shapeOf } from './look-alikes.js'
import type { NamesParts } from './parts.js'
import { createRegister } from './register.js'
import { createReservedCheck } from './reserved.js'

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
      const pubkey = keyOf(typed)
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
