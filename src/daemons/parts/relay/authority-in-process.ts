// The relay's name authority in its own process (specification: relay, 10).
import { AUTHORITY_APP, authorityHttp, createAuthority } from '../../../authority/index.js'
import type { NamesConfig } from '../../../config/index.js'
import { RELAY_APP } from '../../../relay/index.js'
import { openNameStore } from '../../../storage/index.js'
import type { Part } from '../../runtime.js'
import { databaseCheck } from '../database-check.js'
import { createDiskReserve } from '../disk-reserve.js'
import { createLoop } from '../loop.js'
import { createNameNews } from '../nameauth/name-news.js'
import { nameSettings } from '../nameauth/settings.js'
import { openPayments } from '../nameauth/sources.js'
import type { AuthorityMount, RelayContext } from './authority-mount.js'

/** Throws what opening the name database throws. */
export async function openInProcess(
  names: NamesConfig,
  { version, clock, log, random }: RelayContext,
): Promise<AuthorityMount> {
  const payments = await openPayments(names, { clock, log })
  const news = createNameNews()
  const store = news.tapped(await openNameStore({ path: names.dbPath, now: clock.now }))
  const reserve = createDiskReserve({ path: names.dbPath, clock, random, log })
  const settings = nameSettings(names)
  const { webhookSecret, readRate: read, writeRate: write } = names
  const authority = createAuthority({
    ...{ store, clock, log, settings, webhookSecret },
    payments: payments?.source,
    hasRoom: reserve.hasRoom,
  })
  return {
    store,
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
        check: async () => reserve.checked(await databaseCheck(names.dbPath, store.check)),
      },
      { ...reserve.part, name: 'names reserve' },
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
