// What managing the relay over HTTP needs (NIP-86).
import type { ListChange, ListSource } from '../policy/index.js'

interface ManagedLists extends ListSource {
  /** In force and kept when it resolves; what was banned is out of the store. `by` is the manager's key. */
  change(change: ListChange, by: string): Promise<void>
}

export interface ManagementParts {
  /** Addresses of the relay, ws or wss: requests are signed for one of them. */
  readonly relayUrls: readonly string[]
  /** Who may, by the settings; those of the lists may too. 64 lower-case hex. */
  readonly admins: readonly string[]
  readonly lists: ManagedLists
  /** Kinds that are taken now, lists included. */
  readonly kinds: () => ReadonlySet<number>
  readonly clock: { now(): number }
}
