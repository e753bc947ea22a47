// Works on a console's database for one command, while the daemon runs or not.
import {
  type AuditEntry,
  type ConsoleStore,
  newLink,
  noSuchPerson,
  noSuchSession,
  type Role,
  type Session,
  type WantedLink,
} from '../console/index.js'
import { GrinpayError } from '../lib/errors.js'
import { openConsoleStore } from '../storage/index.js'
import { systemClock, systemRandom } from '../system/index.js'

/** Who did it, in the audit log. */
const COMMAND_LINE = 'command line'

export interface ConsolePlace {
  /** Of the database. */
  readonly path: string
  /** Where a browser finds the console, without a slash at the end. */
  readonly url: string
}

/** A document of `--json`. Times are RFC 3339. */
export interface LinkView {
  readonly url: string
  readonly name: string
  readonly role: Role
  readonly expires_at: string
}

/** Writes a sign-in link for this person; its address is shown once. Throws DATABASE_MISSING and the like. */
export const makeSignInLink = (place: ConsolePlace, wanted: WantedLink): Promise<LinkView> =>
  makeLink(place, wanted, 'link.create')

const makeLink = ({ path, url }: ConsolePlace, wanted: WantedLink, action: string): Promise<LinkView> =>
  using(path, async (store) => {
    const { name, role } = wanted
    const { token, link } = newLink(wanted, { clock: systemClock, random: systemRandom })
    await audited(store, action, name, { role }, () => store.addLink(link))
    return { url: `${url}/console/enter/${token}`, name, role, expires_at: timeOf(link.expiresAt) }
  })

/** An invitation: the person makes a passkey with it, within a day. Throws DATABASE_MISSING and the like. */
export const makeInvitation = (place: ConsolePlace, { name, role }: WantedLink): Promise<LinkView> =>
  makeLink(place, { name, role, purpose: 'passkey' }, 'person.invite')

export interface PersonView {
  readonly name: string
  readonly role: Role
  readonly created_at: string
  readonly passkeys: number
  readonly used_at: string | null
}

export const listPeople = (path: string): Promise<readonly PersonView[]> =>
  using(path, async (store) =>
    (await store.people()).map(({ name, role, createdAt, passkeys, usedAt }) => ({
      ...{ name, role, created_at: timeOf(createdAt), passkeys },
      used_at: usedAt === null ? null : timeOf(usedAt),
    })),
  )

/** Throws CONSOLE_NO_PERSON. */
export const removePerson = (path: string, name: string): Promise<void> =>
  using(path, (store) =>
    audited(store, 'person.remove', name, {}, async () => {
      if (!(await store.removePerson(name, { at: systemClock.now(), by: COMMAND_LINE }))) throw noSuchPerson(name)
    }),
  )

export interface SessionView {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly created_at: string
  readonly used_at: string
  readonly address: string
  readonly browser: string
}

/** Those that may still be used, most recently used first. */
export const listSessions = (path: string): Promise<readonly SessionView[]> =>
  using(path, async (store) => (await store.liveSessions(systemClock.now())).map(sessionView))

/** Answers 1. Throws CONSOLE_NO_SESSION. */
export const endSession = (path: string, id: string): Promise<number> =>
  using(path, (store) =>
    audited(store, 'session.end', id, {}, async () => {
      if (!(await store.endSession(id, { at: systemClock.now(), by: COMMAND_LINE }))) throw noSuchSession(id)
      return 1
    }),
  )

/** Answers how many ended. */
export const endAllSessions = (path: string): Promise<number> =>
  using(path, (store) =>
    audited(store, 'session.end-all', '', {}, () => store.endAllSessions({ at: systemClock.now(), by: COMMAND_LINE })),
  )

export interface AuditView {
  readonly id: number
  readonly at: string
  readonly person: string
  readonly role: Role | null
  readonly session: string | null
  readonly action: string
  readonly object: string
  readonly values: Readonly<Record<string, string>>
  readonly outcome: string | null
  readonly ended_at: string | null
}

interface AuditPage {
  readonly items: readonly AuditView[]
  readonly next: string | null
}

type ReadAudit = (query: { readonly limit: number; readonly cursor: string | undefined }) => Promise<AuditPage>

/** Newest first, page by page. Throws BAD_CURSOR. */
export const readAudit = <T>(path: string, work: (page: ReadAudit) => Promise<T>): Promise<T> =>
  using(path, (store) =>
    work(async ({ limit, cursor }) => {
      const { items, next } = await store.auditPage(limit, cursor)
      return { items: items.map(auditView), next }
    }),
  )

async function using<T>(path: string, work: (store: ConsoleStore) => Promise<T>): Promise<T> {
  const store = await openConsoleStore({ path, mustExist: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function audited<T>(
  store: ConsoleStore,
  action: string,
  object: string,
  values: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const at = systemClock.now()
  const entry = await store.beginAudit({ at, person: COMMAND_LINE, role: null, session: null, action, object, values })
  const end = (outcome: string) => store.endAudit(entry, { at: systemClock.now(), outcome })
  const answer = await work().catch(async (thrown: unknown) => {
    await end(thrown instanceof GrinpayError ? `refused: ${thrown.code}` : 'failed: INTERNAL')
    throw thrown
  })
  await end('done')
  return answer
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

const sessionView = ({ id, name, role, createdAt, usedAt, address, browser }: Session): SessionView => ({
  id,
  name,
  role,
  created_at: timeOf(createdAt),
  used_at: timeOf(usedAt),
  address,
  browser,
})

const auditView = ({ id, at, endedAt, ...entry }: AuditEntry): AuditView => ({
  id,
  at: timeOf(at),
  ...entry,
  ended_at: endedAt === null ? null : timeOf(endedAt),
})
