// How much room is left where a daemon writes.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { reservedBytes } from '../storage/index.js'
import { diskSpace } from '../system/index.js'
import { type Finding, fail, pass, warn } from './finding.js'

/** Of the disk that a folder lies on, in bytes. */
export type RoomOf = (folder: string) => Promise<{ readonly free: number; readonly total: number }>

export const roomOf: RoomOf = async (folder) => {
  const { free, size: total } = await diskSpace(folder)
  return { free, total }
}

const MEBIBYTE = 1024 * 1024
/** Of the disk; and so little whatever its size. */
const SCARCE = 0.1
const GONE = 0.02
const LEAST_BYTES = 64 * MEBIBYTE

export interface DiskCheckOptions {
  /** Of the database. */
  readonly path: string
  readonly roomOf: RoomOf
  readonly remedy: string
}

/** None for a folder that is not there: nothing is written yet. */
export async function diskFindings({ path, roomOf, remedy }: DiskCheckOptions): Promise<readonly Finding[]> {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const { free, total } = await roomOf(folder)
  const text = `${Math.floor(free / MEBIBYTE)} MiB of ${Math.floor(total / MEBIBYTE)} MiB are free below ${folder}`
  if (free < LEAST_BYTES || free < total * GONE) return [fail(`the disk is full: ${text}${keptText(path)}`, remedy)]
  return [free < total * SCARCE ? warn(`the disk is nearly full: ${text}`, remedy) : pass(text)]
}

/** Why nothing new is stored, and whether commands that make room will find some. */
function keptText(path: string): string {
  const kept = Math.floor(reservedBytes(path) / MEBIBYTE)
  return kept > 0
    ? `, ${kept} MiB more are kept for commands that make room`
    : ', and the reserve is given back: nothing new is stored until there is room again'
}
