// The questions of `setup nameauth`, in the order of the originals (specification: names, 11).
import { refusalForSetting } from '../../config/index.js'
import { parseAnswers } from '../answers.js'
import { isPortable } from '../env-file.js'
import type { AnswersOf, Question } from '../question.js'
import { oneWordOf, YES_NO } from '../worded.js'

export const NAMEAUTH_KEYS = [
  'domain',
  'relays',
  'bind',
  'data_dir',
  'pay_mode',
  'price_grin',
  'pay_url',
  'pay_token_file',
  'pay_webhook_secret_file',
  'transfers',
  'node_url',
] as const
export type NameauthKey = (typeof NAMEAUTH_KEYS)[number]
export type NameauthAnswers = AnswersOf<NameauthKey>

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export const parseNameauthAnswers = (text: string): NameauthAnswers => parseAnswers(NAMEAUTH_KEYS, text)

/** Defaults that depend on where the authority is set up. */
export interface QuestionContext {
  readonly dataDir: string
  /** Where a till answers. */
  readonly payUrl: string
}

/** Public nodes of the main network, best first. */
const NODES = ['https://main.gri.mw/v2/foreign', 'https://api.grin.money/v2/foreign']

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)

type Refusal = (text: string) => string | undefined

/** Every answer ends up in a file that several programs read. */
const portable =
  (refusal: Refusal): Refusal =>
  (text) =>
    isPortable(text) ? refusal(text) : 'must not contain quotes, backslashes, $ or backquotes'

const asSetting = (name: string) => portable((text) => refusalForSetting(name, text))
const isPath = portable((text) => (text === '' ? 'must be a path' : undefined))
const isHost: Refusal = (text) => (HOST.test(text) ? undefined : 'must be a host name such as names.example')
/** The same for a secret of the till that is typed. */
const isSecret =
  (name: string): Refusal =>
  (text) =>
    refusalForSetting(name, text)
const isPrice: Refusal = (text) =>
  refusalForSetting('NAMEAUTH_NAME_PRICE_GRIN', text) ?? (/[1-9]/.test(text) ? undefined : 'must be more than 0')
const isNodes: Refusal = portable((text) =>
  text === '' ? 'must be an address' : refusalForSetting('NAMEAUTH_GRIN_NODE_URL', text),
)
const isPayUrl: Refusal = asSetting('NAMEAUTH_PAY_URL')

const lower = (text: string): string => text.toLowerCase()

export const isPaid = ({ pay_mode: mode }: NameauthAnswers): boolean => mode === 'name' || mode === 'write'
export const sellsOn = ({ transfers }: NameauthAnswers): boolean => transfers === 'yes'

/** In the order they are asked. */
export const nameauthQuestions = ({ dataDir, payUrl }: QuestionContext): readonly Question<NameauthKey>[] => [
  { key: 'domain', message: 'Domain of the names, behind the @', tidy: lower, refusal: isHost },
  {
    key: 'relays',
    message: 'Relays that name documents advertise',
    initial: ({ domain }) => (domain === undefined ? undefined : `wss://${domain}`),
    // Without a domain that alone is the problem.
    optional: true,
    asked: false,
    refusal: asSetting('NAMEAUTH_RELAYS'),
  },
  { key: 'bind', message: 'Listen on', initial: () => '127.0.0.1:8191', refusal: asSetting('NAMEAUTH_NAMES_BIND') },
  { key: 'data_dir', message: 'Folder for the database', initial: () => dataDir, refusal: isPath },
  {
    key: 'pay_mode',
    message: 'For sale: off, name or write',
    initial: () => 'off',
    ...oneWordOf(['off', 'name', 'write']),
  },
  { key: 'price_grin', message: 'Price in GRIN', applies: isPaid, initial: () => '1', refusal: isPrice },
  {
    key: 'pay_url',
    message: 'Till that makes the invoices',
    applies: isPaid,
    initial: () => payUrl,
    tidy: (text) => text.replace(/\/+$/, ''),
    refusal: isPayUrl,
  },
  {
    key: 'pay_token_file',
    message: 'API token of the till',
    applies: isPaid,
    optional: true,
    hidden: 'add it later',
    hiddenRefusal: isSecret('NAMEAUTH_PAY_TOKEN'),
    refusal: isPath,
  },
  {
    key: 'pay_webhook_secret_file',
    message: 'Webhook secret of the till',
    applies: isPaid,
    optional: true,
    hidden: 'none',
    hiddenRefusal: isSecret('NAMEAUTH_PAY_WEBHOOK_SECRET'),
    refusal: isPath,
  },
  {
    key: 'transfers',
    message: 'May holders sell their names: yes or no',
    initial: () => 'no',
    ...YES_NO,
  },
  {
    key: 'node_url',
    message: 'Grin nodes, best first',
    applies: sellsOn,
    initial: () => NODES.join(','),
    refusal: isNodes,
  },
]
