// What a script sees of a failure. The codes are a promise: docs/cli.md prints this table.
import type { GrinpayError } from '../lib/errors.js'

export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notConfigured: 3,
  notFound: 4,
  timedOut: 5,
  negative: 6,
  notAuthorised: 7,
  unreachable: 8,
  interrupted: 130,
} as const

export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  unexpected: 'unexpected failure',
  usage: 'wrong usage, invalid input or invalid settings',
  notConfigured: 'not configured; the message names the command that fixes it',
  notFound: 'not found',
  timedOut: 'timed out',
  negative: 'a negative final state: expired, abandoned, check failed',
  notAuthorised: 'not authorised',
  unreachable: 'the daemon does not answer',
  interrupted: 'interrupted',
}

/** Codes that say more than their HTTP status. */
const BY_CODE: Readonly<Record<string, number>> = {
  CONFIGURATION: EXIT.usage,
  ENV_FILE_UNREADABLE: EXIT.usage,
  CONFIG_FILE_UNREADABLE: EXIT.usage,
  // A daemon that cannot start with these settings: systemd must not try again and again.
  WALLET_PASSWORD_MISSING: EXIT.usage,
  WALLET_MISSING: EXIT.usage,
  MNEMONIC_OTHER: EXIT.usage,
  IDENTITY_CONFLICT: EXIT.usage,
  IDENTITY_PASSWORD_MISSING: EXIT.usage,
  IDENTITY_WRONG_PASSWORD: EXIT.usage,
  IDENTITY_DAMAGED: EXIT.usage,
  DATABASE_LOST: EXIT.usage,
  DATABASE_OTHER_CHAIN: EXIT.usage,
  DATABASE_OTHER_SEED: EXIT.usage,
  DATABASE_FOREIGN: EXIT.usage,
  DATABASE_NEWER: EXIT.usage,
  DATABASE_MOVED: EXIT.usage,
  DATABASE_REFUSED: EXIT.usage,
  DATABASE_WENT_BACK: EXIT.usage,
  RELAY_FOLLOWS_LOG: EXIT.usage,
  RELAY_DIVERGED: EXIT.usage,
  RELAY_LOG_CUT: EXIT.usage,
  RELAY_LOG_NEWER: EXIT.usage,
  DATABASE_SERVER_OLD: EXIT.usage,
  SCHEMA_FOREIGN: EXIT.usage,
  SCHEMA_MOVED: EXIT.notConfigured,
  DATABASE_ADDRESS_WRONG: EXIT.usage,
  SCHEMA_MISSING: EXIT.notConfigured,
  SCHEMA_OLDER: EXIT.notConfigured,
  DATABASE_URL_NOT_SET: EXIT.notConfigured,
  NOT_FOR_SHARED_TILL: EXIT.usage,
  DATABASE_UNREACHABLE: EXIT.unreachable,
  DATABASE_IN_USE: EXIT.negative,
  BACKUP_SEALED: EXIT.usage,
  RELAY_UNREACHABLE: EXIT.unreachable,
  NOT_CONFIGURED: EXIT.notConfigured,
  SETTINGS_NOT_IN_FILE: EXIT.notConfigured,
  DATABASE_MISSING: EXIT.notConfigured,
  CONSOLE_OFF: EXIT.notConfigured,
  RELAY_FOLDER_MISSING: EXIT.notConfigured,
  SECRET_NOT_SET: EXIT.notConfigured,
  RETENTION_NOT_SET: EXIT.notConfigured,
  NAMEAUTH_NOT_CONFIGURED: EXIT.notConfigured,
  NOTHING_TO_RECONFIGURE: EXIT.notConfigured,
  TOKEN_MISSING: EXIT.notConfigured,
  TOKEN_NOT_CONFIGURED: EXIT.notConfigured,
  WEBHOOK_NOT_CONFIGURED: EXIT.notConfigured,
  DAEMON_UNREACHABLE: EXIT.unreachable,
  DAEMON_TIMEOUT: EXIT.timedOut,
  WAIT_TIMED_OUT: EXIT.timedOut,
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.notAuthorised,
  403: EXIT.notAuthorised,
  404: EXIT.notFound,
  409: EXIT.negative,
  410: EXIT.negative,
  413: EXIT.usage,
  415: EXIT.usage,
  422: EXIT.usage,
  504: EXIT.timedOut,
}

export const exitCodeOf = (error: GrinpayError): number =>
  BY_CODE[error.code] ?? BY_STATUS[error.status] ?? EXIT.unexpected
