import { statSync } from 'node:fs'

/** Another text when one of the files was changed, went away or came back. */
export const stampOf = (files: readonly string[]): string =>
  files
    .map((path) => {
      try {
        const { ino, mtimeMs, size } = statSync(path)
        return `${ino} ${mtimeMs} ${size}`
      } catch {
        return 'none' // its reader reports the cause
      }
    })
    .join(', ')
