// Read access to gift wraps where only their recipients may see them (specification: relay, 9).
import { GIFT_WRAP_KIND, kindOfText, type NostrEvent, textHasTag } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'

/** True when the filters ask for gift wraps only: without an authenticated key such a request is refused. */
export const wantsOnlyWraps = (filters: readonly Filter[]): boolean =>
  filters.length > 0 && filters.every(({ kinds }) => kinds?.length === 1 && kinds[0] === GIFT_WRAP_KIND)

/** True when a client with these keys may see a new event. */
export const maySee = (event: NostrEvent, keys: readonly string[]): boolean =>
  event.kind !== GIFT_WRAP_KIND ||
  event.tags.some(([name, value]) => name === 'p' && value !== undefined && keys.includes(value))

/** The same check for stored events, by their text. It reads the keys late, so a key authenticated meanwhile counts. */
export const textsFor =
  (holder: { readonly keys: readonly string[] }) =>
  (text: Buffer): boolean =>
    kindOfText(text) !== GIFT_WRAP_KIND || holder.keys.some((key) => textHasTag(text, 'p', key))
