import type {
  AuthRecords,
  ClaimOutcome,
  NameChanges,
  NameClaim,
  NameReads,
  NameRecord,
} from '../../src/authority/index.js'
import {
  activeRow,
  armCooldown,
  dropGrant,
  grantKey,
  type NameTables,
  note,
  release,
  reservedRow,
  rivalRow,
  rowOfKey,
  take,
} from './fake-name-tables.js'

export function fakeNameReads(tables: NameTables): NameReads {
  const active = (row: NameRecord | undefined) => {
    if (!row) return undefined
    const { releasedAt: _, ...rest } = row
    return rest
  }
  return {
    activeName: async (name) => active(activeRow(tables, name)),
    async keyOfName(name) {
      const row = activeRow(tables, name)
      return row?.suspendedAt === null ? row.pubkey : undefined
    },
    nameOfKey: async (pubkey) => active(rowOfKey(tables, pubkey)),
    rivalOf: async (shape, exceptKey) => active(rivalRow(tables, shape, exceptKey)),
    reservedLike: async (shape) => reservedRow(tables, shape),
    availabilityOf: async (shape) =>
      reservedRow(tables, shape) ? 'reserved' : rivalRow(tables, shape) ? 'taken' : 'free',
    cooldownUntil: async (pubkey) => tables.cooldowns.get(pubkey) ?? 0,
  }
}

export function fakeAuthRecords({ auths, cooldowns }: NameTables): AuthRecords {
  const drop = (from: Map<string, number>, now: number, limit: number) => {
    const due = [...from].filter(([, until]) => until <= now).slice(0, limit)
    for (const [key] of due) from.delete(key)
    return due.length
  }
  return {
    async recordAuth(id, forgetAt) {
      if (auths.has(id)) return 'replayed'
      auths.set(id, forgetAt)
      return 'recorded'
    },
    async forgetAuths(now, limit) {
      const dropped = drop(auths, now, limit)
      return dropped + drop(cooldowns, now, limit - dropped)
    },
  }
}

export function fakeNameChanges(tables: NameTables): NameChanges {
  function refusalOf({ shape, pubkey, now, paid }: NameClaim): ClaimOutcome | undefined {
    const own = rowOfKey(tables, pubkey)
    if (own?.name === shape.name) return { outcome: 'held' }
    if (own && own.suspendedAt !== null) return { outcome: 'suspended' }
    if ((tables.cooldowns.get(pubkey) ?? 0) > now) return { outcome: 'cooldown' }
    if (reservedRow(tables, shape)) return { outcome: 'reserved' }
    if (rivalRow(tables, shape, pubkey)) return { outcome: 'taken' }
    if (paid && tables.grants.get(grantKey(pubkey, 'name'))?.status !== 'paid') return { outcome: 'unpaid' }
    return undefined
  }

  return {
    async claimName(claim) {
      const refusal = refusalOf(claim)
      if (refusal) return refusal
      const { shape, pubkey, now, cooldownMs, paid } = claim
      const own = rowOfKey(tables, pubkey)
      if (own) {
        release(tables, own, now)
        armCooldown(tables, pubkey, now, cooldownMs)
        note(tables, { at: now, actor: 'holder', action: 'release', name: own.name, pubkey, reason: null })
      }
      take(tables, shape.name, pubkey, now)
      if (paid) dropGrant(tables, grantKey(pubkey, 'name'))
      note(tables, { at: now, actor: 'holder', action: 'claim', name: shape.name, pubkey, reason: null })
      return { outcome: 'claimed', released: own?.name ?? null }
    },
    async releaseName({ name, pubkey, now, cooldownMs }) {
      const row = activeRow(tables, name)
      if (!row) return 'unknown'
      if (row.pubkey !== pubkey) return 'not-owner'
      if (row.suspendedAt !== null) return 'suspended'
      release(tables, row, now)
      armCooldown(tables, pubkey, now, cooldownMs)
      note(tables, { at: now, actor: 'holder', action: 'release', name, pubkey, reason: null })
      return 'released'
    },
  }
}
