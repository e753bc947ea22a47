// What the console stores: sign-in links, sessions, and who did what. No money, and no secret: of links and cookies only their SHA-256.
import type { LinkState } from './sign-in/lifetimes.js'
import type { Role } from './sign-in/roles.js'

export type LinkPurpose = 'sign-in' | 'passkey'

/** Times are epoch milliseconds, hashes 64 lower-case hex digits. */
export interface Link {
  readonly hash: string
  /** Who signs in with it, as in the audit log. */
  readonly name: string
  readonly role: Role
  /** `passkey`: an invitation, which makes a passkey first. */
  readonly purpose: LinkPurpose
  readonly createdAt: number
  readonly expiresAt: number
  readonly spentAt: number | null
}

export interface Session {
  /** Public, 12 hex digits. */
  readonly id: string
  /** Of the cookie's value. */
  readonly hash: string
  readonly name: string
  readonly role: Role
  readonly createdAt: number
  readonly usedAt: number
  /** Of the last use; a name of a browser, at most 120 characters. */
  readonly address: string
  readonly browser: string
  readonly endedAt: number | null
  /** Who ended it: a person, or `command line`. */
  readonly endedBy: string | null
}

export interface Passkey {
  /** The credential's id, at most 1023 bytes. */
  readonly id: Uint8Array
  /** Of its person. */
  readonly name: string
  readonly role: Role
  /** COSE. */
  readonly publicKey: Uint8Array
  /** Of signatures, as the authenticator counts them; 0 for ever where it does not. */
  readonly counter: number
}

export interface PersonRecord {
  readonly name: string
  readonly role: Role
  readonly createdAt: number
  readonly passkeys: number
  /** Of the last sign-in by passkey. */
  readonly usedAt: number | null
}

/** One page of a long list. */
interface ListPage<T> {
  readonly items: readonly T[]
  /** Cursor of the next page; null: this is the last. */
  readonly next: string | null
}

export interface AuditEntry {
  readonly id: number
  readonly at: number
  readonly person: string
  readonly role: Role | null
  /** Null: not from a page. */
  readonly session: string | null
  /** `invoice.cancel`. */
  readonly action: string
  /** What it was done to; may be empty. */
  readonly object: string
  readonly values: Readonly<Record<string, string>>
  /** `done`, `refused: CODE` or `failed: CODE`; null: it began, and the daemon ended before it did. */
  readonly outcome: string | null
  readonly endedAt: number | null
}

type NewAuditEntry = Omit<AuditEntry, 'id' | 'outcome' | 'endedAt'>

/** Every verb is atomic, and what it wrote is durable when its promise resolves. */
export interface ConsoleStore {
  addLink(link: Link): Promise<void>
  findLink(hash: string): Promise<Link | undefined>
  /** Spends a good link and opens the session of its person, with the audit entry, in one transaction; else says why not. */
  spendLink(hash: string, session: NewSession): Promise<Session | Exclude<LinkState, 'good'> | 'unknown'>
  /** Also ended and expired ones. */
  findSession(hash: string): Promise<Session | undefined>
  touchSession(id: string, use: Pick<Session, 'usedAt' | 'address' | 'browser'>): Promise<void>
  /** False: there is none, or it has ended before. */
  endSession(id: string, end: SessionEnd): Promise<boolean>
  /** Answers how many ended. */
  endAllSessions(end: SessionEnd): Promise<number>
  /** Those that may still be used, most recently used first; at most 200. */
  liveSessions(now: number): Promise<readonly Session[]>
  /**
   * Spends an invitation: its person, this passkey, a session and the audit entry in one transaction; else why not. `taken`: the passkey is known.
   * Sessions of the person with another role end.
   */
  addPasskey(
    hash: string,
    passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>,
    session: NewSession,
  ): Promise<Session | Exclude<LinkState, 'good'> | 'unknown' | 'taken'>
  findPasskey(id: Uint8Array): Promise<Passkey | undefined>
  /** Keeps the counter and opens a session, with the audit entry. `replayed`: the counter did not grow. */
  usePasskey(id: Uint8Array, counter: number, session: NewSession): Promise<Session | 'unknown' | 'replayed'>
  /** By name; at most 200. */
  people(): Promise<readonly PersonRecord[]>
  /** Deletes passkeys, voids open links and ends sessions of this name. False: there was nothing of it. */
  removePerson(name: string, end: SessionEnd): Promise<boolean>
  /** Answers the id of the entry. */
  beginAudit(entry: NewAuditEntry): Promise<number>
  /** The second half of an entry; nothing where there is one already. */
  endAudit(id: number, end: { readonly at: number; readonly outcome: string }): Promise<void>
  /** Newest first. Throws BAD_CURSOR. */
  auditPage(limit: number, cursor?: string): Promise<ListPage<AuditEntry>>
}

export interface NewSession {
  readonly id: string
  readonly hash: string
  readonly now: number
  readonly address: string
  readonly browser: string
}

interface SessionEnd {
  readonly at: number
  readonly by: string
}
