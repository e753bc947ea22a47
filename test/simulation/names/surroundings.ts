// What a daemon of a world has around it besides its links: chance, a log and a disk.
import type { NameauthOptions } from '../../../src/daemons/nameauth.js'
import type { SystemLog, SystemRandom } from '../../../src/system/index.js'
import type { Chance } from '../ground/chance.js'

export type WorldDisk = NonNullable<NameauthOptions['disk']> & {
  /** Nothing is free, and the reserve is gone. */
  isFull: boolean
}

const DISK_BYTES = 10 * 2 ** 30

/** A disk that says what the world wants; files are elsewhere. */
export function createDisk(): WorldDisk {
  let reserve = 0
  const disk: WorldDisk = {
    isFull: false,
    room: () => ({ free: disk.isFull ? 0 : DISK_BYTES / 2, size: DISK_BYTES }),
    kept: () => (disk.isFull ? 0 : reserve),
    log: () => 0,
    async writeReserve({ bytes }) {
      reserve = bytes
    },
  }
  return disk
}

/** Large blocks only fill files: they are made without drawing. */
export const seededRandom = (chance: Chance): SystemRandom => ({
  bytes: (length) => (length > 65_536 ? new Uint8Array(length) : chance.bytes(length)),
  uuid: chance.uuid,
})

/** Keeps what is logged as an error. */
export function listLog(errors: string[]): SystemLog {
  const nothing = () => undefined
  const log = {
    ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, fatal: nothing, silent: nothing },
    level: 'silent',
    child: () => log,
    error: (fields: object, text: string) => void errors.push(`${text} ${JSON.stringify(fields)}`),
  }
  return log as unknown as SystemLog
}
