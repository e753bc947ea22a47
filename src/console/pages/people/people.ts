// Who is signed in, and who did what: for operators.
import type { Clock } from '../../../lib/ports.js'
import type { ActionRequest, ConsoleAction, ConsoleArea, ConsolePage, PageRequest } from '../../area.js'
import { noSuchPerson, noSuchSession } from '../../errors.js'
import type { AuditEntry, ConsoleStore, PersonRecord, Session } from '../../ports.js'

const PER_PAGE = 50

export interface PeopleParts {
  readonly store: ConsoleStore
  readonly clock: Pick<Clock, 'now'>
}

export const createPeopleArea = (parts: PeopleParts): ConsoleArea => ({
  id: 'people',
  pages: [peoplePage(parts), sessionsPage(parts), auditPage(parts)],
  actions: [endSession(parts), removePerson(parts)],
})

const peoplePage = ({ store }: PeopleParts): ConsolePage => ({
  path: '/people',
  title: 'People',
  least: 'operator',
  navigation: { label: 'People', order: 900 },
  async render(request) {
    const people = await store.people()
    return { body: request.view('people/people', { rows: people.map((one) => personRow(one, request)) }) }
  },
})

const personRow = ({ name, role, createdAt, passkeys, usedAt }: PersonRecord, { view }: PageRequest) => [
  name,
  role,
  { html: view('parts/ago', { at: createdAt }) },
  passkeys,
  usedAt === null ? null : { html: view('parts/ago', { at: usedAt }) },
  { html: view('people/remove-person', { name }) },
]

const removePerson = ({ store, clock }: PeopleParts): ConsoleAction => ({
  path: '/people/remove',
  id: 'person.remove',
  least: 'operator',
  fields: { name: { max: 40 } },
  object: ({ form }) => form.name ?? '',
  async confirm({ form: { name = '' } }) {
    const person = (await store.people()).find((one) => one.name === name)
    if (!person) throw noSuchPerson(name)
    return {
      question: `Remove ${name}?`,
      facts: [
        ['Name', name],
        ['Role', person.role],
        ['Passkeys', String(person.passkeys)],
      ],
      consequence: 'Passkeys are deleted, open links of this name stop working, and sessions end at once.',
      verb: 'Remove',
      back: '/people',
    }
  },
  async perform({ form: { name = '' }, person }) {
    if (!(await store.removePerson(name, { at: clock.now(), by: person.name }))) throw noSuchPerson(name)
    return { to: '/people', flash: { tone: 'good', text: `${name} was removed.` } }
  },
})

const sessionsPage = ({ store }: PeopleParts): ConsolePage => ({
  path: '/sessions',
  title: 'Sessions',
  least: 'operator',
  navigation: { label: 'Sessions', order: 910 },
  async render(request) {
    const sessions = await store.liveSessions(request.now)
    return { body: request.view('people/sessions', { rows: sessions.map((one) => sessionRow(one, request)) }) }
  },
})

const sessionRow = (session: Session, { view, person }: PageRequest): readonly unknown[] => [
  session.name,
  session.role,
  { html: view('parts/ago', { at: session.createdAt }) },
  { html: view('parts/ago', { at: session.usedAt }) },
  session.address,
  { text: browserName(session.browser), title: session.browser },
  { html: view('people/end-session', { id: session.id, own: session.id === person.session }) },
]

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** What people call it; the whole text where none is known. */
function browserName(agent: string): string {
  const name = BROWSERS.find(([mark]) => mark.test(agent))?.[1]
  const device = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0]
  if (name === undefined) return agent.slice(0, 30)
  return device === undefined ? name : `${name}, ${device.replace('Mac OS X', 'Mac')}`
}

const endSession = ({ store, clock }: PeopleParts): ConsoleAction => ({
  path: '/sessions/:id/end',
  id: 'session.end',
  least: 'operator',
  fields: {},
  object: ({ params }) => params.id ?? '',
  async perform({ params: { id = '' }, person }: ActionRequest) {
    if (!(await store.endSession(id, { at: clock.now(), by: person.name }))) throw noSuchSession(id)
    return { to: '/sessions', flash: { tone: 'good', text: 'The session has ended.' } }
  },
})

const auditPage = ({ store }: PeopleParts): ConsolePage => ({
  path: '/audit',
  title: 'Audit log',
  least: 'operator',
  navigation: { label: 'Audit log', order: 920 },
  async render(request) {
    const { before } = request.query
    const { items, next } = await store.auditPage(PER_PAGE, before)
    const body = request.view('people/audit', {
      rows: items.map((entry) => auditRow(entry, request)),
      first: before === undefined ? null : '/console/audit',
      next: next === null ? null : `/console/audit?before=${encodeURIComponent(next)}`,
    })
    return { body }
  },
})

const auditRow = (entry: AuditEntry, { view }: PageRequest): readonly unknown[] => [
  { html: view('parts/time', { at: entry.at }) },
  entry.person,
  entry.action,
  entry.object,
  Object.entries(entry.values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', '),
  outcomeTag(entry.outcome),
]

function outcomeTag(outcome: string | null): { readonly text: string; readonly tone: string } {
  if (outcome === null) return { text: 'not finished', tone: 'warn' }
  if (outcome === 'done') return { text: outcome, tone: 'good' }
  return { text: outcome, tone: outcome.startsWith('refused') ? 'warn' : 'bad' }
}
