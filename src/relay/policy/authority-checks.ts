// The checks that ask the name authority (specification: relay, 6, checks 10 and 11, and our own `require_name`).
import { foreignText } from '../../lib/plain-text.js'
import type { Clock, Log } from '../../lib/ports.js'
import { type AuthorityVerdict, createAuthorityCache } from './authority-cache.js'
import { isByOperator, isKey, isWrap, type PolicyRequest } from './rules.js'
import type { PolicySettings } from './settings.js'

/** What the policy asks of a name authority. Both questions reject when the authority cannot answer; `signal` cancels them. Keys are 64 hex. */
export interface PolicyAuthority {
  isWritePaid(pubkey: string, signal: AbortSignal): Promise<unknown>
  holdsName(pubkey: string, signal: AbortSignal): Promise<unknown>
  /** Registers a callback for keys that get a name. Absent where the authority is another process. */
  onNamed?(listener: (pubkey: string) => void): void
}

export interface AuthorityCheckParts {
  readonly settings: Pick<PolicySettings, 'payMode' | 'requireName' | 'verdictSeconds'>
  readonly authority: PolicyAuthority | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Resolves with the text of the refusal; undefined: none. Never rejects. */
export type AuthorityCheck = (writing: PolicyRequest) => Promise<string | undefined>

/** A name claimed in another process takes effect after at most this many seconds. */
const NAMELESS_SECONDS = 5

const NO_AUTHORITY: PolicyAuthority = {
  isWritePaid: async () => 'no authority is configured',
  holdsName: async () => 'no authority is configured',
}

/** Returns the checks that the settings require, in order. */
export function createAuthorityChecks({
  settings,
  authority = NO_AUTHORITY,
  clock,
  log,
}: AuthorityCheckParts): AuthorityCheck[] {
  const common = { clock, log, holdSeconds: settings.verdictSeconds }
  const isPaid = createAuthorityCache({
    ...common,
    about: 'paid',
    ask: (key, signal) => authority.isWritePaid(key, signal),
  })
  const isNamed = createAuthorityCache({
    ...common,
    about: 'name',
    denialSeconds: NAMELESS_SECONDS,
    ask: (key, signal) => authority.holdsName(key, signal),
  })
  authority.onNamed?.(isNamed.forget)
  const consultations: AuthorityCheck[] = []
  if (settings.payMode === 'write')
    consultations.push(async (writing) =>
      isByOperator(writing) ? undefined : PAID[textOf(await anyOf(writing.authed.filter(isKey), isPaid.of))],
    )
  if (settings.requireName)
    consultations.push(async (writing) =>
      isByOperator(writing) && isWrap(writing.event)
        ? undefined
        : NAMED[textOf(await anyOf(nameBearers(writing), isNamed.of))],
    )
  return consultations
}

type Texts = Readonly<Record<'yes' | 'no' | 'unavailable', string | undefined>>

const PAID: Texts = {
  yes: undefined,
  no: 'blocked: payment required to publish on this relay', // wire:
  unavailable: 'blocked: payment status unavailable', // wire:
}
const NAMED: Texts = {
  yes: undefined,
  no: 'blocked: only holders of a name may publish on this relay',
  unavailable: 'blocked: name status unavailable',
}

const textOf = (verdict: AuthorityVerdict): keyof Texts => {
  if (verdict === 'unavailable') return verdict
  return verdict ? 'yes' : 'no'
}

/** Gift wraps are signed by throw-away keys, so the authenticated keys of the connection count instead. */
const nameBearers = ({ event, authed }: PolicyRequest): readonly string[] =>
  isWrap(event) ? authed.filter(isKey) : [foreignText(event.pubkey).toLowerCase()]

/** Resolves with the first positive verdict of the keys. A connection authenticates few keys. */
async function anyOf(
  keys: readonly string[],
  verdictOf: (key: string) => Promise<AuthorityVerdict>,
): Promise<AuthorityVerdict> {
  let sum: AuthorityVerdict = false
  for (const key of keys) {
    const verdict = await verdictOf(key)
    if (verdict === true) return true
    if (verdict === 'unavailable') sum = 'unavailable'
  }
  return sum
}
