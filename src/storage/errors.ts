// Failures of the files that a daemon stores, for the operator.
import { defineError } from '../lib/errors.js'

export const databaseInUse = defineError('DATABASE_IN_USE', {
  status: 503,
  text: (path: string, pid: string) => `${path} is in use by another daemon (process ${pid})`,
  hint: 'stop that process, or wait for a command such as "relay import" to finish',
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
  hint: 'give the database of a name authority, or output of grinpay name export',
})

export const tillImportUnknown = defineError('TILL_IMPORT_UNKNOWN', {
  status: 400,
  text: (path: string, cause: string) => `${path} is not the database of an earlier till: ${cause}`,
  hint: 'give the file in GP_DB_PATH of that till; to move a grinpay till: grinpay backup create, grinpay restore',
})
