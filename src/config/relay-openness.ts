// What an operator who comes from another relay does not expect: notes are refused until settings let them in.
import type { SettingNotice } from './problem.js'
import { type RelaySources, readRelayValues } from './relay.js'

/** For `config check`: why notes would be refused, and the settings of a relay that is open to all. None where any author may publish them. */
export function closedToNotes(sources: RelaySources): readonly SettingNotice[] {
  const { publicNoteAuthors } = readRelayValues(sources).values
  if ((publicNoteAuthors?.authors ?? []).length > 0) return []
  const text =
    'notes (kinds 1 and 30023) are refused from everyone; a relay that is open to all, as nostr-rs-relay is by default, needs limits.event_kind_allowlist = "all", authorization.public_note_authors = "everyone" and options.reject_past_seconds = 0'
  return [{ setting: 'authorization.public_note_authors', text }]
}
