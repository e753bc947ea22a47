// A name authority for tests: settings, and names around a real store.
import type { AuthoritySettings, PaidAccess } from '../../src/authority/index.js'
import { createNames } from '../../src/authority/names/names.js'
import { utf8 } from '../../src/lib/bytes.js'
import { createFakeClock } from './fake-clock.js'
import { quickNames } from './quick-stores.js'

/** Nothing for sale, no transfers. */
export const authoritySettings = (changes: Partial<AuthoritySettings> = {}): AuthoritySettings => ({
  domain: 'acme.example',
  baseUrl: 'https://acme.example',
  relays: ['wss://acme.example'],
  nameMin: 3,
  nameMax: 20,
  cooldownSeconds: 600,
  authMaxAgeSeconds: 60,
  reserved: [],
  sale: undefined,
  pollIntervalSeconds: 5,
  transfers: undefined,
  ...changes,
})

export const claimBody = (name: unknown, pubkey: unknown): Uint8Array => utf8(JSON.stringify({ name, pubkey }))

/** `requireName` as a test wants it; free unless given. */
export function createNamesDesk(
  changes: Partial<AuthoritySettings> = {},
  requireName: PaidAccess['requireName'] = async () => false,
) {
  const store = quickNames()
  const clock = createFakeClock()
  const settings = authoritySettings(changes)
  const names = createNames({ store, clock, settings, paid: { requireName } })
  const claim = (pubkey: string, name: string) => names.register({ pubkey }, claimBody(name, pubkey))
  return { store, clock, names, claim }
}
