// What the page after an action says. It travels in the address, sealed for the session: nothing is stored, and no link of a stranger
// puts words into the console's mouth.
import type { ActionOutcome } from '../area.js'
import { isSeal, sealOf } from '../sign-in/tokens.js'

export type Flash = NonNullable<ActionOutcome['flash']>

const TONES: readonly string[] = ['good', 'warn', 'bad'] satisfies readonly Flash['tone'][]
const MAX_TEXT = 300

/** The path with the flash in its query. `to` is a path below `/console` with an optional query. */
export function withFlash(to: string, flash: Flash | undefined, cookie: string): string {
  if (!flash) return to
  const said = `${flash.tone} ${flash.text.slice(0, MAX_TEXT)}`
  const query = new URLSearchParams({ said, seal: sealOf(cookie, 'flash', said) })
  return `${to}${to.includes('?') ? '&' : '?'}${query}`
}

/** Undefined: there is none, or it is not ours. */
export function readFlash(query: Readonly<Record<string, string>>, cookie: string): Flash | undefined {
  const { said, seal } = query
  if (said === undefined || seal === undefined || !isSeal(seal, sealOf(cookie, 'flash', said))) return undefined
  const [, tone = '', text = ''] = /^(\w+) (.*)$/s.exec(said) ?? []
  return isTone(tone) ? { tone, text } : undefined
}

const isTone = (tone: string): tone is Flash['tone'] => TONES.includes(tone)
