import type { AuditEntry, NameRecord, NameStore, OperatorStore } from '../../src/authority/index.js'
import {
  activeRow,
  dropGrant,
  grantKey,
  type NameTables,
  note,
  pageByName,
  pageByTime,
  release,
  rivalRow,
  rowOfKey,
  take,
} from './fake-name-tables.js'

type Lists = Pick<
  OperatorStore,
  'nameRecord' | 'listNames' | 'listReserved' | 'listOffers' | 'listGrants' | 'idsLike' | 'history'
>
type Orders = Omit<OperatorStore, keyof NameStore | keyof Lists>

const STATES = {
  active: (row: NameRecord) => row.releasedAt === null,
  released: (row: NameRecord) => row.releasedAt !== null,
  suspended: (row: NameRecord) => row.suspendedAt !== null,
} as const

/** Whether every member of the filter that is given equals the value's. */
const fits = <T extends object>(filter: { readonly [M in keyof T]?: T[M] | undefined }, value: T): boolean =>
  (Object.keys(filter) as (keyof T)[]).every(
    (member) => filter[member] === undefined || filter[member] === value[member],
  )

export function fakeOperatorLists({ names, reserved, offers, grants, audit }: NameTables): Lists {
  return {
    nameRecord: async (name) => names.get(name),
    async listNames({ status, pubkey, prefix = '' }, limit, cursor) {
      const rows = [...names.values()].filter(
        (row) =>
          (status === undefined || STATES[status](row)) &&
          (pubkey === undefined || row.pubkey === pubkey) &&
          row.name.startsWith(prefix),
      )
      return pageByName(rows, limit, cursor)
    },
    listReserved: async (limit, cursor) => pageByName([...reserved.values()], limit, cursor),
    listOffers: async (filter, limit, cursor) =>
      pageByTime([...offers.values()], (offer) => fits(filter, offer), limit, cursor),
    listGrants: async (filter, limit, cursor) =>
      pageByTime([...grants.values()], (grant) => fits(filter, grant), limit, cursor),
    async idsLike(kind, prefix, limit) {
      const ids = kind === 'offer' ? [...offers.keys()] : [...grants.values()].map(({ invoiceId }) => invoiceId)
      return ids
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, limit)
    },
    history: async (filter, limit, cursor) => pageByTime(audit, (entry) => fits(filter, entry), limit, cursor),
  }
}

export function fakeOperatorOrders(tables: NameTables): Orders {
  const { names, reserved, grants } = tables
  const byOperator = (
    action: AuditEntry['action'],
    { now, reason }: { readonly now: number; readonly reason: string },
    name: string | null,
    pubkey: string | null,
  ) => note(tables, { at: now, actor: 'operator', action, name, pubkey, reason })

  return {
    async reserve({ name }, change) {
      if (reserved.has(name)) return 'exists'
      reserved.set(name, { name, reason: change.reason, createdAt: change.now })
      byOperator('reserve', change, name, null)
      return 'reserved'
    },
    async unreserve(name, change) {
      if (!reserved.delete(name)) return 'unknown'
      byOperator('unreserve', change, name, null)
      return 'unreserved'
    },
    async assign(shape, { pubkey, replace, ...change }) {
      const own = rowOfKey(tables, pubkey)
      if (own?.name === shape.name) return { outcome: 'held' }
      const rival = rivalRow(tables, shape, pubkey)
      if (rival) {
        const { releasedAt: _, ...by } = rival
        return { outcome: 'taken', by }
      }
      if (own && !replace) return { outcome: 'has-name', name: own.name }
      if (own) {
        release(tables, own, change.now)
        byOperator('release', change, own.name, pubkey)
      }
      take(tables, shape.name, pubkey, change.now)
      byOperator('assign', change, shape.name, pubkey)
      return { outcome: 'assigned', released: own?.name ?? null }
    },
    async evict({ name }, { reserve, action = 'evict', holder, ...change }) {
      const row = activeRow(tables, name)
      if (!row) return { outcome: 'unknown' }
      if (holder !== undefined && holder !== row.pubkey) return { outcome: 'other-holder', pubkey: row.pubkey }
      release(tables, row, change.now)
      byOperator(action, change, name, row.pubkey)
      if (reserve && !reserved.has(name)) {
        reserved.set(name, { name, reason: change.reason, createdAt: change.now })
        byOperator('reserve', change, name, null)
      }
      return { outcome: 'evicted', pubkey: row.pubkey }
    },
    async suspend(name, { suspended, ...change }) {
      const row = activeRow(tables, name)
      if (!row) return 'unknown'
      if (suspended === (row.suspendedAt !== null)) return 'same'
      names.set(name, { ...row, suspendedAt: suspended ? change.now : null })
      byOperator(suspended ? 'suspend' : 'resume', change, name, row.pubkey)
      return 'changed'
    },
    async voidGrant(invoiceId, change) {
      const grant = [...grants.values()].find((one) => one.invoiceId === invoiceId)
      if (!grant) return 'unknown'
      dropGrant(tables, grantKey(grant.pubkey, grant.resource))
      byOperator('void-grant', { ...change, reason: `${invoiceId}: ${change.reason}` }, null, grant.pubkey)
      return 'voided'
    },
  }
}
