// The files that this process has open, as Linux shows them.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

const FOLDER = '/proc/self/fd'

export const showsOpenFiles = existsSync(FOLDER)

/** The position, in bytes, of each descriptor that is open on `path`. */
export function openPositions(path: string): readonly number[] {
  return readdirSync(FOLDER).flatMap((fd) => {
    try {
      if (readlinkSync(`${FOLDER}/${fd}`) !== path) return []
      return [Number(/^pos:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1])]
    } catch {
      return [] // closed in between
    }
  })
}
