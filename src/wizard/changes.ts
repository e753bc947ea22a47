// What a reconfiguration changes among the settings. Pure.
import { secretNames } from '../config/index.js'
import type { Change } from './steps.js'

const HIDDEN = '(secret)'

/** In the order in which they will be written, those that go at the end; of secrets only that they change. Empty where nothing was set before. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Change[] {
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
