// What an archive says about itself: the first thing in it.
import { z } from 'zod'
import { DAEMON_NAMES } from '../lib/daemon-names.js'
import { parseJson } from '../lib/parse-json.js'
import { isMemberName, MANIFEST_NAME } from './tar.js'

/** The newest form of archives that this version reads and writes. */
export const FORMAT_VERSION = 1

/** Which database a file is; the same words as in the storage module. */
const KINDS = ['till', 'names', 'events', 'console'] as const

const file = z.strictObject({
  path: z.string().refine((path) => isMemberName(path) && path !== MANIFEST_NAME, 'is no name of a file in an archive'),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  role: z.enum(['database', 'wallet', 'identity', 'settings', 'secret', 'document']),
  /** Of databases only: whose, which schema, and how many rows each table has. */
  database: z
    .strictObject({
      kind: z.enum(KINDS),
      schema: z.number().int().positive(),
      rows: z.record(z.string(), z.number().int().nonnegative()),
    })
    .optional(),
})

const schema = z.strictObject({
  format: z.literal('grinpay-backup'),
  version: z.literal(FORMAT_VERSION),
  /** The version of grinpay that made it. */
  grinpay: z.string(),
  created_at: z.iso.datetime(),
  daemon: z.enum(DAEMON_NAMES),
  /** The chain of a till; null for other daemons. */
  chain: z.string().nullable(),
  /** The address by which a till's database knows its wallet; null else. */
  wallet: z.string().nullable(),
  with_secrets: z.boolean(),
  files: z.array(file).min(1).max(200),
  /** What is not in it and must be kept elsewhere, for people. */
  left_out: z.array(z.string()),
})

export type Manifest = z.infer<typeof schema>
export type ManifestFile = z.infer<typeof file>

export type ReadManifest =
  | { readonly outcome: 'read'; readonly manifest: Manifest }
  | { readonly outcome: 'newer'; readonly what: string }
  | { readonly outcome: 'damaged'; readonly cause: string }

const outline = z.looseObject({ format: z.literal('grinpay-backup'), version: z.number() })

/** Two files of one name would overwrite each other. */
export function readManifest(text: string): ReadManifest {
  const value = parseJson(text)
  const known = outline.safeParse(value)
  if (!known.success) return { outcome: 'damaged', cause: 'its manifest is not one of grinpay' }
  const { version } = known.data
  if (version > FORMAT_VERSION)
    return { outcome: 'newer', what: `its form is ${version}, this version knows ${FORMAT_VERSION}` }
  const { success, data, error } = schema.safeParse(value)
  if (!success) return { outcome: 'damaged', cause: `its manifest is damaged (${error.issues[0]?.path.join('.')})` }
  const names = new Set(data.files.map(({ path }) => path))
  if (names.size < data.files.length) return { outcome: 'damaged', cause: 'its manifest names a file twice' }
  return { outcome: 'read', manifest: data }
}

export const formatManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`
