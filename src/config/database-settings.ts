// Where a daemon keeps its rows when several processes share them: the same settings, rules and remark for each daemon, under its own prefix.
import { type DatabaseAddress, parseDatabaseAddress } from '../lib/database-address.js'
import type { Secret } from '../lib/secret.js'
import type { SettingRule } from './reader.js'
import { given, optional, secret } from './setting.js'
import * as as from './values.js'

/** Rows in PostgreSQL. */
export interface DatabaseSettings {
  readonly address: DatabaseAddress
  readonly schema: string
  readonly unsafe: 'single' | undefined
}

export interface DatabaseValues {
  readonly databaseUrl: Secret | undefined
  readonly databaseSchema: string
  readonly databaseUnsafe: 'single' | undefined
}

interface DatabaseNames<Prefix extends string> {
  readonly prefix: Prefix
  /** Name of the schema by default. */
  readonly schema: string
  /** Who shares it, for the page of settings. */
  readonly sharers: string
}

/** `PREFIX_DATABASE_URL`, `_SCHEMA` and `_UNSAFE`. */
export const databaseSettings = <Prefix extends string>({ prefix, schema, sharers }: DatabaseNames<Prefix>) => ({
  databaseUrl: secret(
    `${prefix}_DATABASE_URL`,
    {
      about: `postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full, for several ${sharers}. Unset: a file.`,
      aliases: [],
    },
    as.databaseAddress,
  ),
  databaseSchema: given(`${prefix}_DATABASE_SCHEMA`, schema, as.schemaName, {
    about: 'Schema of the tables there.',
    aliases: [],
  }),
  databaseUnsafe: optional(`${prefix}_DATABASE_UNSAFE`, as.oneOf(['single']), {
    about: 'single: accept a server without synchronous standbys, for tests only.',
    aliases: [],
  }),
})

export const databaseRemark = <Values extends DatabaseValues>(prefix: string): SettingRule<Values> => ({
  setting: 'databaseUnsafe',
  refusal: `${prefix}_DATABASE_UNSAFE=single: what is acknowledged may be lost with one machine`,
  breaks: ({ databaseUnsafe }) => databaseUnsafe !== undefined,
})

/** Where the rows are, when they are in PostgreSQL. `usual`: name of the schema by default. */
export function databaseOf(values: Partial<DatabaseValues>, usual: string): DatabaseSettings | undefined {
  const { databaseUrl, databaseSchema = usual, databaseUnsafe: unsafe } = values
  if (databaseUrl === undefined) return undefined
  const address = { ...parseDatabaseAddress(databaseUrl.reveal()), file: databaseUrl.file }
  return { address, schema: databaseSchema, unsafe }
}
