import type { GrantStore } from '../../src/authority/index.js'
import { dropGrant, grantKey, type NameTables } from './fake-name-tables.js'

export function fakeGrantStore(tables: NameTables): GrantStore {
  const { grants, serials, pastInvoices } = tables
  const ofInvoice = (invoiceId: string) => [...grants.values()].find((grant) => grant.invoiceId === invoiceId)
  return {
    grant: async (pubkey, resource) => grants.get(grantKey(pubkey, resource)),
    grantOfInvoice: async (invoiceId) => ofInvoice(invoiceId),
    lastSerial: async (pubkey, resource) => serials.get(grantKey(pubkey, resource)) ?? 0,
    async saveGrant(grant, replaces) {
      const key = grantKey(grant.pubkey, grant.resource)
      const stored = grants.get(key)
      if (stored && (stored.status === 'paid' || stored.invoiceId !== replaces)) return stored
      if (grant.serial <= (serials.get(key) ?? 0) || pastInvoices.has(grant.invoiceId)) return 'serial-used'
      if (ofInvoice(grant.invoiceId))
        throw new Error(`UNIQUE constraint failed: second grant of invoice ${grant.invoiceId}`)
      dropGrant(tables, key)
      grants.set(key, grant)
      serials.set(key, grant.serial)
      return grant
    },
    async settleGrant(invoiceId, now) {
      const grant = ofInvoice(invoiceId)
      if (!grant) return 'unknown'
      if (grant.status === 'pending')
        grants.set(grantKey(grant.pubkey, grant.resource), { ...grant, status: 'paid', paidAt: now })
      return 'paid'
    },
    pendingGrants: async (since, limit) =>
      [...grants.values()]
        .filter(({ status, createdAt }) => status === 'pending' && createdAt >= since)
        .sort((a, b) => b.createdAt - a.createdAt)
        .slice(0, limit),
  }
}
