// What managing the relay over HTTP needs (NIP-86).
import type { KindSet, ListChange, ListSource } from '../policy/index.js'

interface ManagedLists extends ListSource {
  /** Resolves when the change is stored and in force, and banned events are deleted. `by` is the manager's key. */
  change(change: ListChange, by: string): Promise<void>
}

export interface ManagementParts {
  /** Addresses of the relay, ws or wss. Managers sign requests for one of them. */
  readonly relayUrls: readonly string[]
  /** Managers of the settings, 64 lower-case hex. Managers of the lists come on top. */
  readonly admins: readonly string[]
  readonly lists: ManagedLists
  /** Accepted kinds, with the lists applied. */
  readonly kinds: () => Pick<KindSet, 'values'>
  readonly clock: { now(): number }
  /**
   * True when this is the first use of an authorization event at any front end of the relay; `until` is epoch seconds. Absent: there is one front
   * end.
   */
  readonly claimUse?: ((id: string, until: number) => Promise<boolean>) | undefined
}
