// What can go wrong with the files a daemon keeps, in words for the operator.
import { defineError } from '../lib/errors.js'

export const databaseInUse = defineError('DATABASE_IN_USE', {
  status: 503,
  text: (path: string, pid: string) => `${path} is in use by another daemon (process ${pid})`,
  hint: 'stop that process, or wait for it if it is a command such as "relay import"; two must never share a wallet or a database',
})

export const databaseMissing = defineError('DATABASE_MISSING', {
  status: 503,
  text: (path: string) => `there is no database at ${path}`,
  hint: 'start the daemon once, or check the path: PAY_DB_PATH of a till, NAMEAUTH_NAMES_DB of a name authority, database.data_directory of a relay',
})

export const databaseForeign = defineError('DATABASE_FOREIGN', {
  status: 500,
  text: (path: string, wanted: string, found: string) => `${path} is not the database of a ${wanted}: ${found}`,
  hint: 'check the path: PAY_DB_PATH of a till, NAMEAUTH_NAMES_DB of a name authority, database.data_directory of a relay; the database of an earlier till or authority is taken over into a new file: grinpay invoice import, grinpay name import',
})

export const databaseNewer = defineError('DATABASE_NEWER', {
  status: 500,
  text: (path: string, found: number, known: number) =>
    `${path} has schema ${found}, this version knows schemas up to ${known}`,
  hint: 'run the newer version again, or restore the copy it made before migrating',
})

export const databaseOlder = defineError('DATABASE_OLDER', {
  status: 503,
  text: (path: string, found: number, known: number) => `${path} has schema ${found}, this version needs ${known}`,
  hint: 'start the daemon once: it migrates the database',
})

export const databaseOtherChain = defineError('DATABASE_OTHER_CHAIN', {
  status: 500,
  text: (path: string, found: string, wanted: string) => `${path} belongs to a till on ${found}, not ${wanted}`,
  hint: 'use one database per chain: check PAY_CHAIN and PAY_DB_PATH',
})

export const databaseOtherSeed = defineError('DATABASE_OTHER_SEED', {
  status: 500,
  text: (path: string, found: string, wanted: string) =>
    `${path} belongs to the wallet ${found}, not to this wallet (${wanted})`,
  hint: 'use the database of this wallet, or a new one: check PAY_DB_PATH and PAY_DATA_DIR',
})

export const databaseNotCopied = defineError('DATABASE_NOT_COPIED', {
  status: 503,
  text: (path: string, cause: string) => `${path} could not be copied: ${cause}`,
  hint: 'check free space where the copy goes, and the health of the disk',
})

export const databaseReadOnly = defineError('DATABASE_READ_ONLY', {
  status: 503,
  text: (path: string) => `${path} was opened for reading only`,
  hint: 'let the running daemon do it',
})

export const databaseUnusable = defineError('DATABASE_UNUSABLE', {
  status: 503,
  text: (path: string, cause: string) => `cannot open ${path}: ${cause}`,
  hint: 'check its folder, its owner, free space and the health of the disk',
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
  hint: 'the daemon is stopping: ask again when it runs',
})

export const keysExhausted = defineError('KEYS_EXHAUSTED', {
  status: 500,
  text: () => 'every key index of this wallet has been used',
  hint: 'make a new wallet',
})

export const badCursor = defineError('BAD_CURSOR', {
  status: 400,
  text: (cursor: string) => `not a page cursor: "${cursor.slice(0, 40)}"`,
  hint: 'use the cursor of the page before, or none for the first page',
})

export const documentDamaged = defineError('DOCUMENT_DAMAGED', {
  status: 500,
  text: (path: string, cause: string) => `${path} is damaged: ${cause}`,
  hint: 'correct what was written by hand, or restore the file from a backup',
})

export const importUnknown = defineError('IMPORT_UNKNOWN', {
  status: 400,
  text: (path: string, cause: string) => `${path} holds no names to take over: ${cause}`,
  hint: 'give the database file of a name authority, or a file that name export wrote',
})

export const tillImportUnknown = defineError('TILL_IMPORT_UNKNOWN', {
  status: 400,
  text: (path: string, cause: string) => `${path} is not the database of an earlier till: ${cause}`,
  hint: 'give the file that GP_DB_PATH of that till named; a till of grinpay moves with "grinpay backup create" and "grinpay restore"',
})
