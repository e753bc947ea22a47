// The mark of a wallet that never had a database. Without it a missing database is a lost one, and no empty one takes its place.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createDirectory, replaceFile } from './files.js'
import { dataFiles } from './paths.js'

/** Marks the wallet that is about to be made. Called before its seed is written, so that no crash leaves a wallet that cannot start. */
export async function markNewWallet(dataDir: string): Promise<void> {
  const { noDatabaseYet } = dataFiles(dataDir)
  await createDirectory(dirname(noDatabaseYet), 0o700)
  await replaceFile(noDatabaseYet, '', 0o600)
}

export const isNewWallet = (dataDir: string): boolean => existsSync(dataFiles(dataDir).noDatabaseYet)

/** The wallet has its database: from now on a start without it is refused. */
export const unmarkNewWallet = (dataDir: string): Promise<void> => rm(dataFiles(dataDir).noDatabaseYet, { force: true })
