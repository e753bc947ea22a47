// Says in the database that shares its rows: this process runs, with this version, these settings and this clock.
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Instances } from '../../storage/index.js'
import type { SystemClock, SystemLog } from '../../system/index.js'
import type { Part } from '../runtime.js'
import { createLoop } from './loop.js'

const EVERY_MS = 10_000
const DIGEST_CHARACTERS = 16

interface InstanceParts {
  readonly instances: Instances
  readonly daemon: string
  readonly version: string
  /** What has to be the same everywhere, by the name that the operator knows it by. Only digests leave the process. */
  readonly alike: Readonly<Record<string, unknown>>
  readonly clock: SystemClock
  readonly log: SystemLog
}

/** Goes after the part of the database, which it needs when it stops. */
export function createInstancePart({ instances, daemon, version, alike, clock, log }: InstanceParts): Part {
  const fingerprints = Object.fromEntries(Object.entries(alike).map(([name, value]) => [name, fingerprintOf(value)]))
  const instance = {
    ...{ daemon, version, host: hostname(), startedAt: clock.now(), fingerprints },
  }
  // The pool has logged why, and `/ready` says it.
  const announce = () => instances.announce(instance).catch(() => undefined)
  const loop = createLoop({ name: 'instance', everyMs: EVERY_MS, pass: announce, sleep: clock.sleep, log })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      await Promise.race([instances.withdraw().catch(() => undefined), clock.sleep(WITHDRAW_MS)])
    },
  }
}

/** A process does not stay for the sake of one row, which is forgotten after a day. */
const WITHDRAW_MS = 1000

/** Not of secrets with few possible values: every reader of the table could try them all. */
const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, DIGEST_CHARACTERS)
