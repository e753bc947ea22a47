// What of the machine's memory a daemon may have: its unit says it, so that the kernel ends the daemon rather than something else, and Node collects before that.
import { totalmem } from 'node:os'

export interface ServiceMemory {
  /** Of the old generation of Node, in MB: `--max-old-space-size`. */
  readonly heap: number
  /** Of everything together, in MB: `MemoryMax`. */
  readonly most: number
}

const MEBIBYTE = 1_048_576
/** Kernels differ by a few MB in what they keep for themselves: the unit of a machine stays the same. */
const STEP = 64
const HEAP = 0.45
const LEAST_HEAP = 192
const MOST_HEAP = 4096
const MOST = 0.85
/** What a daemon needs beside its heap, at least. */
const BESIDE_HEAP = 192

/** For a machine with so many bytes. Heap: 45 % of them, 192 MB at least and 4096 at most. All: 85 %, and 192 MB beside the heap at least. */
export function serviceMemory(bytes: number = totalmem()): ServiceMemory {
  const machine = Math.max(STEP, Math.floor(bytes / MEBIBYTE / STEP) * STEP)
  const heap = Math.min(MOST_HEAP, Math.max(LEAST_HEAP, Math.floor(machine * HEAP)))
  return { heap, most: Math.max(heap + BESIDE_HEAP, Math.floor(machine * MOST)) }
}
