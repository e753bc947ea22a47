// Whose key is it? Secrets of one-time keys are never stored: they are derived from whom the key was made for.
import type { Secret } from '../../lib/secret.js'
import { childSecret, endpubContext, invoiceContext } from '../../nostr/keys/index.js'
import type { WatchStore } from '../ports.js'

/** What a receiving key was made for. */
export type Owner =
  | { readonly kind: 'till' }
  | { readonly kind: 'invoice'; readonly invoiceId: string }
  | { readonly kind: 'endpub'; readonly userId: string; readonly epoch: number }

/** The secret of the owner's key. `identity` is the till's own Nostr secret. */
export function secretFor(identity: Secret<Uint8Array>, owner: Owner): Secret<Uint8Array> {
  switch (owner.kind) {
    case 'till':
      return identity
    case 'invoice':
      return childSecret(identity, invoiceContext(owner.invoiceId))
    case 'endpub':
      return childSecret(identity, endpubContext(owner.userId, owner.epoch))
  }
}

/** Looks a one-time key up that is no longer listened to. */
export async function storedOwner(
  store: Pick<WatchStore, 'invoiceByRecipient' | 'endpubOf'>,
  pubkey: string,
): Promise<Owner | undefined> {
  const invoice = await store.invoiceByRecipient(pubkey)
  if (invoice) return { kind: 'invoice', invoiceId: invoice.id }
  const endpub = await store.endpubOf(pubkey)
  return endpub && { kind: 'endpub', ...endpub }
}
