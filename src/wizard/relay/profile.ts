// Who may publish what: one question of `setup relay` stands for three settings.
import type { Answers, Texts } from '../question.js'

/** What else `everybody` sets. */
const OPEN = { 'limits.event_kind_allowlist': 'all', 'options.reject_past_seconds': '0' }
const AUTHORS = 'authorization.public_note_authors'
const EVERYONE = 'everyone'

/** Answers without a profile name it by their note authors, as before there were profiles. "No author" is the absence of a list. */
export function withProfile(given: Answers): Answers {
  const { note_authors: authors, profile, ...others } = given
  if (authors === undefined || profile === 'members') return given
  const isNone = ['', 'none', 'nobody'].includes(authors.trim().toLowerCase())
  if (isNone) return { ...others, profile: profile ?? 'payments' }
  return { ...given, profile: profile ?? 'members' }
}

/** The answers that stand for the settings of a file. */
export function presentProfile(present: Texts): { readonly profile: string; readonly note_authors?: string } {
  const authors = present.get(AUTHORS)?.trim() ?? ''
  if (authors === '') return { profile: 'payments' }
  return authors.toLowerCase() === EVERYONE ? { profile: 'everybody' } : { profile: 'members', note_authors: authors }
}

/** The settings that a profile changes. While it stays, kinds and bound stay as they are: the operator may have narrowed them. */
export function profileChanges({ profile, note_authors: authors }: Answers, present: Texts) {
  const isOpen = profile === 'everybody'
  const changes: Record<string, string | undefined> = { [AUTHORS]: isOpen ? EVERYONE : authors }
  if (isOpen === (presentProfile(present).profile === 'everybody')) return changes
  if (isOpen) return { ...changes, ...OPEN }
  for (const [key, value] of Object.entries(OPEN))
    if (present.get(key)?.toLowerCase() === value) changes[key] = undefined
  return changes
}
