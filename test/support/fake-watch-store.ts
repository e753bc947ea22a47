import type { Invoice, WatchStore } from '../../src/till/index.js'
import { ascendingPageOf, type Tables } from './fake-tables.js'

function isWatched({ matchMode, status, expiresAt, createdAt }: Invoice, closedSince: number): boolean {
  if (matchMode !== 'derived' || status === 'confirmed') return false
  return status === 'open' || status === 'paid' || (expiresAt ?? createdAt) >= closedSince
}

export function fakeWatchStore({ invoices, users, endpubs }: Tables): WatchStore {
  return {
    async invoiceKeysToWatch(closedSince, limit, cursor) {
      // Rows are renumbered in the order of creation: a page goes on behind the last one shown.
      const watched = invoices
        .rows()
        .sort((a, b) => a.value.createdAt - b.value.createdAt || a.seq - b.seq)
        .map(({ value }, at) => ({ seq: at + 1, value }))
        .filter(({ value }) => isWatched(value, closedSince))
      const page = ascendingPageOf(watched, limit, cursor)
      return {
        ...page,
        items: page.items.map(({ recipientPubkey, id }) => ({ pubkey: recipientPubkey, invoiceId: id })),
      }
    },
    async endpubsToWatch(overlap, limit, cursor) {
      const watched = endpubs.rows().filter(({ value: { userId, epoch } }) => {
        const current = users.get(userId)?.epoch ?? 0
        return epoch <= current && epoch >= current - overlap
      })
      return ascendingPageOf(watched, limit, cursor)
    },
    invoiceByRecipient: async (pubkey) =>
      invoices.all().find((invoice) => invoice.matchMode === 'derived' && invoice.recipientPubkey === pubkey),
    async endpubOf(pubkey) {
      const endpub = endpubs.get(pubkey)
      return endpub && { userId: endpub.userId, epoch: endpub.epoch }
    },
  }
}
