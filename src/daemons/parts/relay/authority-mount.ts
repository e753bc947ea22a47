// What a relay needs of its name authority, wherever that is (specification: relay, 10).
import type { FastifyInstance } from 'fastify'
import type { createApp } from '../../../http/index.js'
import type { PolicyAuthority } from '../../../relay/index.js'
import type { OpenNameStore } from '../../../storage/index.js'
import type { SystemClock, SystemLog, SystemRandom } from '../../../system/index.js'
import type { Part } from '../../runtime.js'

export interface AuthorityMount {
  /** The authority that the write policy asks; undefined: not needed. */
  readonly policyAuthority: PolicyAuthority | undefined
  readonly parts: readonly Part[]
  /** Of an authority in this process. */
  readonly store?: OpenNameStore
  /** For `createApp`. */
  readonly problem: NonNullable<Parameters<typeof createApp>[0]['problem']>
  /** Adds the authority's routes where it has some. */
  mount(app: FastifyInstance): Promise<void>
}

export interface RelayContext {
  readonly version: string
  readonly clock: SystemClock
  readonly log: SystemLog
  readonly random: SystemRandom
}
