// The holders of names in a world: they claim, change, release, pay, wait, repeat what got no answer, and replay what others signed.

import { HTTP_AUTH_KIND } from '../../../src/nostr/event/index.js'
import { payloadHash } from '../../../src/nostr/http-auth/header.js'
import type { Chance } from '../ground/chance.js'
import { createSigner, type Signer } from '../ground/signing.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import { type Answered, type AuthorityProcess, NoAnswerInWorld } from './authority.js'
import type { Ledger, SignedRequest } from './ledger.js'
import type { WorldTill } from './till.js'

const BASE = 'https://names.example'
export const DOMAIN = 'names.example'
const REGISTER = '/api/v1/register'

export interface Person {
  readonly nick: string
  readonly signer: Signer
  /** Behind the proxy. */
  readonly address: string
}

/** Names that people want: look-alikes of each other, reserved ones and such as nobody can have among them. */
const WANTED = [
  ...['harbour', 'harb0ur', 'har.bour', 'aloce', 'al0ce', 'a-l0-ce', 'mail2', 'ma11', 'mall', 'mai1', 'mali', 'ma1i'],
  ...['bakery', 'b4kery', '8akery', 'sea.gull', 'seagull', '5eagull', 'wharf', 'tide', 't1de', 'tlde', 'ebb'],
  ...['admin', 'adm1n', 'names', 'n4mes', 'nam-es', 'blocked', 'b1ocked', 'Harbour', 'TIDE'],
  ...['ab', '-x-', 'a name', 'ünï', 'x'.repeat(21), 'a--b', '123', '_'],
]

/** What somebody does in one visit; the weights are those of a lively domain. */
const DEEDS = {
  claim: 30,
  'claim again': 6,
  release: 9,
  'release what is not theirs': 2,
  look: 12,
  quote: 3,
  tamper: 4,
  replay: 4,
  'claim two at once': 4,
  'all want one': 3,
  pay: 6,
} as const

/** What a signed request says wrongly, and how it is refused. */
const TAMPERINGS = ['signature', 'url', 'method', 'old', 'ahead', 'body', 'none'] as const

/** How many changes of each kind one address may ask for in an hour. */
const MOST_WRITES = 10
const WINDOW_MS = 3_600_000
/** Of the clock of the authority: an edge so near is not judged. */
const EDGE_MS = 3000

export interface PeopleParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly authority: AuthorityProcess
  readonly till: WorldTill
  readonly ledger: Ledger
  readonly isPaid: boolean
  /** True while claims may be refused for want of room. */
  readonly isDiskFull: () => boolean
  readonly count: number
}

export interface Reply extends Answered {
  /** `201`, or `409 NAME_TAKEN`. */
  readonly said: string
  readonly json: Readonly<Record<string, unknown>>
}

interface Ask {
  readonly verb: SignedRequest['verb']
  readonly about: string
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly payload?: object
  readonly tampering?: (typeof TAMPERINGS)[number]
}

interface Sent {
  readonly request: SignedRequest
  readonly person: Person
  readonly inject: Parameters<AuthorityProcess['ask']>[0]
}

const BUCKETS: Readonly<Record<SignedRequest['verb'], string>> = {
  ...{ claim: 'reg', release: 'unreg', quote: 'quote' },
  ...{ offer: 'transfer', revoke: 'transfer', take: 'transfer' },
}

export function createPeople(parts: PeopleParts) {
  const { time, chance, trace, authority, till, ledger, isPaid, count } = parts
  const people = Array.from(
    { length: count },
    (_, at): Person => ({
      nick: `p${at}`,
      signer: createSigner(chance.stream(`key ${at}`)),
      address: `192.0.2.${chance.whole(1, Math.ceil(count * 1.5))}`,
    }),
  )
  const windows = new Map<string, { at: number; sure: boolean }[]>()
  /** What went over the wire lately, for who listens. */
  const captured: Sent[] = []
  let [inFlight, disturbances, nonce] = [0, 0, 0]
  /** Known to the people from answers. */
  const invoices = new Map<Person, string>()

  /** What else happens makes the answer of a request under way unforeseeable. */
  function disturb(): void {
    disturbances += 1
  }

  function sign({ signer }: Person, { method, path, payload, tampering }: Ask): { header: string; id: string } {
    const body = payload === undefined ? '' : JSON.stringify(payload)
    const hashed = tampering === 'body' ? `${body} ` : body
    const shift = { old: -62, ahead: 7 }[tampering as string] ?? 0
    const event = signer.sign({
      kind: HTTP_AUTH_KIND,
      created_at: Math.floor(time.now() / 1000) + shift,
      tags: [
        ['u', `${BASE}${path}${tampering === 'url' ? '/x' : ''}`],
        ['method', tampering === 'method' ? 'PUT' : method],
        ...(body === '' ? [] : [['payload', payloadHash(Buffer.from(hashed))]]),
        // Wallets write none: two requests of one second are then the same event.
        ...(chance.is(0.7) ? [['nonce', String(nonce++)]] : []),
      ],
      content: '',
    })
    const sent =
      tampering === 'signature' ? { ...event, sig: event.sig.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')) } : event
    return { header: `Nostr ${Buffer.from(JSON.stringify(sent)).toString('base64')}`, id: event.id }
  }

  /** Throws NoAnswerInWorld. */
  async function deliver({ request, person, inject }: Sent): Promise<Reply> {
    inFlight += 1
    disturb()
    const asked = time.now()
    try {
      const answered = await authority.ask(inject)
      const json = JSON.parse(answered.body) as Readonly<Record<string, unknown>>
      const said = `${answered.status}${typeof json.code === 'string' ? ` ${json.code}` : ''}`
      judgeRate(`${answered.life} ${BUCKETS[request.verb]} ${person.address}`, said)
      trace.note(person.nick, request.verb, `${request.about.slice(0, 20)}: ${said}`)
      trace.state(`${request.verb}: ${said}`)
      if (answered.status >= 500 && !isExpected500(said)) ledger.wrong(10, `${request.verb} was answered ${said}`)
      await ledger.answered(request, said)
      return { ...answered, said, json }
    } catch (thrown) {
      if (!(thrown instanceof NoAnswerInWorld)) throw thrown
      note(`${authority.life} ${BUCKETS[request.verb]} ${person.address}`, asked, false)
      trace.fault(`lost answer × ${request.verb}`)
      throw thrown
    } finally {
      inFlight -= 1
    }
  }

  const isExpected500 = (said: string): boolean =>
    said === '503 PAYMENT_BACKEND_UNAVAILABLE' ? isPaid : said === '500 DATABASE_FAILED' && parts.isDiskFull()

  function note(key: string, at: number, sure: boolean): void {
    const since = (windows.get(key) ?? []).filter((one) => time.now() - one.at <= WINDOW_MS + 60_000)
    windows.set(key, [...since, { at, sure }])
  }

  /** Refused at the limit, and not below it. */
  function judgeRate(key: string, said: string): void {
    const known = windows.get(key) ?? []
    const within = known.filter(({ at }) => time.now() - at <= WINDOW_MS + 1000).length
    const certain = known.filter(({ at, sure }) => sure && time.now() - at < WINDOW_MS - 60_000).length
    // Those under way may count as well.
    if (said === '429 RATE_LIMITED' && within + inFlight < MOST_WRITES)
      ledger.wrong(8, `an address was limited after ${within} requests`)
    if (said !== '429 RATE_LIMITED') {
      if (certain >= MOST_WRITES) ledger.wrong(8, `an address had ${certain + 1} requests in an hour`)
      note(key, time.now(), true)
    }
  }

  /** Signs and sends; the answer is held against the model when nothing else went on. Undefined: no answer. */
  async function send(person: Person, ask: Ask): Promise<Reply | undefined> {
    const { header, id } = sign(person, ask)
    const { verb, about, method, path, payload } = ask
    const request: SignedRequest = { id, verb, about, pubkey: person.signer.pubkey }
    ledger.signed(request)
    const sent: Sent = {
      request,
      person,
      inject: {
        ...{ method, url: path, headers: { authorization: header, 'x-real-ip': person.address } },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      },
    }
    captured.push(sent)
    if (captured.length > 30) captured.shift()
    if (chance.is(0.03)) void again(sent, chance.around(30_000))
    await ledger.catchUp()
    const [before, isAlone, skew] = [disturbances + 1, inFlight === 0, authority.skewMs]
    const foreseen = foresee(request)
    try {
      const reply = await deliver(sent)
      const isCalm = isAlone && disturbances === before && authority.skewMs === skew && skew === 0
      if (isCalm && (ask.tampering ?? 'none') === 'none') compare(request, reply, foreseen)
      if (tamperedWell(ask, reply))
        ledger.wrong(7, `a request with a wrong ${ask.tampering} was answered ${reply.said}`)
      return reply
    } catch (thrown) {
      if (!(thrown instanceof NoAnswerInWorld)) throw thrown
    }
    if (!chance.is(0.6)) return undefined
    return again(sent, chance.around(8000))
  }

  /** Wrong in a way that the clock of the authority does not heal. */
  const tamperedWell = ({ tampering = 'none', payload }: Ask, { said }: Reply): boolean =>
    ['signature', 'url', 'method', ...(payload ? ['body'] : [])].includes(tampering) &&
    !/^(?:401|429 RATE_LIMITED|5)/.test(said)

  /** The same bytes once more: it counts if it did not before. */
  async function again(sent: Sent, afterMs: number): Promise<Reply | undefined> {
    await time.sleep(afterMs)
    disturb()
    trace.fault(`sent again × ${sent.request.verb}`)
    try {
      return await deliver(sent)
    } catch (thrown) {
      if (!(thrown instanceof NoAnswerInWorld)) throw thrown
      return undefined
    }
  }

  /** Undefined: not foreseen, or too near to the end of a cooldown. */
  function foresee({ verb, pubkey, about }: SignedRequest): string | undefined {
    const { model } = ledger
    if (verb === 'release') return model.release(pubkey, about)
    const isNear = Math.abs(model.cooldownOf(pubkey) - time.now()) < EDGE_MS
    return verb === 'claim' && !isNear ? model.claim(pubkey, about, time.now()) : undefined
  }

  /** Only what the model foresaw before the request may come, or what anybody may get at any time. */
  function compare({ verb, about }: SignedRequest, { said }: Reply, foreseen: string | undefined): void {
    if (foreseen === undefined || /^(?:429 RATE_LIMITED|5)/.test(said)) return
    const isBuying = isPaid && foreseen === '201' && said === '402 PAYMENT_REQUIRED'
    // Two requests of one second without a nonce are one event.
    if (said !== foreseen && !isBuying && said !== '401 NIP98_REFUSED')
      ledger.wrong(7, `${verb} of ${about} was answered ${said}, and should be ${foreseen}`)
  }

  async function claim(
    person: Person,
    wanted: string,
    tampering: Ask['tampering'] = 'none',
  ): Promise<Reply | undefined> {
    const { pubkey } = person.signer
    const payload = { name: wanted, pubkey }
    const about = wanted.toLowerCase()
    const reply = await send(person, { verb: 'claim', about, method: 'POST', path: REGISTER, payload, tampering })
    const { invoice_id: invoice } = reply?.json ?? {}
    if (typeof invoice === 'string') invoices.set(person, invoice)
    if (typeof invoice === 'string' && chance.is(0.5)) void payAndClaim(person, about)
    return reply
  }

  const release = (person: Person, name: string): Promise<Reply | undefined> => {
    const about = name.toLowerCase()
    return send(person, { verb: 'release', about, method: 'DELETE', path: `${REGISTER}/${encodeURIComponent(about)}` })
  }

  /** Pays, waits, and claims: once, or two names at once. */
  async function payAndClaim(person: Person, name: string): Promise<void> {
    const invoice = invoices.get(person)
    if (invoice === undefined) return
    await time.sleep(chance.around(120_000))
    till.pay(invoice)
    for (let tries = 0; tries < 4; tries++) {
      await time.sleep(60_000 + chance.around(900_000))
      if (till.statusOf(invoice) !== 'confirmed' && chance.is(0.5)) continue
      const wanted = chance.is(0.3) ? [name, chance.pick(WANTED)] : [name]
      const replies = await Promise.all(wanted.map((one) => claim(person, one)))
      if (replies.some((reply) => reply?.status === 201)) return
    }
  }

  /** Public answers agree with each other and with the model. */
  async function look(name: string): Promise<void> {
    const [before, isAlone] = [disturbances, inFlight === 0]
    inFlight += 1
    try {
      const asked = encodeURIComponent(name)
      const read = async (url: string) => {
        const { status, body } = await authority.ask({
          method: 'GET',
          url,
          headers: { 'x-real-ip': `198.51.100.${chance.whole(1, 250)}` },
        })
        return { status, json: JSON.parse(body) as Readonly<Record<string, unknown>> }
      }
      const [doc, profile, state] = await Promise.all([
        read(`/.well-known/nostr.json?name=${asked}`),
        read(`/api/v1/profile/${asked}`),
        read(`/api/v1/name/${asked}`),
      ])
      await ledger.catchUp()
      const folded = name.toLowerCase()
      const { model } = ledger
      // An import takes over names that are too short for the settings; they do not resolve.
      const isHidden = model.isSuspended(folded) || (folded !== '_' && model.stateOf(folded) === 'invalid')
      const key = isHidden ? undefined : model.holders.get(folded)
      trace.note('reader', 'looks', `${name} ${doc.status} ${profile.status} ${state.json.state}`)
      trace.state(`look: ${state.json.state}`)
      if (!isAlone || before !== disturbances) return
      const found = (doc.json.names as Readonly<Record<string, string>>)[folded]
      if (found !== key) ledger.wrong(7, `nostr.json says that ${folded} belongs to ${found}, and it is ${key}`)
      if (profile.json.pubkey !== key) ledger.wrong(7, `the profile of ${folded} has another key`)
      if (state.json.state !== model.stateOf(folded))
        ledger.wrong(7, `${folded} is said to be ${state.json.state}, and is ${model.stateOf(folded)}`)
    } catch (thrown) {
      if (!(thrown instanceof NoAnswerInWorld)) throw thrown
    } finally {
      inFlight -= 1
    }
  }

  async function act(person: Person): Promise<void> {
    const deed = chance.weighted(DEEDS)
    const held = ledger.model.nameOf(person.signer.pubkey)
    trace.happening(`holder: ${deed}`)
    if (deed === 'claim' || (deed === 'claim again' && held === undefined)) await claim(person, chance.pick(WANTED))
    else if (deed === 'claim again') await claim(person, held ?? '')
    else if (deed === 'release') await release(person, held ?? chance.pick(WANTED))
    else if (deed === 'release what is not theirs')
      await release(person, chance.pick([...ledger.model.holders.keys(), 'nothing']))
    else if (deed === 'look') await look(chance.pick(WANTED))
    else if (deed === 'quote')
      await send(person, {
        ...{ verb: 'quote', about: 'name', method: 'POST', path: '/api/v1/quote' },
        payload: { resource: chance.pick(['name', 'name', 'write', 'moon']) },
      })
    else if (deed === 'tamper') await claim(person, chance.pick(WANTED), chance.pick(TAMPERINGS))
    else if (deed === 'replay' && captured.length > 0) await again(chance.pick(captured), chance.around(20_000))
    else if (deed === 'claim two at once')
      await Promise.all([claim(person, chance.pick(WANTED)), claim(person, chance.pick(WANTED))])
    else if (deed === 'all want one') {
      const name = chance.pick(WANTED)
      await Promise.all(people.slice(0, 4).map((one) => claim(one, name)))
    } else if (deed === 'pay') await payAndClaim(person, chance.pick(WANTED))
  }

  return {
    people: people as readonly Person[],
    disturb,
    send,
    claim,
    release,
    look,
    /** After the clock was put right: what was sent lately is sent again, and who has to wait does not. */
    async tryLuck(): Promise<void> {
      await Promise.all(captured.slice(-4).map((sent) => again(sent, chance.whole(0, 200))))
      const waiting = people.filter(({ signer }) => ledger.model.cooldownOf(signer.pubkey) > time.now())
      for (const person of waiting) await claim(person, chance.pick(WANTED))
    },
    wanted: WANTED as readonly string[],
    /** One visit of some people, each after some time. */
    async visit(): Promise<void> {
      const visitors = Array.from({ length: chance.whole(1, 4) }, () => chance.pick(people))
      await Promise.all(
        visitors.map(async (person) => {
          await time.sleep(chance.around(3000))
          await act(person)
        }),
      )
    },
  }
}

export type People = ReturnType<typeof createPeople>
