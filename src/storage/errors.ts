// Failures of the files that a daemon stores, for the operator.
import type { DaemonName } from '../lib/daemon-names.js'
import { causedBy, defineError, type GrinpayError, hinting, telling } from '../lib/errors.js'

export const databaseInUse = defineError('DATABASE_IN_USE', {
  status: 503,
  text: (path: string, pid: string) => `${path} is in use by another daemon (process ${pid})`,
  hint: 'stop that process, or wait for a command such as "relay import" to finish',
})

export const relayFollowsLog = defineError('RELAY_FOLLOWS_LOG', {
  status: 503,
  text: (path: string) => `${path} follows the log of several relays and does not change by itself`,
  hint: 'set RELAY_LOG_URL as before, and let the running relay carry out the command',
})

export const databaseMissing = defineError('DATABASE_MISSING', {
  status: 503,
  text: (path: string) => `there is no database at ${path}`,
  hint: 'start the daemon once, or check PAY_DB_PATH, NAMEAUTH_NAMES_DB or database.data_directory',
})

export const databaseForeign = defineError('DATABASE_FOREIGN', {
  status: 500,
  text: (path: string, wanted: string, found: string) => `${path} is not the database of a ${wanted}: ${found}`,
  hint: 'check PAY_DB_PATH, NAMEAUTH_NAMES_DB or database.data_directory; to import an earlier till or authority: grinpay invoice import, grinpay name import',
})

export const databaseNewer = defineError('DATABASE_NEWER', {
  status: 500,
  text: (path: string, found: number, known: number) =>
    `${path} has schema ${found}, this version supports up to ${known}`,
  hint: 'run the newer version, or restore the copy that it made before migrating',
})

export const databaseOlder = defineError('DATABASE_OLDER', {
  status: 503,
  text: (path: string, found: number, known: number) => `${path} has schema ${found}, this version needs ${known}`,
  hint: 'start the daemon once: it migrates the database',
})

export const databaseOtherChain = defineError('DATABASE_OTHER_CHAIN', {
  status: 500,
  text: (path: string, found: string, wanted: string) => `${path} belongs to a till on ${found}, not ${wanted}`,
  hint: 'check PAY_CHAIN and PAY_DB_PATH: one database per chain',
})

export const databaseOtherSeed = defineError('DATABASE_OTHER_SEED', {
  status: 500,
  text: (path: string, found: string, wanted: string) =>
    `${path} belongs to the wallet ${found}, not to this wallet (${wanted})`,
  hint: 'check PAY_DB_PATH and PAY_DATA_DIR: one database per wallet',
})

export const databaseNotCopied = defineError('DATABASE_NOT_COPIED', {
  status: 503,
  text: (path: string, cause: string) => `cannot copy ${path}: ${cause}`,
  hint: 'check free space at the destination and the health of the disk',
})

export const databaseReadOnly = defineError('DATABASE_READ_ONLY', {
  status: 503,
  text: (path: string) => `${path} is open read-only`,
  hint: 'make the change through the running daemon',
})

export const databaseUnusable = defineError('DATABASE_UNUSABLE', {
  status: 503,
  text: (path: string, cause: string) => `cannot open ${path}: ${cause}`,
  hint: 'check folder, owner, free space and the health of the disk',
})

/** The write may or may not have reached the disk; nothing was acknowledged. */
export const databaseWriteFailed = defineError('DATABASE_WRITE_FAILED', {
  status: 503,
  text: (cause: string) => `the database cannot be written: ${cause}`, // without its path: payers read this too
  hint: 'check free space and the health of the disk',
})

export const databaseClosed = defineError('DATABASE_CLOSED', {
  status: 503,
  text: () => 'the database is closed',
  hint: 'the daemon is stopping: retry when it runs',
})

export const keysExhausted = defineError('KEYS_EXHAUSTED', {
  status: 500,
  text: () => 'every key index of this wallet has been used',
  hint: 'set up a new wallet',
})

export const badCursor = defineError('BAD_CURSOR', {
  status: 400,
  text: (cursor: string) => `not a page cursor: "${cursor.slice(0, 40)}"`,
  hint: 'use the cursor of the previous page, or none for the first',
})

export const documentDamaged = defineError('DOCUMENT_DAMAGED', {
  status: 500,
  text: (path: string, cause: string) => `${path} is damaged: ${cause}`,
  hint: 'correct manual edits, or restore the file from a backup',
})

export const importUnknown = defineError('IMPORT_UNKNOWN', {
  status: 400,
  text: (path: string, cause: string) => `${path} holds no names to import: ${cause}`,
  hint: 'give the database of a name authority, output of grinpay name export, or a static nostr.json',
})

export const tillImportUnknown = defineError('TILL_IMPORT_UNKNOWN', {
  status: 400,
  text: (path: string, cause: string) => `${path} is not the database of an earlier till: ${cause}`,
  hint: 'give the file in GP_DB_PATH of that till; to move a grinpay till: grinpay backup create, grinpay restore',
})

/** PostgreSQL stores no U+0000; texts are the same in both kinds of database. */
export const textInvalid = defineError('TEXT_INVALID', {
  status: 400,
  text: () => 'a text contains the character U+0000',
  hint: 'remove it: no database stores it',
})

const LOOK = 'grinpay doctor --check cluster --daemon'

const unavailable = defineError('DATABASE_UNAVAILABLE', {
  status: 503,
  text: () => 'the database does not answer', // without its hosts: clients read this too
  hint: `retry; operator: ${LOOK} DAEMON`,
})

/** Nothing was acknowledged. `cause` names the hosts and what each answered, for the log. `daemon`: whose rows they are. */
export const databaseUnavailable = Object.assign(
  (cause: unknown, daemon: DaemonName): GrinpayError =>
    causedBy(telling(hinting(unavailable(), `retry; operator: ${LOOK} ${daemon}`), { retry_after: 5 }), cause),
  unavailable,
)

const busy = defineError('DATABASE_BUSY', {
  status: 503,
  text: () => 'too many changes of the same rows at once',
  hint: 'retry after the seconds in Retry-After',
})

/** Nothing was changed. */
export const databaseBusy = Object.assign((): GrinpayError => telling(busy(), { retry_after: 1 }), busy)

const unreachable = defineError('DATABASE_UNREACHABLE', {
  status: 503,
  text: (reasons: string) => `no primary of the database can be used: ${reasons}`,
  hint: `${LOOK} DAEMON`,
})

/** `reasons`: of each host. `daemon`: whose rows they are. */
export const databaseUnreachable = Object.assign(
  (reasons: string, daemon: DaemonName): GrinpayError => hinting(unreachable(reasons), `${LOOK} ${daemon}`),
  unreachable,
)

export const databaseRefused = defineError('DATABASE_REFUSED', {
  status: 500,
  text: (host: string, cause: string) => `${host} refuses the login: ${cause}`,
  hint: 'check user, password and database in the database address, and pg_hba.conf of the server',
})

/** Settings of a session, LISTEN and the wait for a standby do not survive it. */
export const databasePooled = defineError('DATABASE_POOLED', {
  status: 500,
  text: (host: string) =>
    `${host} is a connection pooler such as PgBouncer, which changes the session between two statements`,
  hint: 'name the PostgreSQL servers themselves in the database address',
})

export const databaseSessionUnfit = defineError('DATABASE_SESSION', {
  status: 500,
  text: (host: string, { name, value, needed }: { name: string; value: string; needed: string }) =>
    `${host} keeps the setting "${name}" of the session at "${value}", this needs "${needed}"`,
  hint: 'ALTER ROLE ... RESET that setting, ALTER DATABASE ... RESET it, or take it out of postgresql.conf',
})

export const databaseNotReplicated = defineError('DATABASE_NOT_REPLICATED', {
  status: 503,
  text: (host: string) =>
    `${host} acknowledges commits that are on no second machine: synchronous_standby_names is empty`,
  hint: "set synchronous_standby_names = 'ANY 1 (...)' on every node",
})

export const databaseWentBack = defineError('DATABASE_WENT_BACK', {
  status: 500,
  text: (missing: number) =>
    `the database has lost ${missing} of the last changes that it acknowledged to this process`,
  hint: 'promote the node that has them; if there is none: grinpay store adopt (a relay: grinpay relay join)',
})

/** Its events would differ from those of the others for good. */
export const relayNotJoined = defineError('RELAY_NOT_JOINED', {
  status: 503,
  text: () => 'this relay.db is no copy of the one that the log of the relays began with',
  hint: 'stop it and use grinpay relay join --from a copy of relay.db of another front end; for a log of its own: another RELAY_LOG_SCHEMA',
})

export const relayOtherLog = defineError('RELAY_OTHER_LOG', {
  status: 503,
  text: () => 'this relay.db follows another log than the one at RELAY_LOG_URL',
  hint: 'check RELAY_LOG_URL and RELAY_LOG_SCHEMA; to follow this log: grinpay relay join --from a copy of relay.db',
})

/** Entries that this relay still needs were dropped from the log. */
export const relayLogCut = defineError('RELAY_LOG_CUT', {
  status: 500,
  text: (needed: number, oldest: number) =>
    `the log of the relay begins at position ${oldest}, this front end needs it from ${needed} on`,
  hint: 'stop it, and use grinpay relay join --from a copy of relay.db of another front end',
})

/** The rules of a relay's log rise when all know them. */
export const relayRulesEarly = defineError('RELAY_RULES_EARLY', {
  status: 409,
  text: (others: readonly string[]) => `front ends of another version run: ${others.join(', ')}`,
  hint: 'update and restart them, then repeat grinpay store migrate --daemon relay --rules',
})

/** An entry that only a newer version can apply. */
export const relayLogNewer = defineError('RELAY_LOG_NEWER', {
  status: 500,
  text: (pos: number) => `this version cannot read entry ${pos} of the relay's log`,
  hint: 'run the version of the other front ends',
})

/** This front end decided otherwise than most, on the same entries. */
export const relayDiverged = defineError('RELAY_DIVERGED', {
  status: 500,
  text: (pos: number) => `at position ${pos} the events here differ from those of most front ends`,
  hint: 'use grinpay relay join --replace --from a copy of relay.db of another front end, then start it',
})

export const databaseServerOld = defineError('DATABASE_SERVER_OLD', {
  status: 500,
  text: (host: string, version: number) => `${host} runs PostgreSQL ${version}, this needs 15 or newer`,
  hint: 'upgrade the server',
})

export const schemaMissing = defineError('SCHEMA_MISSING', {
  status: 503,
  text: (schema: string, host: string) => `the database on ${host} has no tables in the schema "${schema}"`,
  hint: 'grinpay store migrate, or start the daemon with --migrate',
})

export const schemaOlder = defineError('SCHEMA_OLDER', {
  status: 503,
  text: (schema: string, found: number, known: number) =>
    `the schema "${schema}" is at step ${found}, this version needs ${known}`,
  hint: 'grinpay store migrate, or start the daemon with --migrate; daemons of the version before go on meanwhile',
})

export const schemaForeign = defineError('SCHEMA_FOREIGN', {
  status: 500,
  text: (schema: string, wanted: string, found: string) =>
    `the schema "${schema}" is not that of a ${wanted}: ${found}`,
  hint: 'set another schema; each service needs one of its own',
})

export const databaseMoved = defineError('DATABASE_MOVED', {
  status: 500,
  text: (path: string, target: string) => `the rows of ${path} were moved to ${target}`,
  hint: 'set the database address in the settings of every front end',
})

export const moveTargetUsed = defineError('MOVE_TARGET_USED', {
  status: 409,
  text: (schema: string) => `the schema "${schema}" has rows already`,
  hint: 'move into an empty schema: set another one, and grinpay store migrate',
})

export const moveFileUsed = defineError('MOVE_FILE_EXISTS', {
  status: 409,
  text: (path: string) => `${path} exists, and holds other rows than the database`,
  hint: 'move that file away, or name another one with --db',
})

export const schemaInUse = defineError('SCHEMA_IN_USE', {
  status: 409,
  text: (schema: string, daemons: number) => `the schema "${schema}" is in use by running daemons: ${daemons}`,
  hint: 'stop them first: grinpay instance list; one that was killed counts for 30 s',
})

export const schemaMoved = defineError('SCHEMA_MOVED', {
  status: 500,
  text: (schema: string) => `the rows of the schema "${schema}" were moved to a file`,
  hint: 'take the database address out of the settings, or name another schema',
})

export const movedRowsDiffer = defineError('MOVE_DIFFERS', {
  status: 500,
  text: (table: string) => `the table "${table}" did not arrive as it was sent; nothing was moved`,
  hint: 'report this with the versions of grinpay and of the server',
})

export const movedTextInvalid = defineError('TEXT_NOT_MOVABLE', {
  status: 400,
  text: (rows: readonly string[]) => `PostgreSQL stores no U+0000, and these rows have one: ${rows.join('; ')}`,
  hint: 'change these texts in the file, then repeat the command',
})
