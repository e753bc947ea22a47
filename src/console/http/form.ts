// The fields of a form: those that its action declares, and those of the frame itself.
import type { Field } from '../area.js'
import { badField } from '../errors.js'
import { TOKEN_FIELD } from './ui.js'

/** Carries the seal of what a second step confirms. */
export const FACTS_FIELD = 'facts'

const OWN: readonly string[] = [TOKEN_FIELD, FACTS_FIELD]

/** Every field as it came; bodies that are no form have none. */
export function rawForm(body: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}

/** The declared fields, trimmed; absent ones are empty. Throws CONSOLE_FIELD. */
export function readForm(
  body: Readonly<Record<string, string | undefined>>,
  fields: Readonly<Record<string, Field>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(body).find((name) => !OWN.includes(name) && !Object.hasOwn(fields, name))
  if (unknown !== undefined) throw badField(`the form has no field "${unknown.slice(0, 40)}"`)
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, checked(name, (body[name] ?? '').trim(), field)]),
  )
}

function checked(name: string, value: string, { max, pattern }: Field): string {
  if (value.length > max) throw badField(`${name} may have ${max} characters, not ${value.length}`)
  if (value !== '' && pattern && !pattern.test(value)) throw badField(`${name} does not have the right form`)
  return value
}
