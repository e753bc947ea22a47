// The questions of `setup relay`, in the order in which they are asked; those that are not asked can be given. By default nine of them are.
import { hostPort, parseUrl } from '../../lib/url.js'
import {
  type Answers,
  type AnswersOf,
  asSetting,
  baseUrlOf,
  lowerCase,
  notEmpty,
  oneWordOf,
  type Questions,
  withoutSlashes,
  wordList,
  YES_NO,
} from '../question.js'
import { presentProfile, profileChanges } from './profile.js'

/** Who may publish what: `profile.ts` has the settings. */
const PROFILES = ['payments', 'members', 'everybody']

/** Shown above the question. */
const PROFILES_EXPLAINED = [
  'payments: gift wraps, profiles and lists, as wallets need them; public notes from no one.',
  'members: the same, and public notes (kinds 1 and 30023) of the keys that you list.',
  'everybody: events of every kind and any age from anyone. This brings spam: set limits.events_per_min_per_connection and retention.max_events or retention.persist_days.',
].join('\n')

/** Where the name authority is (specification: relay, 10). */
const AUTHORITIES = ['none', 'in-process', 'beside', 'elsewhere']
const PROXIES = ['caddy', 'nginx', 'none']
/** The words for an empty list and for no end. */
const NO_KEYS = 'nobody'
const FOREVER = 'forever'

const USUAL_AUTHORITY = 'http://127.0.0.1:8191'

const orNobody = (text: string): string => (['', 'none', NO_KEYS].includes(lowerCase(text)) ? NO_KEYS : text)
const orForever = (text: string): string => (['', '0', 'none', FOREVER].includes(lowerCase(text)) ? FOREVER : text)

/** A host alone stands for its usual address. */
const relayAddress = (text: string): string =>
  text
    .split(',')
    .map((one) => {
      const address = withoutSlashes(one.trim()).replace(/^http(s?):\/\//i, 'ws$1://')
      return address === '' || address.includes('://') ? address : `wss://${address}`
    })
    .join(',')

/** The host of the first address; undefined for none. */
export function hostOfRelay({ relay_url: urls = '' }: Answers): string | undefined {
  const [first = ''] = urls.split(',')
  return parseUrl(first)?.hostname
}

const isUpstream = ({ authority }: Answers): boolean => authority === 'beside' || authority === 'elsewhere'
const isInProcess = ({ authority }: Answers): boolean => authority === 'in-process'

export const RELAY_QUESTIONS = {
  relay_url: {
    message: 'Public address of the relay, such as wss://relay.example',
    flag: 'public address of the relay; a host alone stands for wss://',
    value: 'URL',
    tidy: relayAddress,
    setting: 'info.relay_url',
    rule: notEmpty('must be an address', asSetting('info.relay_url')),
    look: 'relay',
  },
  name: {
    message: 'Its name',
    flag: 'its name in the relay document (NIP-11) and on its page',
    value: 'TEXT',
    optional: true,
    asked: false,
    setting: 'info.name',
  },
  description: {
    message: 'One line about it',
    flag: 'one line about it',
    value: 'TEXT',
    optional: true,
    asked: false,
    setting: 'info.description',
  },
  contact: {
    message: 'Contact',
    flag: 'how to reach the operator, such as mailto:relay@example.com',
    value: 'TEXT',
    optional: true,
    asked: false,
    setting: 'info.contact',
  },
  bind: {
    message: 'Listen on',
    flag: 'where to listen (127.0.0.1:7777)',
    value: 'HOST:PORT',
    initial: '127.0.0.1:7777',
    rule: asSetting('NAMEAUTH_NAMES_BIND'),
    writes: ({ bind = '' }) => {
      const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(bind) ?? []
      return { 'network.address': host, 'network.port': port }
    },
    readBack: (present) =>
      hostPort(present.get('network.address') ?? '127.0.0.1', Number(present.get('network.port') ?? '7777')),
    look: 'port',
  },
  data_dir: {
    message: 'Folder for the database',
    flag: 'folder for the database',
    value: 'DIR',
    initial: (_, { dataDir }) => dataDir,
    setting: 'database.data_directory',
    // It stands in the unit too, where blanks and percent signs mean something.
    rule: (text, { isPortable }) =>
      text !== '' && isPortable(text) && !/[\s%]/.test(text)
        ? undefined
        : 'must be a path without blanks, quotes and %',
  },
  authority: {
    message: `Names, NIP-05: ${wordList(AUTHORITIES)}`,
    flag: 'who answers for names: no authority, this process, a name authority on this machine, or one elsewhere of which this host carries the document alone',
    initial: (_, { namesAt }) => (namesAt === undefined ? 'none' : 'beside'),
    ...oneWordOf(AUTHORITIES),
    writes: (answers) => ({
      'authority.mode': isUpstream(answers) ? 'upstream' : undefined,
      'authority.colocated': answers.authority === 'elsewhere' ? 'false' : undefined,
      'name_authority.enabled': isInProcess(answers) ? 'true' : undefined,
    }),
    readBack: (present) => {
      const isEnabled = present.get('name_authority.enabled') === 'true'
      const mode = present.get('authority.mode') ?? (isEnabled ? 'in-process' : 'off')
      if (mode === 'off' || mode === 'in-process') return mode === 'off' ? 'none' : mode
      return present.get('authority.colocated') === 'false' ? 'elsewhere' : 'beside'
    },
  },
  domain: {
    message: 'Domain of the names, behind the @',
    flag: 'with --authority in-process: what stands behind the @ (the host of the relay)',
    value: 'HOST',
    applies: isInProcess,
    initial: hostOfRelay,
    tidy: lowerCase,
    setting: 'name_authority.domain',
    // What is not said, such as reserved names or rates, stays for the day it counts again.
    writes: ({ domain }, present) =>
      domain === undefined
        ? {}
        : {
            'name_authority.domain': domain,
            'name_authority.base_url': baseUrlOf(present.get('name_authority.base_url'), domain),
          },
  },
  authority_url: {
    message: 'Address of the name authority',
    flag: 'with --authority beside or elsewhere: its address (http://127.0.0.1:8191)',
    value: 'URL',
    applies: isUpstream,
    initial: ({ authority }, { namesAt }) => (authority === 'beside' ? (namesAt ?? USUAL_AUTHORITY) : undefined),
    tidy: withoutSlashes,
    setting: 'authority.upstream',
    writes: ({ authority_url: url }) => (url === undefined ? {} : { 'authority.upstream': url }),
    look: 'authority',
  },
  profile: {
    about: PROFILES_EXPLAINED,
    message: `Who may publish: ${wordList(PROFILES)}`,
    flag: 'who may publish: payments (no public notes), members (public notes of listed keys), everybody (every kind from anyone; set limits against spam)',
    initial: 'payments',
    ...oneWordOf(PROFILES),
    writes: profileChanges,
    readBack: (present) => presentProfile(present).profile,
  },
  note_authors: {
    message: 'Who may publish notes: npubs with commas',
    flag: 'with --profile members: who may publish notes and articles, npubs with commas',
    value: 'KEYS',
    applies: ({ profile }) => profile === 'members',
    rule: notEmpty('must be npubs with commas', (text, { refusal }) =>
      text === NO_KEYS ? undefined : refusal('management.admins', text),
    ),
    readBack: (present) => presentProfile(present).note_authors,
  },
  private_wraps: {
    message: 'Gift wraps to their recipients only, NIP-42: yes or no',
    flag: 'whether gift wraps are given to their recipients only (NIP-42)',
    initial: 'no',
    ...YES_NO,
    // Who switches this off does not want clients asked for other reasons either, unless the file says so.
    writes: ({ private_wraps: wraps }, present) => ({
      'authorization.gift_wraps_to_recipient': wraps === 'yes' ? 'true' : undefined,
      ...(wraps === 'yes' &&
        present.get('authorization.nip42_auth') === 'false' && { 'authorization.nip42_auth': undefined }),
    }),
    readBack: (present) => (present.get('authorization.gift_wraps_to_recipient') === 'true' ? 'yes' : 'no'),
  },
  keep_days: {
    message: `Days that events are kept, gift wraps aside, or ${FOREVER}`,
    flag: 'days after which events go, or forever; gift wraps always stay',
    value: 'DAYS',
    initial: FOREVER,
    tidy: orForever,
    setting: 'retention.persist_days',
    unset: FOREVER,
  },
  admins: {
    message: `Who may manage it over HTTP, NIP-86: npubs, or ${NO_KEYS}`,
    flag: 'who may manage the relay over HTTP (NIP-86): npubs with commas, or none',
    value: 'KEYS',
    initial: NO_KEYS,
    tidy: orNobody,
    setting: 'management.admins',
    unset: NO_KEYS,
  },
  proxy: {
    message: `Proxy in front: ${wordList(PROXIES)}`,
    flag: 'the proxy to write a site for',
    asked: ({ isService }) => isService,
    initial: ({ relay_url: url = '' }, { isService, proxy }) =>
      isService && url.startsWith('wss://') ? (proxy ?? 'caddy') : 'none',
    ...oneWordOf(PROXIES),
  },
} satisfies Questions
export type RelayKey = keyof typeof RELAY_QUESTIONS
export type RelayAnswers = AnswersOf<RelayKey>
