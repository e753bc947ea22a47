// Mounts the relay's name authority: in this process, behind another address, or not at all (specification: relay, 10).
import type { FastifyInstance } from 'fastify'
import { AUTHORITY_APP, authorityHttp, createAuthority } from '../../../authority/index.js'
import { createPolicyAuthority } from '../../../client/index.js'
import type { NamesConfig, RelayConfig } from '../../../config/index.js'
import type { createApp } from '../../../http/index.js'
import { type PolicyAuthority, RELAY_APP } from '../../../relay/index.js'
import { openNameStore } from '../../../storage/index.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { databaseCheck } from '../database-check.js'
import { createLoop } from '../loop.js'
import { createNameNews } from '../nameauth/name-news.js'
import { nameSettings } from '../nameauth/settings.js'
import { openPayments } from '../nameauth/sources.js'
import { createWatch, probeHealth } from '../nameauth/watched.js'
import { authorityForwarder } from './authority-forwarder.js'

export interface AuthorityMount {
  /** The authority that the write policy asks; undefined: not needed. */
  readonly policyAuthority: PolicyAuthority | undefined
  readonly parts: readonly Part[]
  /** For `createApp`. */
  readonly problem: NonNullable<Parameters<typeof createApp>[0]['problem']>
  /** Adds the authority's routes, if any. */
  mount(app: FastifyInstance): Promise<void>
}

interface RelayContext {
  readonly version: string
  readonly clock: SystemClock
  readonly log: SystemLog
}

/** Throws what opening the name database throws. */
export function openAuthorityMount(config: RelayConfig, context: RelayContext): Promise<AuthorityMount> {
  return config.names ? openInProcess(config.names, context) : openElsewhere(config, context)
}

async function openInProcess(names: NamesConfig, { version, clock, log }: RelayContext): Promise<AuthorityMount> {
  const payments = await openPayments(names, { clock, log })
  const news = createNameNews()
  const store = news.tapped(await openNameStore({ path: names.dbPath, now: clock.now }))
  const settings = nameSettings(names)
  const { webhookSecret, readRate: read, writeRate: write } = names
  const authority = createAuthority({ store, clock, log, settings, payments: payments?.source, webhookSecret })
  return {
    policyAuthority: {
      isWritePaid: async (pubkey) => (await authority.paid.isWritePaid(pubkey))?.paid,
      holdsName: async (pubkey) => (await authority.names.nameOf(pubkey)) !== undefined,
      onNamed: news.onNamed,
    },
    parts: [
      {
        name: 'names',
        start: async () => {},
        stop: () => store.close(),
        check: () => databaseCheck(names.dbPath, store.check),
      },
      ...(payments ? [aside(payments.part)] : []),
      ...authority.loops.map(({ name, everyMs, pass }) => createLoop({ name, everyMs, pass, sleep: clock.sleep, log })),
    ],
    problem: (error, request, reply) =>
      (isOfTheNames(request.url) ? AUTHORITY_APP : RELAY_APP).problem(error, request, reply),
    async mount(app) {
      await app.register(authorityHttp, { authority, rates: { read, write }, version, landing: false })
    },
  }
}

/** Problems of payments do not make the relay unready. */
const aside = ({ check, ...part }: Part): Part => ({
  ...part,
  ...(check && { check: async () => ({ ...(await check()), informative: true }) }),
})

/** Errors on the authority's paths have its format, also for unknown routes. */
const isOfTheNames = (url: string): boolean => /^\/(?:api\/|\.well-known\/nostr\.json(?:[/?]|$))/.test(url)

async function openElsewhere({ authority, policy }: RelayConfig, context: RelayContext): Promise<AuthorityMount> {
  const { mode, upstream, colocated } = authority
  const watch = createWatch('the name authority', {
    ...context,
    probe: (signal) => probeHealth(`${upstream}/api/v1/health`, signal),
  })
  const asks = policy.payMode === 'write' || policy.requireName
  return {
    policyAuthority: asks ? createPolicyAuthority({ baseUrl: upstream }) : undefined,
    parts:
      mode === 'upstream'
        ? [{ name: 'authority', start: async () => {}, stop: async () => {}, check: watch.check }]
        : [],
    problem: RELAY_APP.problem,
    async mount(app) {
      if (mode === 'upstream') await app.register(authorityForwarder, { upstream, whole: colocated, watch })
    },
  }
}
