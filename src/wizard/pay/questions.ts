// The questions of `setup pay`, in the order in which they are asked.
import {
  type Answers,
  type AnswersOf,
  asSetting,
  notEmpty,
  oneWordOf,
  type Questions,
  type Rule,
  withoutSlashes,
  wordList,
  YES_NO,
} from '../question.js'

/** Public nodes of the main network, best first. */
const MAINNET_NODES = ['https://main.gri.mw', 'https://api.grin.money', 'https://grincoin.org']

/** Public relays that customers' wallets use too. */
const RELAYS = ['wss://relay.floonet.dev', 'wss://offchain.pub']

/** Where each kind of shop takes webhooks. */
const SHOP_PATHS: Readonly<Record<string, string>> = {
  woocommerce: '/wp-json/goblinpay/v1/webhook',
  medusa: '/hooks/payment/goblinpay_goblinpay',
}

const SHOPS = ['woocommerce', 'medusa', 'custom', 'none']
const CHAINS = ['mainnet', 'testnet', 'usernet']

/** Where Debian's tor listens for controllers without a change of its configuration. */
const TOR_CONTROL = 'unix:/run/tor/control'

const isLoopback = (bind = ''): boolean => /^(127\.|localhost:|\[::1\])/.test(bind)
const isPath: Rule = notEmpty('must be a path')
export const takesGrin1 = ({ grin1 }: Answers): boolean => grin1 === 'yes'

/** Where events go, from the kind of shop. */
function webhookUrlOf({ shop = 'none', shop_url, webhook_url }: Answers): string | undefined {
  const path = SHOP_PATHS[shop]
  if (path !== undefined && shop_url !== undefined) return `${withoutSlashes(shop_url)}${path}`
  return shop === 'custom' ? webhook_url : undefined
}

export const PAY_QUESTIONS = {
  public_url: {
    message: 'Public address of the till, such as https://pay.shop.example',
    flag: 'public address of the till',
    value: 'URL',
    setting: 'PAY_PUBLIC_URL',
    isStrict: true,
    writes: ({ public_url: url }) => ({ PAY_PUBLIC_URL: url && withoutSlashes(url) }),
    look: 'host',
  },
  shop: {
    message: `Kind of shop: ${wordList(SHOPS)}`,
    flag: 'kind of shop',
    initial: 'none',
    ...oneWordOf(SHOPS),
    // A known shop is kept by its webhook address alone.
    readBack: (present) => (present.get('PAY_WEBHOOK_URL') ? 'custom' : undefined),
  },
  shop_url: {
    message: 'Address of the shop',
    flag: 'address of a woocommerce or medusa shop',
    value: 'URL',
    applies: ({ shop = '' }) => shop in SHOP_PATHS,
    rule: asSetting('PAY_WEBHOOK_URL'),
  },
  webhook_url: {
    message: 'Where the shop takes webhooks',
    flag: 'where a custom shop takes webhooks',
    value: 'URL',
    applies: ({ shop }) => shop === 'custom',
    setting: 'PAY_WEBHOOK_URL',
    writes: (answers) => ({ PAY_WEBHOOK_URL: webhookUrlOf(answers) }),
  },
  bind: {
    message: 'Listen on',
    flag: 'where to listen (127.0.0.1:8080)',
    value: 'HOST:PORT',
    initial: '127.0.0.1:8080',
    setting: 'PAY_BIND',
    // The proxy with the certificate stands on this machine; without its word all customers share one rate limit.
    writes: ({ public_url: url, bind }, present) => ({
      PAY_BIND: bind,
      ...(url?.startsWith('https://') &&
        isLoopback(bind) && { PAY_TRUSTED_PROXIES: present.get('PAY_TRUSTED_PROXIES') ?? '127.0.0.1,::1' }),
    }),
    look: 'port',
  },
  chain: {
    message: `Grin network: ${wordList(CHAINS)}`,
    flag: 'Grin network',
    initial: 'mainnet',
    asked: false,
    ...oneWordOf(CHAINS),
    setting: 'PAY_CHAIN',
  },
  node_url: {
    message: 'Grin nodes, best first',
    flag: 'Grin nodes, best first, with commas',
    value: 'URLS',
    initial: ({ chain }) => (chain === 'mainnet' ? MAINNET_NODES.join(',') : undefined),
    setting: 'PAY_NODE_URL',
    look: 'nodesOfTill',
  },
  relays: {
    message: 'Nostr relays, best first',
    flag: 'Nostr relays, best first, with commas (wss://relay.floonet.dev,wss://offchain.pub)',
    value: 'URLS',
    initial: RELAYS.join(','),
    asked: false,
    setting: 'PAY_RELAYS',
    writes: ({ relays }, present) => ({
      PAY_RELAY_MODE: present.get('PAY_RELAY_MODE') ?? 'external',
      PAY_RELAYS: relays || undefined,
    }),
    // Beside an own relay there may be no other.
    readBack: (present) => present.get('PAY_RELAYS') || (present.get('PAY_RELAY_MODE') === 'bundled' ? '' : undefined),
    look: 'relays',
  },
  currencies: {
    message: 'Currencies for prices, with commas',
    flag: 'currencies for prices, with commas (usd)',
    value: 'LIST',
    initial: 'usd',
    setting: 'PAY_RATE_CURRENCIES',
    isStrict: true,
  },
  restart: {
    message: 'After a power cut: unattended, with the password kept here, or manual',
    flag: 'unattended: the password is kept on this machine; manual: it is typed at every start',
    initial: 'unattended',
    ...oneWordOf(['unattended', 'manual']),
    readBack: (_, { keeping }) => (keeping === undefined || keeping === 'manual' ? keeping : 'unattended'),
  },
  grin1: {
    message: 'Payments to the grin1 address too, with tor on this machine: yes or no',
    flag: 'yes: also take payments to the grin1 address; needs tor on this machine',
    initial: 'no',
    ...YES_NO,
    writes: (answers, present) => ({
      PAY_GRIN1_RAIL: takesGrin1(answers) ? 'on' : undefined,
      ...(takesGrin1(answers) && { PAY_TOR_CONTROL: present.get('PAY_TOR_CONTROL') ?? TOR_CONTROL }),
    }),
    readBack: (present) =>
      present.has('PAY_GRIN1_RAIL') ? (present.get('PAY_GRIN1_RAIL') === 'on' ? 'yes' : 'no') : undefined,
  },
  password_file: {
    message: 'File with the wallet password, - for stdin',
    flag: 'file with the wallet password, - for stdin',
    value: 'FILE',
    optional: true,
    asked: false,
    rule: isPath,
  },
  mnemonic_file: {
    message: 'File with existing seed words, - for stdin; without it new words are made',
    flag: 'file with existing seed words, - for stdin',
    value: 'FILE',
    optional: true,
    asked: false,
    rule: isPath,
  },
  words_out: {
    message: 'File that takes the new seed words when there is no terminal to show them on',
    flag: 'write new seed words to this file if there is no terminal',
    value: 'FILE',
    optional: true,
    asked: false,
    rule: isPath,
  },
} satisfies Questions
export type PayKey = keyof typeof PAY_QUESTIONS
export type PayAnswers = AnswersOf<PayKey>
