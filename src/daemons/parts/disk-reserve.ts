// The part of a daemon that keeps room for a full disk: it writes the reserve beside the database while there is enough, and knows when nothing new is to
// be taken because there is not.
import { messageOf } from '../../lib/errors.js'
import type { Log } from '../../lib/ports.js'
import { logBytes, reservedBytes, roomBeside, writeReserve } from '../../storage/index.js'
import type { SystemClock, SystemRandom } from '../../system/index.js'
import type { Check, Part, RuntimeLog } from '../runtime.js'
import { createLoop } from './loop.js'

const MEBIBYTE = 1024 * 1024
const MOST_BYTES = 64 * MEBIBYTE
const MOST_OF_DISK = 0.01
/** A look at the disk holds for so long: it is asked for with every event. */
const FRESH_MS = 100
const EVERY_MS = 5000
/** There must have been room for so long: short lives of a daemon write nothing, and a disk on the edge is not written to again and again. */
const SETTLED_MS = 10_000
const FILLING_BYTES = MEBIBYTE

/** In bytes. */
interface DiskRoom {
  /** What may still be taken. */
  readonly free: number
  /** What the reserve keeps. */
  readonly kept: number
  /** What the database has free inside of its file. */
  readonly inside: number
  /** What its log takes, which is merged and written again. */
  readonly log: number
  /** What the reserve is to keep. */
  readonly wanted: number
}

/**
 * Whether something new may be stored: the reserve, and as much again. What was deleted leaves room inside of the file and none on the disk: it
 * counts too, as long as the disk has room for the log.
 */
export function hasRoomFor({ free, kept, inside, log, wanted }: DiskRoom): boolean {
  const onDisk = free + kept
  return onDisk + log >= wanted / 2 && onDisk + inside >= 2 * wanted
}

/** 64 MiB, or 1 % of a small disk. */
export const usualReserve = (diskBytes: number): number => Math.floor(Math.min(MOST_BYTES, diskBytes * MOST_OF_DISK))

export interface DiskReserve {
  /** False: nothing new is taken, so that what is under way, and the operator's commands, find room. Cheap. */
  hasRoom(): boolean
  /** The check of the database, with what the disk says: reported, but the daemon stays ready for everything else. */
  checked(check: Check): Check
  readonly part: Part
}

export interface DiskReserveParts {
  /** Of the database. */
  readonly path: string
  readonly clock: Pick<SystemClock, 'monotonic' | 'sleep'>
  readonly random: SystemRandom
  readonly log: RuntimeLog & Pick<Log, 'warn'>
  /** Bytes that the database has free inside of its file. Default: none. */
  readonly inside?: () => number
  /** Bytes to keep on a disk of this size. */
  readonly sizeOf?: (diskBytes: number) => number
}

export function createDiskReserve(parts: DiskReserveParts): DiskReserve {
  const { path, clock, random, log, inside = () => 0, sizeOf = usualReserve } = parts
  let room: DiskRoom | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let roomSince: number | undefined
  let [hadRoom, wasKept, isUnwritable] = [true, false, false]

  /** Undefined: the disk does not say. Then the database itself does. */
  function look(): DiskRoom | undefined {
    if (clock.monotonic() - lookedAt < FRESH_MS) return room
    lookedAt = clock.monotonic()
    try {
      const { free, size } = roomBeside(path)
      room = { free, kept: reservedBytes(path), inside: inside(), log: logBytes(path), wanted: sizeOf(size) }
    } catch {
      room = undefined
    }
    return room
  }

  function hasRoom(): boolean {
    const found = look()
    return found === undefined || hasRoomFor(found)
  }

  function report(): void {
    const isEnough = hasRoom()
    const kept = room?.kept ?? 0
    const fields = { free: room?.free, kept }
    if (hadRoom && !isEnough) log.error(fields, 'the disk is full: nothing new is stored')
    if (!hadRoom && isEnough) log.info(fields, 'the disk has room again')
    if (wasKept && kept === 0) log.warn(fields, 'the reserve was given back to a full disk')
    ;[hadRoom, wasKept] = [isEnough, kept > 0]
  }

  /** True when the disk had room for a reserve and as much again for a while. */
  function isSettled({ free, kept, wanted }: DiskRoom): boolean {
    if (free + kept < 2 * wanted) roomSince = undefined
    else roomSince ??= clock.monotonic()
    return roomSince !== undefined && clock.monotonic() - roomSince >= SETTLED_MS
  }

  async function pass(signal?: AbortSignal): Promise<void> {
    lookedAt = Number.NEGATIVE_INFINITY
    report()
    if (!room || !isSettled(room) || room.kept >= room.wanted) return
    try {
      await writeReserve({ path, bytes: room.wanted, filling: random.bytes(FILLING_BYTES), signal })
      ;[wasKept, isUnwritable] = [true, false]
    } catch (thrown) {
      if (!isUnwritable) log.warn({ cause: messageOf(thrown) }, 'the reserve for a full disk cannot be written')
      isUnwritable = true
    }
  }

  return {
    hasRoom,
    checked: (check) => (!check.ok || hasRoom() ? check : { ok: false, informative: true, detail: detailOf(room) }),
    part: createLoop({ name: 'disk reserve', everyMs: EVERY_MS, pass, sleep: clock.sleep, log }),
  }
}

const detailOf = (room: DiskRoom | undefined): string => {
  const missing = room ? Math.ceil((2 * room.wanted - room.free - room.kept - room.inside) / MEBIBYTE) : 0
  return `the disk is full: nothing new is stored until ${Math.max(missing, 1)} MiB are freed`
}
