// Creates private files and distinguishes why creation failed.
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../../lib/errors.js'

/**
 * Makes an empty file that only its owner may read, in a folder of the same kind; false when it was there already.
 * SQLite gives its side files the same mode.
 */
export function createPrivateFile(path: string): boolean {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
  syncPath(folder)
  return true
}

/** Puts a file's content, or a folder's names, on the disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
