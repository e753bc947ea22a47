// What a setup does, as a list: pure, so that `--dry-run` prints exactly what apply would do.
import { secretNames } from '../config/index.js'
import { Secret } from '../lib/secret.js'
import type { Texts } from './question.js'

export type Step =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  /** `create`: a file that must not exist yet. */
  | {
      readonly kind: 'create' | 'replace'
      readonly path: string
      readonly mode: number
      readonly about: string
      readonly content: Secret
    }
  | { readonly kind: 'remove'; readonly path: string; readonly about: string }

/** One setting before and after; undefined: not set. Secrets are never in it. */
export interface Change {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Plan {
  readonly steps: readonly Step[]
  /** What stays as it is, for people. */
  readonly untouched: readonly string[]
  /** What others have to do, for people. */
  readonly needs: readonly string[]
  /** Settings that become others, where there were some before. */
  readonly changes?: readonly Change[]
  /** The env file as it will be. */
  readonly settings: Texts
}

export const PRIVATE_DIR = 0o700
export const PRIVATE_FILE = 0o600
export const PUBLIC_DIR = 0o755
export const PUBLIC_FILE = 0o644

export const directory = (path: string, mode: number): Step => ({ kind: 'directory', path, mode })

export const create = (path: string, mode: number, about: string, text: string): Step => ({
  kind: 'create',
  path,
  mode,
  about,
  content: new Secret(text),
})

export const replace = (path: string, mode: number, about: string, text: string): Step => ({
  kind: 'replace',
  path,
  mode,
  about,
  content: new Secret(text),
})

const HIDDEN = '(secret)'

/** What a reconfiguration changes: settings in the order of the new file, then those that are removed; of secrets only that they change. Empty where nothing was set before. */
export function changesBetween(before: Texts, after: Texts): readonly Change[] {
  if (before.size === 0) return []
  const hidden = secretNames()
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => (before.get(name) ?? '') !== (after.get(name) ?? ''))
    .map((name) => {
      const shown = (text: string | undefined) => (text && hidden.has(name) ? HIDDEN : text || undefined)
      return { name, before: shown(before.get(name)), after: shown(after.get(name)) }
    })
}

/** `old -> new`; of secrets `(changed)`. */
export const changeText = ({ before = 'not set', after = 'not set' }: Change): string =>
  before === HIDDEN && after === HIDDEN ? '(changed)' : `${before} -> ${after}`
