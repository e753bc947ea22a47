// Where everything is (specification: names, 6), as the router writes it.

export const PATHS = {
  nip05: '/.well-known/nostr.json',
  health: '/api/v1/health',
  client: '/api/v1/health/client',
  openapi: '/api/v1/openapi.json',
  availability: '/api/v1/name/:name',
  profile: '/api/v1/profile/:name',
  byPubkey: '/api/v1/by-pubkey/:pubkey',
  register: '/api/v1/register',
  release: '/api/v1/register/:name',
  paid: '/api/v1/paid/:pubkey',
  quote: '/api/v1/quote',
  webhook: '/api/v1/pay/webhook',
  /** Where services that know the older address send their events. */
  oldWebhook: '/api/v1/goblinpay/webhook',
} as const

/** Only where names can be sold. */
export const TRANSFER_PATHS = {
  lodge: '/api/v1/transfer/offer',
  offer: '/api/v1/transfer/offer/:id',
  claim: '/api/v1/transfer/claim',
} as const
