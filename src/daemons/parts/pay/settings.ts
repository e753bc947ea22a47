// What of the settings the till itself needs, and in its own terms.
import type { PayConfig } from '../../../config/index.js'
import { nanoGrin } from '../../../grin/amount/index.js'
import { parsePubkey } from '../../../nostr/nip19/index.js'
import type { TillHttpOptions, TillSettings } from '../../../till/index.js'

/** Notices go out over the Nostr rail: without it there are none. */
export const tillSettings = (config: PayConfig): TillSettings => ({
  ...config,
  confirmNodesFrom: config.confirmNodesFrom === undefined ? undefined : nanoGrin(config.confirmNodesFrom),
  notifyMerchant: config.ingest && config.notifyMerchant,
  notifyPayer: config.ingest && config.notifyPayer,
  ...(config.merchantNpub === undefined ? {} : { merchantPubkey: parsePubkey(config.merchantNpub) }),
})

/** Those of `PAY_CHECKOUT_METHODS` that work: without the Nostr rail no wallet is answered over it. */
export const usableMethods = ({ ingest, checkoutMethods }: PayConfig): NonNullable<TillHttpOptions['methods']> =>
  checkoutMethods.filter((method) => ingest || method !== 'nostr')

/** What has to be the same on every instance, by the setting that says it. Address and key are public; tokens stay out, since a reader of the table could try them. */
export const settingsInCommon = (
  config: PayConfig,
  { wallet, identity }: { readonly wallet: string; readonly identity: string },
): Readonly<Record<string, unknown>> => ({
  'the wallet (wallet_data)': wallet,
  'the Nostr key (nostr/identity.json)': identity,
  PAY_PUBLIC_URL: config.publicUrl,
  PAY_CONFIRMATIONS: config.confirmations,
  PAY_RELAYS: config.relays,
  PAY_WEBHOOK_URL: config.webhooks.map(({ url }) => url),
})
