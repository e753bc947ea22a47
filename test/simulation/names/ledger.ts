// What was signed, what was answered, and what the database says of it, held against each other at every step.
import type { AuditEntry } from '../../../src/authority/index.js'
import { openNameReader } from '../../../src/storage/index.js'
import type { Trace } from '../ground/trace.js'
import type { Failure } from '../world.js'
import type { AuthorityProcess } from './authority.js'
import type { NamesModel } from './model.js'
import type { WorldTill } from './till.js'

/** One signed request; it may be sent several times. */
export interface SignedRequest {
  /** Of the event; counts once. */
  readonly id: string
  readonly verb: 'claim' | 'release' | 'quote' | 'offer' | 'revoke' | 'take'
  readonly pubkey: string
  /** The name, or the offer. */
  readonly about: string
}

export interface Ledger {
  readonly findings: readonly Failure[]
  readonly model: NamesModel
  wrong(invariant: number, what: string): void
  /** A new signed request. */
  signed(request: SignedRequest): void
  /** What came back, as `status code`. Reads what happened since. */
  answered(request: SignedRequest, answer: string): Promise<void>
  /** Reads what happened in the database since. */
  catchUp(): Promise<void>
  /** What the names table says beside the history. */
  compareTable(): Promise<void>
  close(): Promise<void>
}

export interface LedgerParts {
  readonly authority: AuthorityProcess
  readonly till: WorldTill
  readonly trace: Trace
  readonly model: NamesModel
  readonly isPaid: boolean
}

const PAGE = 50
/** Refused before the event was noted as used, or because it was. */
const WITHOUT_EFFECT = /^(?:401 NIP98_REFUSED|429 RATE_LIMITED|500 )/

export function createLedger({ authority, till, trace, model, isPaid }: LedgerParts): Ledger {
  const findings: Failure[] = []
  const counts = new Map<string, number>()
  const seen = { id: 0, life: -1 }
  const effects = new Map<string, string>()
  let reading = Promise.resolve()
  let reader: Awaited<ReturnType<typeof openNameReader>> | undefined

  const countOf = (key: string) => counts.get(key) ?? 0
  const count = (...keys: readonly string[]) => {
    for (const key of keys) counts.set(key, countOf(key) + 1)
  }

  function wrong(invariant: number, what: string): void {
    trace.note('check', 'fails', `${invariant}: ${what}`)
    findings.push({ invariant, what })
  }

  /** Also of the database of a process that was dropped: its copy holds what was committed. */
  async function opened() {
    if (reader && seen.life === authority.life) return reader
    await reader?.close()
    seen.life = authority.life
    reader = await openNameReader({ path: authority.database })
    return reader
  }

  async function entriesSince(): Promise<readonly AuditEntry[]> {
    const store = await opened()
    const fresh: AuditEntry[] = []
    let cursor: string | undefined
    do {
      const { items, next } = await store.history({}, PAGE, cursor)
      fresh.push(...items.filter(({ id }) => id > seen.id))
      if (cursor === undefined && seen.id > 0 && (items[0]?.id ?? 0) < seen.id)
        wrong(3, `the history ends at ${items[0]?.id ?? 0} and had ${seen.id} lines`)
      cursor = items.some(({ id }) => id <= seen.id) ? undefined : (next ?? undefined)
    } while (cursor !== undefined)
    return fresh.reverse()
  }

  function take(entry: AuditEntry): void {
    seen.id = entry.id
    const { action, actor, name, pubkey } = entry
    trace.state(`${actor} × ${action}`)
    const fault = model.apply(entry)
    if (fault !== undefined) wrong(7, fault)
    if (actor !== 'holder' || pubkey === null) return
    count(`did ${action} ${pubkey} ${name}`, `did ${action} ${pubkey}`)
    if (action === 'claim') {
      if (countOf(`did claim ${pubkey} ${name}`) > countOf(`signed claim ${pubkey} ${name}`))
        wrong(7, `${name} was claimed more often than its key signed`)
      if (isPaid && countOf(`did claim ${pubkey}`) > till.confirmedOf(pubkey))
        wrong(7, `${countOf(`did claim ${pubkey}`)} names for ${till.confirmedOf(pubkey)} payments`)
    }
    // A change of name releases, too.
    const causes = countOf(`signed release ${pubkey} ${name}`) + countOf(`signed claim ${pubkey}`)
    if (action === 'release' && countOf(`did release ${pubkey} ${name}`) > causes)
      wrong(7, `${name} was released more often than its key signed`)
  }

  async function readOn(): Promise<void> {
    if (authority.life === 0 && !authority.isRunning && seen.id === 0) return
    for (const entry of await entriesSince()) take(entry)
  }

  /** One after the other. */
  function catchUp(): Promise<void> {
    reading = reading.then(readOn)
    return reading
  }

  return {
    findings,
    model,
    wrong,
    signed({ verb, pubkey, about }) {
      count(`signed ${verb} ${pubkey} ${about}`, `signed ${verb} ${pubkey}`)
    },
    async answered({ id, verb, pubkey, about }, answer) {
      if (!WITHOUT_EFFECT.test(answer)) {
        const before = effects.get(id)
        if (before !== undefined) wrong(7, `one signed ${verb} was carried out twice: ${before}, then ${answer}`)
        effects.set(id, answer)
      }
      await catchUp()
      if (answer === '201' && verb === 'claim') count(`acknowledged claim ${pubkey} ${about}`)
      if (answer === '200' && verb === 'release') count(`acknowledged release ${pubkey} ${about}`)
      if (verb === 'claim' || verb === 'release')
        if (countOf(`acknowledged ${verb} ${pubkey} ${about}`) > countOf(`did ${verb} ${pubkey} ${about}`))
          wrong(3, `the ${verb} of ${about} was acknowledged and is not in the history`)
    },
    catchUp,
    async compareTable() {
      const store = await opened()
      const rows = (await store.listNames({ status: 'active' }, 1000)).items
      const held = new Map(rows.map(({ name, pubkey }) => [name, pubkey]))
      const suspended = (await store.listNames({ status: 'suspended' }, 1000)).items
      for (const { name, pubkey } of suspended) held.set(name, pubkey)
      for (const [name, pubkey] of model.holders)
        if (held.get(name) !== pubkey) wrong(3, `${name} belongs to another key than its history says`)
      for (const name of held.keys()) if (!model.holders.has(name)) wrong(3, `${name} is held without a history`)
      for (const { name } of suspended) if (!model.isSuspended(name)) wrong(3, `${name} is suspended without a history`)
    },
    async close() {
      await reader?.close()
    },
  }
}
