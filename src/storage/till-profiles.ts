// The tills that a user's commands talk to: names, addresses, and the files with the tokens. Never the tokens.
import { z } from 'zod'
import { type Document, openDocument, type SharedFile } from './documents.js'

export interface TillProfile {
  readonly url: string
  /** Absolute path of the file with the API token, or with the only one; absent: `admin_token_file` is there alone. */
  readonly token_file?: string | undefined
  readonly admin_token_file?: string | undefined
}

export interface TillProfiles {
  /** The one that commands talk to when nothing else is said. */
  readonly used: string | null
  readonly tills: Readonly<Record<string, TillProfile>>
}

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and -')
const schema: z.ZodType<TillProfiles> = z.strictObject({
  used: name.nullable().default(null),
  tills: z
    .record(
      name,
      z.strictObject({
        url: z.url(),
        token_file: z.string().min(1).optional(),
        admin_token_file: z.string().min(1).optional(),
      }),
    )
    .default({}),
})

/** Throws DOCUMENT_DAMAGED. No file: no profiles. */
export const openTillProfiles = (file: SharedFile): Promise<Document<TillProfiles>> =>
  openDocument({ ...file, schema, initial: { used: null, tills: {} } })
