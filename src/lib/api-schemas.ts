// What every daemon answers about errors, health and readiness, as zod schemas: the types, the OpenAPI documents and the tests read them.
import { z } from 'zod'

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
    : T

/** The JSON that a schema describes, read-only in depth. */
export type ViewOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

/** `YYYY-MM-DDTHH:MM:SSZ`. */
export const timeSchema = z.string().meta({ format: 'date-time', examples: ['2026-07-01T12:00:00Z'] })
export const countSchema = z.number().meta({ type: 'integer', minimum: 0 })
export const hexSchema = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`))

/** The JSON of every error. */
export const errorSchema = z
  .strictObject({
    error: z.string().describe('For people.'),
    code: z.string().describe('Stable machine word.'),
    type: z.string(),
    title: z.string(),
    status: countSchema,
    detail: z.string(),
    instance: z.string().describe('The request id, as in X-Request-Id.'),
    hint: z.string().describe('What to do about it.').exactOptional(),
    errors: z
      .array(z.strictObject({ pointer: z.string(), detail: z.string() }))
      .describe('Each refused member with its JSON pointer, or `?name` for a query parameter.')
      .exactOptional(),
  })
  .meta({ id: 'Error' })
export type ErrorView = ViewOf<typeof errorSchema>
/** One refused member. */
export type FieldError = NonNullable<ErrorView['errors']>[number]

const checks = z.array(
  z.strictObject({
    name: z.string(),
    status: z.enum(['ok', 'failed']),
    since: timeSchema, // of the last change
    detail: z.string().describe('Only for the admin token.').exactOptional(),
    reason: z.string().describe('Only where the settings of this daemon are at fault.').exactOptional(),
    hint: z.string().describe('What to change then.').exactOptional(),
  }),
)

/** GET /health; `checks` only with `?deep=1` and the admin token. */
export const healthSchema = z
  .strictObject({ status: z.literal('ok'), version: z.string(), checks: checks.exactOptional() })
  .meta({ id: 'Health' })
export type HealthView = ViewOf<typeof healthSchema>

/** GET /ready: 200, or 503 when a check fails (then with `error` and `code`). */
export const readySchema = z
  .strictObject({
    ready: z.boolean(),
    checks,
    error: z.string().exactOptional(),
    code: z.string().exactOptional(),
  })
  .meta({ id: 'Ready' })
export type ReadyView = ViewOf<typeof readySchema>

/** GET /health/client: the client's address as this daemon sees it. It shows whether a proxy passes addresses on. */
export const clientSchema = z
  .strictObject({ address: z.string(), process: z.string().describe('Of this run of the daemon.') })
  .meta({ id: 'Client' })
export type ClientView = ViewOf<typeof clientSchema>
