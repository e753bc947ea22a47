// Compares the answers that clients, payers and the operator of a name authority got with its database. Reads with SQL of its own and
// knows the rules from the specification: nothing here comes from the authority or its store.
import { findHistoryFaults } from './name-history.js'
import { type Asked, isDone, isUsedUp, type NameLog } from './name-log.js'
import { type Matches, matchLines } from './name-matches.js'
import { type Line, readTables, type Tables } from './name-rows.js'

/** Seconds beyond its age for which a used event is kept (specification: names, 5). */
const KEPT_BEYOND = 5 + 60

/** Everything that is wrong with the file at `path` now (epoch milliseconds); empty when nothing is. */
export function findNameFaults(path: string, log: NameLog, now: number): readonly string[] {
  const tables = readTables(path)
  const matches = matchLines(tables, log)
  return [
    ...tables.damage,
    ...findHistoryFaults(tables),
    ...matches.faults,
    ...findAuthFaults(tables, log, now),
    ...findCooldownFaults(tables, matches, now),
    ...findGrantFaults(tables, log, matches),
    ...findSaleFaults(tables, log),
  ]
}

/** Every event was taken once at most, is still known to be used, and none that was not is said to be. */
function findAuthFaults({ auths }: Tables, { asked, maxAgeSeconds }: NameLog, now: number): readonly string[] {
  const sent = new Set(asked.map(({ id }) => id))
  const strange = [...auths.keys()]
    .filter((id) => !sent.has(id))
    .map((id) => `event ${id}: used, and no client sent it`)
  return [...strange, ...asked.flatMap((one) => aboutEvent(one, auths, maxAgeSeconds, now))]
}

function aboutEvent(asked: Asked, auths: Tables['auths'], maxAge: number, now: number): readonly string[] {
  const { id, verb, name, attempts, createdAt } = asked
  const taken = attempts.filter(isUsedUp)
  const refused = attempts.filter(({ error }) => error === 'auth event replayed')
  const forgetAt = (createdAt + maxAge + KEPT_BEYOND) * 1000
  const isKnown = auths.has(id)
  const wrongs: readonly (readonly [boolean, string])[] = [
    [taken.length > 1, `accepted ${taken.length} times`],
    [
      taken.length + refused.length > 0 && forgetAt > now && auths.get(id) !== forgetAt,
      `used, and kept until ${auths.get(id)} instead of ${forgetAt}`,
    ],
    [isKnown && attempts.length === 0, 'used before it was sent'],
    [
      refused.some((one) => !attempts.some((other) => other !== one && other.sentAt <= one.endedAt && mayUse(other))),
      'refused as replayed, and never used',
    ],
  ]
  return wrongs.flatMap(([isWrong, text]) => (isWrong ? [`event ${id} (${verb} ${name}): ${text}`] : []))
}

/** Whether this attempt can have been the one that used the event up. */
const mayUse = (attempt: Asked['attempts'][number]): boolean =>
  isUsedUp(attempt) || attempt.status === undefined || attempt.status === 500

const least = (values: readonly number[]): number => (values.length === 0 ? 0 : Math.min(...values))

/** Who gave a name up waits: in the lines, and in the table as long as the wait lasts. */
function findCooldownFaults(
  { audit, lineOf, cooldowns }: Tables,
  { causesOf }: Matches,
  now: number,
): readonly string[] {
  const armed = new Map<string, number>()
  const early = audit.flatMap((line) => {
    const { seq, actor, action, name, at } = line
    const key = line.key ?? ''
    const until = armed.get(key) ?? 0
    // It may have been written later than it says: a writer that waits for the database reads the clock before.
    const isEarly = until > Math.max(at, ...causesOf(line).map(({ endedAt }) => endedAt))
    if (actor === 'holder' && action === 'claim' && isEarly && !isChange(lineOf, line))
      return [`line ${seq}, claim ${name} by ${key}: its cooldown runs until ${until}`]
    if ((actor === 'holder' || actor === 'sale') && action === 'release') {
      const wait = least(causesOf(line).map(({ life }) => life.cooldownMs))
      if (wait > 0) armed.set(key, Math.max(until, at + wait))
      if (actor === 'holder' && isEarly && isHalfOfChange(lineOf, line))
        return [`line ${seq}, change by ${key}: its cooldown runs until ${until}`]
    }
    return []
  })
  const forgotten = [...armed].filter(([key, until]) => until > now && (cooldowns.get(key) ?? 0) < until)
  return [...early, ...forgotten.map(([key, until]) => `key ${key}: its cooldown until ${until} is forgotten`)]
}

/** The claim that the release of the line before it belongs to. */
const isChange = (lineOf: Tables['lineOf'], { seq, key, at }: Line): boolean => {
  const before = lineOf.get(seq - 1)
  return before?.action === 'release' && before.actor === 'holder' && before.key === key && before.at === at
}
const isHalfOfChange = (lineOf: Tables['lineOf'], { seq, key, at }: Line): boolean => {
  const after = lineOf.get(seq + 1)
  return after?.action === 'claim' && after.key === key && after.at === at
}

/** What was paid is in the table, was spent on one name, or was taken back by the operator; nothing twice, nothing unpaid. */
function findGrantFaults({ audit, grants }: Tables, { bills }: NameLog, { causesOf }: Matches): readonly string[] {
  const voided = new Set(
    audit.flatMap(({ action, reason }) => (action === 'void-grant' ? [String(reason).split(': ')[0]] : [])),
  )
  const kept = new Set(grants.map(({ invoice }) => invoice))
  const paid = new Map<string, number>()
  for (const { id, key, status } of bills.values())
    if (status === 'confirmed' && !voided.has(id) && !kept.has(id)) paid.set(key, (paid.get(key) ?? 0) + 1)
  const spent = new Map<string, { least: number; most: number }>()
  for (const line of audit) {
    if (line.actor !== 'holder' || line.action !== 'claim' || line.key === null) continue
    const prices = causesOf(line).map(({ life }) => (life.isPaid ? 1 : 0))
    const sum = spent.get(line.key) ?? { least: 0, most: 0 }
    spent.set(line.key, { least: sum.least + least(prices), most: sum.most + Math.max(0, ...prices) })
  }
  const sums = [...new Set([...paid.keys(), ...spent.keys()])].flatMap((key) => {
    const [got, cost] = [paid.get(key) ?? 0, spent.get(key) ?? { least: 0, most: 0 }]
    if (got < cost.least) return [`key ${key}: ${cost.least} names for ${got} payments`]
    return got > cost.most ? [`key ${key}: ${got} payments, ${cost.most} names: one is lost`] : []
  })
  return [...sums, ...grants.flatMap((grant) => aboutGrant(grant, bills))]
}

function aboutGrant({ key, invoice, status }: Tables['grants'][number], bills: NameLog['bills']): readonly string[] {
  const bill = bills.get(invoice)
  if (bill?.key !== key) return [`grant ${invoice}: no till made this invoice for ${key}`]
  return status === 'paid' && bill.status !== 'confirmed' ? [`grant ${invoice}: granted at ${bill.status}`] : []
}

/** Offers, and what became of them. */
function findSaleFaults({ audit, offers, transfers }: Tables, { asked, kernels }: NameLog): readonly string[] {
  const offerOf = new Map(offers.map((offer) => [offer.id, offer]))
  const saleOf = new Map(transfers.map((transfer) => [transfer.id, transfer]))
  const sales = new Map(
    audit.flatMap((line) => (line.action === 'transfer' ? [[String(line.reason).replace('offer ', ''), line]] : [])),
  )
  const spent = new Map<string, string>()
  const twice = transfers.flatMap(({ id, excess }) => {
    const other = spent.get(excess)
    spent.set(excess, id)
    return other === undefined ? [] : [`payment ${excess}: spent on ${other} and ${id}`]
  })
  const rows = transfers.flatMap((sale) => {
    const [offer, line] = [offerOf.get(sale.id), sales.get(sale.id)]
    const wrongs: readonly (readonly [boolean, string])[] = [
      [offer?.status !== 'consumed', `its offer is ${offer?.status}`],
      [JSON.stringify(termsOf(offer)) !== JSON.stringify(termsOf(sale)), 'not under the terms of its offer'],
      [line?.name !== sale.name || line.key !== sale.buyer || line.at !== sale.at, 'no line of the history says so'],
      [!kernels.has(sale.excess), 'without a payment'],
    ]
    return wrongs.flatMap(([isWrong, text]) => (isWrong ? [`sale ${sale.id}: ${text}`] : []))
  })
  const unsold = offers
    .filter(({ id, status }) => status === 'consumed' && !saleOf.has(id))
    .map(({ id }) => `offer ${id}: consumed, and not sold`)
  const unwritten = [...sales.keys()].filter((id) => !saleOf.has(id)).map((id) => `sale ${id}: its row is gone`)
  return [...twice, ...rows, ...unsold, ...unwritten, ...asked.flatMap((one) => aboutSale(one, offerOf, saleOf))]
}

const termsOf = (terms: Omit<Tables['offers'][number], 'status'> | undefined) =>
  terms && [terms.name, terms.seller, terms.buyer, terms.price]

/** The answers that a seller or buyer got about an offer. */
function aboutSale(
  { verb, offer: id = '', key, excess, attempts }: Asked,
  offers: ReadonlyMap<string, Tables['offers'][number]>,
  transfers: ReadonlyMap<string, Tables['transfers'][number]>,
): readonly string[] {
  if (!attempts.some((one) => isDone(verb, one))) return []
  if (verb === 'lodge' && offers.get(id)?.seller !== key) return [`lost: offer ${id} of ${key}`]
  const status = offers.get(id)?.status
  // Who paid before it was revoked may still claim it.
  if (verb === 'revoke' && status !== 'revoked' && status !== 'consumed') return [`offer ${id}: revoked, and ${status}`]
  const sale = transfers.get(id)
  if (verb === 'buy' && (sale?.buyer !== key || sale.excess !== excess)) return [`lost: sale ${id} to ${key}`]
  return []
}
