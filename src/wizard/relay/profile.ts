// Who may publish what: one question of `setup relay` stands for three settings.
import type { RelayAnswers } from './questions.js'

/** What else `everybody` sets. */
const OPEN = { kinds: ['limits.event_kind_allowlist', 'all'], past: ['options.reject_past_seconds', '0'] } as const
const AUTHORS = 'authorization.public_note_authors'
const EVERYONE = 'everyone'

/** Answers without a profile name it by their note authors, as before there were profiles. "No author" is the absence of a list. */
export function withProfile(given: RelayAnswers): RelayAnswers {
  const { note_authors: authors, profile, ...others } = given
  if (authors === undefined || profile === 'members') return given
  const isNone = ['', 'none', 'nobody'].includes(authors.trim().toLowerCase())
  if (isNone) return { ...others, profile: profile ?? 'payments' }
  return { ...given, profile: profile ?? 'members' }
}

/** The answers that stand for the settings of a file, by their keys. */
export function presentProfile(inForce: ReadonlyMap<string, string>): RelayAnswers {
  const authors = inForce.get(AUTHORS)?.trim() ?? ''
  if (authors === '') return { profile: 'payments' }
  return authors.toLowerCase() === EVERYONE ? { profile: 'everybody' } : { profile: 'members', note_authors: authors }
}

type Change = readonly [key: string, value: string | undefined]

/** The settings that a profile changes. While it stays, kinds and bound stay as they are: the operator may have narrowed them. */
export function profileChanges(
  inForce: ReadonlyMap<string, string>,
  { profile, note_authors: authors }: RelayAnswers,
): readonly Change[] {
  const isOpen = profile === 'everybody'
  const first: Change = [AUTHORS, isOpen ? EVERYONE : authors]
  if (isOpen === (presentProfile(inForce).profile === 'everybody')) return [first]
  if (isOpen) return [first, OPEN.kinds, OPEN.past]
  const undone = Object.values(OPEN).filter(([key, value]) => inForce.get(key)?.toLowerCase() === value)
  return [first, ...undone.map(([key]): Change => [key, undefined])]
}
