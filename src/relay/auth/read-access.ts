// Gift wraps for their recipients only (specification: relay, 9), where the operator wants it: which requests need a proven key, and who sees what.
import { GIFT_WRAP_KIND, kindOfText, type NostrEvent, textHasTag } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'

/** Whether nothing but wraps is asked for: without a proven key that has no answer. */
export const wantsOnlyWraps = (filters: readonly Filter[]): boolean =>
  filters.length > 0 && filters.every(({ kinds }) => kinds?.length === 1 && kinds[0] === GIFT_WRAP_KIND)

/** Whether a holder of these keys may see a new event. */
export const maySee = (event: NostrEvent, keys: readonly string[]): boolean =>
  event.kind !== GIFT_WRAP_KIND ||
  event.tags.some(([name, value]) => name === 'p' && value !== undefined && keys.includes(value))

/** The same of stored events, by their text. The keys are looked at when the question is asked, so that one proven meanwhile counts. */
export const textsFor =
  (holder: { readonly keys: readonly string[] }) =>
  (text: Buffer): boolean =>
    kindOfText(text) !== GIFT_WRAP_KIND || holder.keys.some((key) => textHasTag(text, 'p', key))
