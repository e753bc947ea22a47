// A reference whose every answer is wrong in one place: whoever compares notices it.
import type { Outcome, Reference } from './reference.js'

/** Another value of the same kind; of a list or an object, one member is another. */
function altered(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')
  if (typeof value !== 'object' || value === null) return 'altered'
  const [name] = Object.keys(value)
  if (name === undefined) return 'altered'
  if (Array.isArray(value)) return [altered(value[0]), ...value.slice(1)]
  return { ...value, [name]: altered((value as Record<string, unknown>)[name]) }
}

const wrong = (outcome: Outcome): Outcome => ('ok' in outcome ? { ok: altered(outcome.ok) } : { ok: 'altered' })

export const liar = ({ ask, close }: Reference): Reference => ({
  ask: async (op, question) => wrong(await ask(op, question)),
  close,
})
