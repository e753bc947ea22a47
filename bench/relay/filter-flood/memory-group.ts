// A bound for the memory of one process by a control group of Linux, version 1 or 2: the kernel ends what passes it.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MemoryGroup {
  /** In words, for the report. */
  readonly kind: string
  /** Put before a command, it runs inside of the group. */
  readonly prefix: readonly string[]
  /** The most that the group ever held, page cache included, in bytes. */
  mostUsed(): number | undefined
  /** To be called when nothing runs inside any more. */
  remove(): void
}

const MEBIBYTE = 1_048_576
const HIERARCHIES = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    most: 'memory.max_usage_in_bytes',
    kind: 'cgroup v1',
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', most: 'memory.peak', kind: 'cgroup v2' },
] as const

/** Undefined: this user may make no group with a memory limit here. */
export function openMemoryGroup(megabytes: number): MemoryGroup | undefined {
  for (const { root, limit, most, kind } of HIERARCHIES) {
    const folder = join(root, `grinpay-flood-${process.pid}`)
    try {
      mkdirSync(folder)
    } catch {
      continue // read-only, or another version of control groups
    }
    try {
      writeFileSync(join(folder, limit), String(megabytes * MEBIBYTE))
    } catch {
      rmdirSync(folder)
      continue
    }
    const tasks = join(folder, 'cgroup.procs')
    return {
      kind: `${kind}, ${megabytes} MB`,
      prefix: ['/bin/sh', '-c', `echo $$ > ${tasks} && exec "$@"`, 'sh'],
      mostUsed: () => (existsSync(join(folder, most)) ? Number(readFileSync(join(folder, most), 'utf8')) : undefined),
      remove: () => rmdirSync(folder),
    }
  }
  return undefined
}
