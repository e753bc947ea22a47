// The disk that a folder lies on.
import { statfs } from 'node:fs/promises'

/** In bytes; `free`: what ordinary users may still take. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** Throws what the system throws for a path that is not there. */
export async function diskSpace(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { free: bavail * bsize, size: blocks * bsize }
}
