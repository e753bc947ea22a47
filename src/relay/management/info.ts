// What the relay says about itself: its settings, and what managers say instead.
import type { ListSource, RelayLists } from '../policy/index.js'
import type { RelayInfo } from '../settings.js'

/** The same object until the lists change. Texts set to nothing mean the settings again. */
export function createInfo(settings: RelayInfo, lists: ListSource): () => RelayInfo {
  let seen: RelayLists['info'] | undefined
  let info = settings
  return () => {
    const now = lists.current().info
    if (now !== seen) {
      seen = now
      const { name, description, icon } = now
      info = { ...settings, ...(name && { name }), ...(description && { description }), ...(icon && { icon }) }
    }
    return info
  }
}
