// What every route plugin gets.
import type { Tokens } from '../../http/index.js'
import type { Till } from '../api.js'
import { type KeyTexts, keyTextsOf } from '../nostr/links.js'
import type { ViewSettings } from './print.js'

export interface RouteParts {
  readonly till: Till
  readonly view: ViewSettings
  readonly apiTokens: Tokens
  readonly adminTokens: Tokens
  readonly version: string
}

const REMEMBERED = 5_000

/** The bech32 texts of keys, remembered: an invoice is read many times and its key never changes. */
function createKeyTexts(relays: readonly string[]): ViewSettings['keyTexts'] {
  const known = new Map<string, KeyTexts>()
  return (pubkey) => {
    const before = known.get(pubkey)
    if (before) return before
    const texts = keyTextsOf(pubkey, relays)
    if (known.size >= REMEMBERED) known.clear()
    known.set(pubkey, texts)
    return texts
  }
}

/** How the views of this till are printed. */
export const viewSettingsOf = ({ publicUrl, confirmations, relays }: Till['settings']): ViewSettings => ({
  publicUrl,
  confirmations,
  keyTexts: createKeyTexts(relays),
})
