// The cookie file: reading it authenticates both the till and tor.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { Secret } from '../lib/secret.js'
import { torCookieUnreadable } from './errors.js'

const COOKIE_LENGTH = 32

/** Reads a cookie file of 32 bytes. Rejects with TOR_COOKIE_UNREADABLE, which names the file. */
export type ReadCookie = (path: string) => Promise<Secret<Uint8Array>>

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'there is no such file',
}

/**
 * The path comes from the listener at the control port, which may not be tor. Accepts only what tor writes: a regular file of exactly
 * 32 bytes that is not world-readable, because a public cookie would prove nothing.
 */
export const readCookieFile: ReadCookie = async (path) => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown: NodeJS.ErrnoException) => {
    throw torCookieUnreadable(path, CAUSES[thrown.code ?? ''] ?? `it cannot be opened (${thrown.code ?? 'unknown'})`)
  })
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size !== COOKIE_LENGTH)
      throw torCookieUnreadable(path, `it is not a file of ${COOKIE_LENGTH} bytes`)
    if ((found.mode & 0o004) !== 0)
      throw torCookieUnreadable(path, 'everybody can read it; tor writes it with mode 0640')
    const bytes = new Uint8Array(COOKIE_LENGTH)
    const { bytesRead } = await file.read(bytes, 0, COOKIE_LENGTH, 0)
    if (bytesRead !== COOKIE_LENGTH) throw torCookieUnreadable(path, 'it shrank while being read')
    return new Secret(bytes)
  } finally {
    await file.close()
  }
}
