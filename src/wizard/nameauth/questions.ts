// The questions of `setup nameauth`, in the order of the originals (specification: names, 11).
import { basename, dirname, join } from 'node:path'
import {
  type Answers,
  type AnswersOf,
  asSetting,
  baseUrlOf,
  lowerCase,
  notEmpty,
  oneWordOf,
  type Questions,
  type Rule,
  withoutSlashes,
  YES_NO,
} from '../question.js'

/** Public nodes of the main network, best first. */
const NODES = ['https://main.gri.mw/v2/foreign', 'https://api.grin.money/v2/foreign']

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)
const PRICES: Readonly<Record<string, string>> = {
  name: 'NAMEAUTH_NAME_PRICE_GRIN',
  write: 'NAMEAUTH_WRITE_PRICE_GRIN',
}

/** Every answer ends up in a file that several programs read. */
const portable =
  (rule: Rule): Rule =>
  (text, schema) =>
    schema.isPortable(text) ? rule(text, schema) : 'must not contain quotes, backslashes, $ or backquotes'
const isPath = portable(notEmpty('must be a path'))

export const isPaid = ({ pay_mode: mode }: Answers): boolean => mode === 'name' || mode === 'write'
const sellsOn = ({ transfers }: Answers): boolean => transfers === 'yes'

export const NAMEAUTH_QUESTIONS = {
  domain: {
    message: 'Domain of the names, behind the @',
    flag: 'what stands behind the @ of every name',
    value: 'HOST',
    tidy: lowerCase,
    rule: (text) => (HOST.test(text) ? undefined : 'must be a host name such as names.example'),
    setting: 'NAMEAUTH_DOMAIN',
    writes: ({ domain }, present) => ({
      NAMEAUTH_DOMAIN: domain,
      NAMEAUTH_BASE_URL: baseUrlOf(present.get('NAMEAUTH_BASE_URL'), domain),
    }),
    look: 'domain',
  },
  relays: {
    message: 'Relays that name documents advertise',
    flag: 'relays that name documents advertise, with commas (wss://<domain>)',
    value: 'URLS',
    initial: ({ domain }) => (domain === undefined ? undefined : `wss://${domain}`),
    // Without a domain that alone is the problem.
    optional: true,
    asked: false,
    setting: 'NAMEAUTH_RELAYS',
    rule: portable(asSetting('NAMEAUTH_RELAYS')),
    // Relays that only follow from the domain go with it.
    readBack: (present) => {
      const relays = present.get('NAMEAUTH_RELAYS')
      return relays === `wss://${present.get('NAMEAUTH_DOMAIN')}` ? undefined : relays
    },
  },
  bind: {
    message: 'Listen on',
    flag: 'where to listen (127.0.0.1:8191)',
    value: 'HOST:PORT',
    initial: '127.0.0.1:8191',
    setting: 'NAMEAUTH_NAMES_BIND',
    rule: portable(asSetting('NAMEAUTH_NAMES_BIND')),
    look: 'port',
  },
  data_dir: {
    message: 'Folder for the database',
    flag: 'folder for the database',
    value: 'DIR',
    initial: (_, { dataDir }) => dataDir,
    rule: isPath,
    // The file keeps its name.
    writes: ({ data_dir: folder = '' }, present) => ({
      NAMEAUTH_NAMES_DB: join(folder, basename(present.get('NAMEAUTH_NAMES_DB') ?? 'names.db')),
      ...(present.has('NAMEAUTH_DATA_DIR') && { NAMEAUTH_DATA_DIR: folder }),
    }),
    readBack: (present) => {
      const database = present.get('NAMEAUTH_NAMES_DB')
      return database === undefined ? present.get('NAMEAUTH_DATA_DIR') : dirname(database)
    },
  },
  pay_mode: {
    message: 'For sale: off, name or write',
    flag: 'what is for sale: nothing, names, or the right to write to the relay',
    initial: 'off',
    ...oneWordOf(['off', 'name', 'write']),
    setting: 'NAMEAUTH_PAY_MODE',
  },
  price_grin: {
    message: 'Price in GRIN',
    flag: 'price in GRIN (1)',
    value: 'AMOUNT',
    applies: isPaid,
    initial: '1',
    rule: (text, { refusal }) =>
      refusal('NAMEAUTH_NAME_PRICE_GRIN', text) ?? (/[1-9]/.test(text) ? undefined : 'must be more than 0'),
    // The price of the chosen mode only.
    writes: ({ pay_mode: mode, price_grin: price }) =>
      Object.fromEntries(Object.entries(PRICES).map(([one, name]) => [name, one === mode ? price : undefined])),
    readBack: (present) => present.get(PRICES[present.get('NAMEAUTH_PAY_MODE')?.toLowerCase() ?? ''] ?? ''),
  },
  pay_url: {
    message: 'Till that makes the invoices',
    flag: 'address of the till that makes the invoices',
    value: 'URL',
    applies: isPaid,
    initial: (_, { tillAt }) => tillAt,
    tidy: withoutSlashes,
    setting: 'NAMEAUTH_PAY_URL',
    rule: portable(asSetting('NAMEAUTH_PAY_URL')),
    look: 'till',
  },
  pay_token_file: {
    message: 'API token of the till',
    flag: 'file with the API token of the till, - for stdin',
    value: 'FILE',
    applies: isPaid,
    optional: true,
    rule: isPath,
    secret: {
      setting: 'NAMEAUTH_PAY_TOKEN',
      file: 'pay_token',
      what: 'the API token of the till',
      enter: 'add it later',
    },
  },
  pay_webhook_secret_file: {
    message: 'Webhook secret of the till',
    flag: 'file with the webhook secret of the till, - for stdin',
    value: 'FILE',
    applies: isPaid,
    optional: true,
    rule: isPath,
    secret: {
      setting: 'NAMEAUTH_PAY_WEBHOOK_SECRET',
      file: 'pay_webhook_secret',
      what: 'the webhook secret of the till',
      enter: 'none',
    },
  },
  transfers: {
    message: 'May holders sell their names: yes or no',
    flag: 'whether holders may sell their names',
    initial: 'no',
    ...YES_NO,
    writes: (answers) => ({ NAMEAUTH_TRANSFERS: sellsOn(answers) ? 'true' : undefined }),
    readBack: (_, { sells }) => (sells ? 'yes' : undefined),
  },
  node_url: {
    message: 'Grin nodes, best first',
    flag: 'foreign API of Grin nodes, best first, with commas',
    value: 'URLS',
    applies: sellsOn,
    initial: NODES.join(','),
    setting: 'NAMEAUTH_GRIN_NODE_URL',
    rule: portable(notEmpty('must be an address', asSetting('NAMEAUTH_GRIN_NODE_URL'))),
    look: 'nodes',
  },
} satisfies Questions
export type NameauthKey = keyof typeof NAMEAUTH_QUESTIONS
export type NameauthAnswers = AnswersOf<NameauthKey>
