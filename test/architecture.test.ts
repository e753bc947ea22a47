// Who may import whom. The table is the rule; ARCHITECTURE.md draws it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

type Directions = { readonly values: readonly string[]; readonly typesOnly?: readonly string[] }

const MAY_IMPORT: Readonly<Record<string, Directions>> = {
  commands: { values: ['cli', 'wizard', 'daemons', 'doctor', 'lib'], typesOnly: ['client', 'config', 'authority'] },
  cli: { values: ['client', 'config', 'storage', 'system', 'grin', 'lib'] },
  wizard: { values: ['config', 'client', 'nostr', 'grin', 'storage', 'system', 'lib'] },
  daemons: {
    values: [
      'config',
      'till',
      'authority',
      'relay',
      'console',
      'storage',
      'chain',
      'rates',
      'tor',
      'client',
      'workers',
      'http',
      'nostr',
      'grin',
      'system',
      'sandbox',
      'backup',
      'lib',
    ],
  },
  doctor: { values: ['config', 'client', 'storage', 'chain', 'nostr', 'tor', 'grin', 'backup', 'system', 'lib'] },
  sandbox: { values: ['grin', 'nostr', 'system', 'lib'], typesOnly: ['client'] },
  backup: { values: ['lib'] },
  till: { values: ['grin', 'nostr', 'http', 'lib'] },
  authority: { values: ['grin', 'nostr', 'http', 'lib'] },
  relay: { values: ['http', 'nostr', 'lib'] },
  console: { values: ['grin', 'http', 'lib'] },
  storage: { values: ['nostr', 'lib'], typesOnly: ['till', 'authority', 'console', 'grin', 'relay'] },
  chain: { values: ['lib'], typesOnly: ['authority', 'till'] },
  rates: { values: ['lib'], typesOnly: ['till'] },
  tor: { values: ['lib'] },
  client: { values: ['lib'], typesOnly: ['till', 'authority', 'relay'] },
  workers: { values: ['prover', 'grin', 'nostr', 'lib'] },
  prover: { values: ['grin', 'lib'] },
  http: { values: ['lib'] },
  grin: { values: ['curve', 'lib'] },
  nostr: { values: ['curve', 'lib'] },
  library: { values: ['wallet', 'grin', 'prover', 'lib'] },
  wallet: { values: ['grin', 'lib'] },
  curve: { values: [] },
  config: { values: ['lib'], typesOnly: ['relay'] },
  system: { values: ['lib'] },
  lib: { values: [] },
}

/** The operator's pages of a module. They may import the console; nothing of their module imports them, and no other module's pages do. */
const OWN_PAGES = /^(till|authority|relay)\/console\//

/** Only these files may name the thing on the left: replaceable, testable, reviewable. */
const ONLY_IN: readonly { readonly what: RegExp; readonly where: RegExp; readonly name: string }[] = [
  { name: 'the PostgreSQL client', what: /from 'pg'|import\('pg'\)/, where: /^storage\/postgres\/driver\.ts$/ },
  {
    name: 'the PostgreSQL adapters',
    what: /^(?:import|export) (?!type).*from '[^']*\/postgres\//m,
    where: /^storage\/postgres\//,
  },
  { name: 'binary results of PostgreSQL', what: /\bbinary: *true/, where: /^nowhere$/ },
  { name: 'libsql', what: /from '(libsql)'|import\('libsql'\)/, where: /^storage\/sqlite\/sqlite\.ts$/ },
  {
    name: 'websockets',
    what: /from 'ws'|import\('ws'\)/,
    where: /^(system\/web-socket\.ts|relay\/sockets\/client-socket\.ts)$/,
  },
  { name: 'process.env', what: /process\.env/, where: /^(config\/env\.ts|system\/.*)$/ },
  {
    name: 'the clock',
    what: /Date\.now\(|new Date\(\)|performance\.now\(/,
    where: /^(system\/clock|client\/shop\/events|library\/surroundings)\.ts$/,
  },
  {
    name: 'randomness',
    what: /randomBytes|Math\.random|getRandomValues|randomUUID/,
    where: /^(system\/random|library\/surroundings)\.ts$/,
  },
  { name: 'the payer', what: /\/payer\/index\.js'/, where: /^(sandbox|library|wallet|grin\/payer)\// },
  {
    name: 'HTTP (of the services)',
    what: /\/http\/index\.js'/,
    where: /^(till\/(routes|pages|console)|(authority|relay)\/routes|console\/http|daemons|http)\//,
  },
  // False for letters of Latin-1 once optimised (Node 20): lib/url.ts.
  { name: 'URL.canParse', what: /URL\.canParse\(/, where: /^nowhere$/ },
  { name: 'the C library of signatures', what: /curve\/native\.js'/, where: /^nostr\/keys\/key-pair\.ts$/ },
  { name: 'curve code', what: /from '@noble\/curves/, where: /^(curve|grin|nostr)\// },
]

/** Rules that are data and import nothing: an adapter reads them instead of repeating them. */
const TABLES: Readonly<Record<string, RegExp>> = {
  storage:
    /^(?:till\/(?:invoices\/transitions|model)|authority\/model|relay\/policy\/lists|console\/sign-in\/(?:lifetimes|roles))\.js$/,
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const moduleOf = (file: string): string => file.split('/')[0] ?? ''

/** `index.ts` of a module; grin and nostr have one front door per sub-folder; daemons are separate entries; an operator's commands need no HTTP, a module's pages are loaded with the console only, the policy as a program no relay, and a wallet no vault. curve has a second one, so that grin carries no C library; prover has two more, so that the relay loads no proofs and a browser nothing of Node; wizard has its questions, so that flags load nothing else. */
function isFrontDoor(to: string): boolean {
  if (
    /^daemons\/[a-z-]+\.js$/.test(to) ||
    /^(authority\/admin|relay\/policy|wallet\/vault|(?:till|authority|relay)\/console)\/index\.js$/.test(to)
  )
    return true
  return (
    /^[a-z]+\/index\.js$/.test(to) ||
    to === 'curve/native.js' ||
    to === 'wizard/questions.js' ||
    /^prover\/(node|range-requests)\.js$/.test(to) ||
    /^(grin|nostr)\/[a-z0-9-]+\/index\.js$/.test(to) ||
    /^lib\/[a-z0-9-]+\.js$/.test(to)
  )
}

/** The imports of other modules, and which of them are of types only. */
function importsOf(file: string) {
  const text = readFileSync(join('src', file), 'utf8')
  const imports = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'(\.{1,2}\/[^']+)'|import\(\s*'(\.{1,2}\/[^']+)'\s*\)/g,
    ),
  ]
  return imports
    .map(([, typeOnly, from, lazy]) => ({ typeOnly, to: normalize(join(dirname(file), from ?? lazy ?? '')) }))
    .filter(({ to }) => moduleOf(to) !== moduleOf(file) || OWN_PAGES.test(to) > OWN_PAGES.test(file))
}

function violationsOf(file: string): string[] {
  return importsOf(file).flatMap(({ typeOnly, to }) => {
    const [here, there] = [moduleOf(file), moduleOf(to)]
    if (TABLES[here]?.test(to)) return []
    if (here === there) return [`${file} loads the pages of its console`]
    const directions = MAY_IMPORT[here]
    const ofPages = OWN_PAGES.test(file) ? ['console'] : []
    const allowed = [...ofPages, ...(directions?.values ?? []), ...(typeOnly ? (directions?.typesOnly ?? []) : [])]
    if (!allowed.includes(there)) return [`${file} must not import ${typeOnly ? 'types of ' : ''}${there}`]
    return isFrontDoor(to) ? [] : [`${file} reaches into ${to}; use the front door of ${there}`]
  })
}

test('the rule sees the code', () => expect(files.length).toBeGreaterThan(3))

test('modules import only downwards and only through the front door', () => {
  expect(files.flatMap(violationsOf)).toEqual([])
})

/** What may hold a secret: an invoice its token, a message its sealed text, a till everything. Pages know rows without them. */
const SECRET =
  /import (?:type )?\{[^}]*\b(?:Till|TillStore|Invoice|Payment|Delivery|Letter|Wallet)\b[^}]*\} from '(?:\.\.\/)+[\w/-]+\.js'/
/** They read the till for its pages, and answer without secrets (`test/till/console/view.test.ts`). */
const READERS = /^till\/console\/(?:view|search|pos\/sales|reports\/jobs)\.ts$/

test('no page of the till knows a type that holds a secret', () => {
  const pages = files.filter((file) => file.startsWith('till/console/'))
  const secret = pages.filter((file) => SECRET.test(readFileSync(join('src', file), 'utf8')))
  expect(secret.filter((file) => !READERS.test(file))).toEqual([])
  expect(secret.length).toBeGreaterThan(1)
})

test('a direction without an import is not allowed either', () => {
  const allowed = Object.entries(MAY_IMPORT).flatMap(([here, { values, typesOnly = [] }]) =>
    [...values, ...typesOnly].map((there) => `${here} imports ${there}`),
  )
  const taken = new Set(
    files.flatMap((file) => importsOf(file).map(({ to }) => `${moduleOf(file)} imports ${moduleOf(to)}`)),
  )
  expect(allowed.filter((direction) => !taken.has(direction))).toEqual([])
})

test.each(ONLY_IN)('only one place touches $name', ({ what, where }) => {
  const offenders = files.filter((file) => !where.test(file) && what.test(readFileSync(join('src', file), 'utf8')))
  expect(offenders).toEqual([])
})
