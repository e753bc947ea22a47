// Whether a database can be written, and would still take data.
import { dirname } from 'node:path'
import { diskSpace } from '../../system/index.js'
import type { Check } from '../runtime.js'

/** The little that a check writes finds room where data finds none. */
const LEAST_BYTES = 1024 * 1024

const WRITABLE: Check = { ok: true, detail: 'writable' }

/** `path`: of the file; `check` rejects where it cannot be written. */
export async function databaseCheck(path: string, check: () => Promise<void>): Promise<Check> {
  await check()
  const { free } = await diskSpace(dirname(path))
  return free < LEAST_BYTES ? { ok: false, detail: `only ${Math.floor(free / 1024)} KiB left on its disk` } : WRITABLE
}
