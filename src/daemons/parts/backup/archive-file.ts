// Opening an archive for commands: the key of the identity file, and copies of what is in it.
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import {
  type Archive,
  type ArchiveMember,
  badIdentityFile,
  openArchive,
  readIdentities,
  receiveMember,
} from '../../../backup/index.js'
import { causedBy, messageOf } from '../../../lib/errors.js'

/** Throws BAD_IDENTITY_FILE, and what opening throws: BACKUP_UNREADABLE, BACKUP_COMPRESSED, BACKUP_SEALED, BACKUP_NOT_FOR_YOU, BACKUP_NEWER, BACKUP_DAMAGED. */
export function openArchiveFile(path: string, identityFile: string | undefined): Promise<Archive> {
  return openArchive(path, identityFile === undefined ? undefined : identitiesIn(identityFile))
}

function identitiesIn(path: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (thrown) {
    throw causedBy(badIdentityFile(path, messageOf(thrown)), thrown)
  }
  return readIdentities(path, text)
}

/** Writes a member to a new file (0600), on the disk when it resolves; whether it is what the manifest says. */
export async function unpack(member: ArchiveMember, path: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.chmod(0o600)
    const isWhole = await receiveMember(member, (piece) => file.writeFile(piece))
    await file.sync()
    return isWhole
  } finally {
    await file.close()
  }
}
