// The questions of `setup relay`, in the order in which they are asked. By default nine of them are.

import { refusalForSetting } from '../../config/index.js'
import { parseUrl } from '../../lib/url.js'
import { parseAnswers } from '../answers.js'
import { isPortable } from '../env-file.js'
import type { AnswersOf, Question } from '../question.js'
import { oneWordOf, wordList, YES_NO } from '../worded.js'

const RELAY_KEYS = [
  'relay_url',
  'name',
  'description',
  'contact',
  'bind',
  'data_dir',
  'authority',
  'domain',
  'authority_url',
  'profile',
  'note_authors',
  'private_wraps',
  'keep_days',
  'admins',
  'proxy',
] as const
export type RelayKey = (typeof RELAY_KEYS)[number]
export type RelayAnswers = AnswersOf<RelayKey>

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export const parseRelayAnswers = (text: string): RelayAnswers => parseAnswers(RELAY_KEYS, text)

/** Defaults that depend on where the relay is set up. */
export interface Around {
  readonly dataDir: string
  /** Where a name authority of this machine listens; undefined: there is none. */
  readonly namesAt: string | undefined
  /** The proxy that is there. */
  readonly proxy: 'caddy' | 'nginx' | undefined
  /** Whether unit and proxy are written at all: not at a first start by hand. */
  readonly isService: boolean
}

/** Who may publish what: `profile.ts` has the settings. */
const PROFILES = ['payments', 'members', 'everybody'] as const

/** Shown above the question. */
const PROFILES_EXPLAINED = [
  'payments: gift wraps, profiles and lists, as wallets need them; public notes from no one.',
  'members: the same, and public notes (kinds 1 and 30023) of the keys that you list.',
  'everybody: events of every kind and any age from anyone. This brings spam: set limits.events_per_min_per_connection and retention.max_events or retention.persist_days.',
].join('\n')

/** Where the name authority is (specification: relay, 10). */
const AUTHORITIES = ['none', 'in-process', 'beside', 'elsewhere'] as const
const PROXIES = ['caddy', 'nginx', 'none'] as const
/** The words for an empty list and for no end. */
export const NO_KEYS = 'nobody'
export const FOREVER = 'forever'

const USUAL_AUTHORITY = 'http://127.0.0.1:8191'

type Refusal = (text: string) => string | undefined

const asSetting =
  (name: string): Refusal =>
  (text) =>
    refusalForSetting(name, text)
const isAddress: Refusal = (text) =>
  text === '' ? 'must be an address' : refusalForSetting('RELAY_INFO_RELAY_URL', text)
const isKeys: Refusal = (text) => (text === NO_KEYS ? undefined : refusalForSetting('RELAY_MANAGEMENT_ADMINS', text))
const isListed: Refusal = (text) => (text === '' ? 'must be npubs with commas' : isKeys(text))
const isDays: Refusal = (text) =>
  text === FOREVER ? undefined : refusalForSetting('RELAY_RETENTION_PERSIST_DAYS', text)
/** It stands in the unit too, where blanks and percent signs mean something. */
const isFolder: Refusal = (text) =>
  text !== '' && isPortable(text) && !/[\s%]/.test(text) ? undefined : 'must be a path without blanks, quotes and %'

const lower = (text: string): string => text.toLowerCase()
const orNobody = (text: string): string => (['', 'none', NO_KEYS].includes(lower(text)) ? NO_KEYS : text)
const orForever = (text: string): string => (['', '0', 'none', FOREVER].includes(lower(text)) ? FOREVER : text)

/** A host alone stands for its usual address. */
const relayAddress = (text: string): string =>
  text
    .split(',')
    .map((one) => {
      const address = one
        .trim()
        .replace(/\/+$/, '')
        .replace(/^http(s?):\/\//i, 'ws$1://')
      return address === '' || address.includes('://') ? address : `wss://${address}`
    })
    .join(',')

/** The host of the first address; undefined for none. */
export function hostOfRelay({ relay_url: urls = '' }: RelayAnswers): string | undefined {
  const [first = ''] = urls.split(',')
  return parseUrl(first)?.hostname
}

export const isUpstream = ({ authority }: RelayAnswers): boolean => authority === 'beside' || authority === 'elsewhere'
const isInProcess = ({ authority }: RelayAnswers): boolean => authority === 'in-process'

/** In the order they are asked; those that are not asked can be given. */
export const relayQuestions = ({ dataDir, namesAt, proxy, isService }: Around): readonly Question<RelayKey>[] => [
  {
    key: 'relay_url',
    message: 'Public address of the relay, such as wss://relay.example',
    tidy: relayAddress,
    refusal: isAddress,
  },
  { key: 'name', message: 'Its name', optional: true, asked: false, refusal: asSetting('RELAY_INFO_NAME') },
  {
    key: 'description',
    message: 'One line about it',
    optional: true,
    asked: false,
    refusal: asSetting('RELAY_INFO_DESCRIPTION'),
  },
  { key: 'contact', message: 'Contact', optional: true, asked: false, refusal: asSetting('RELAY_INFO_CONTACT') },
  { key: 'bind', message: 'Listen on', initial: () => '127.0.0.1:7777', refusal: asSetting('NAMEAUTH_NAMES_BIND') },
  { key: 'data_dir', message: 'Folder for the database', initial: () => dataDir, refusal: isFolder },
  {
    key: 'authority',
    message: `Names, NIP-05: ${wordList(AUTHORITIES)}`,
    initial: () => (namesAt === undefined ? 'none' : 'beside'),
    ...oneWordOf(AUTHORITIES),
  },
  {
    key: 'domain',
    message: 'Domain of the names, behind the @',
    applies: isInProcess,
    initial: hostOfRelay,
    tidy: lower,
    refusal: asSetting('RELAY_NAME_AUTHORITY_DOMAIN'),
  },
  {
    key: 'authority_url',
    message: 'Address of the name authority',
    applies: isUpstream,
    initial: ({ authority }) => (authority === 'beside' ? (namesAt ?? USUAL_AUTHORITY) : undefined),
    tidy: (text) => text.replace(/\/+$/, ''),
    refusal: asSetting('RELAY_AUTHORITY_URL'),
  },
  {
    key: 'profile',
    about: PROFILES_EXPLAINED,
    message: `Who may publish: ${wordList(PROFILES)}`,
    initial: () => 'payments',
    ...oneWordOf(PROFILES),
  },
  {
    key: 'note_authors',
    message: 'Who may publish notes: npubs with commas',
    applies: ({ profile }) => profile === 'members',
    refusal: isListed,
  },
  {
    key: 'private_wraps',
    message: 'Gift wraps to their recipients only, NIP-42: yes or no',
    initial: () => 'no',
    ...YES_NO,
  },
  {
    key: 'keep_days',
    message: `Days that events are kept, gift wraps aside, or ${FOREVER}`,
    initial: () => FOREVER,
    tidy: orForever,
    refusal: isDays,
  },
  {
    key: 'admins',
    message: `Who may manage it over HTTP, NIP-86: npubs, or ${NO_KEYS}`,
    initial: () => NO_KEYS,
    tidy: orNobody,
    refusal: isKeys,
  },
  {
    key: 'proxy',
    message: `Proxy in front: ${wordList(PROXIES)}`,
    asked: isService,
    initial: ({ relay_url: url = '' }) => (isService && url.startsWith('wss://') ? (proxy ?? 'caddy') : 'none'),
    ...oneWordOf(PROXIES),
  },
]
