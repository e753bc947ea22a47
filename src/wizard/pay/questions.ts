// The questions of `setup pay`.
import { refusalForSetting, remarkForSetting } from '../../config/index.js'
import { parseAnswers } from '../answers.js'
import type { AnswersOf, Question } from '../question.js'
import { oneWordOf, wordList, YES_NO } from '../worded.js'

export const ANSWER_KEYS = [
  'public_url',
  'shop',
  'shop_url',
  'webhook_url',
  'bind',
  'chain',
  'node_url',
  'relays',
  'currencies',
  'restart',
  'grin1',
  'password_file',
  'mnemonic_file',
  'words_out',
] as const
export type AnswerKey = (typeof ANSWER_KEYS)[number]
export type Answers = AnswersOf<AnswerKey>

/** Public nodes of the main network, best first. */
const MAINNET_NODES = ['https://main.gri.mw', 'https://api.grin.money', 'https://grincoin.org']

/** Public relays that customers' wallets use too. */
const RELAYS = ['wss://relay.floonet.dev', 'wss://offchain.pub']

/** Where each kind of shop takes webhooks. */
export const SHOP_PATHS: Readonly<Record<string, string>> = {
  woocommerce: '/wp-json/goblinpay/v1/webhook',
  medusa: '/hooks/payment/goblinpay_goblinpay',
}

const asSetting = (name: string) => (text: string) => refusalForSetting(name, text)

const remarkAbout = (name: string) => (text: string) => remarkForSetting(name, text)
const isPath = (text: string) => (text.trim() === '' ? 'must be a path' : undefined)

const SHOPS = ['woocommerce', 'medusa', 'custom', 'none']
const CHAINS = ['mainnet', 'testnet', 'usernet']
const RESTARTS = ['unattended', 'manual']

/** In the order they are asked. */
export const QUESTIONS: readonly Question<AnswerKey>[] = [
  {
    key: 'public_url',
    message: 'Public address of the till, such as https://pay.shop.example',
    refusal: asSetting('PAY_PUBLIC_URL'),
    newRefusal: remarkAbout('PAY_PUBLIC_URL'),
  },
  { key: 'shop', message: `Kind of shop: ${wordList(SHOPS)}`, initial: () => 'none', ...oneWordOf(SHOPS) },
  {
    key: 'shop_url',
    message: 'Address of the shop',
    applies: ({ shop = '' }) => shop in SHOP_PATHS,
    refusal: asSetting('PAY_WEBHOOK_URL'),
  },
  {
    key: 'webhook_url',
    message: 'Where the shop takes webhooks',
    applies: ({ shop }) => shop === 'custom',
    refusal: asSetting('PAY_WEBHOOK_URL'),
  },
  {
    key: 'bind',
    message: 'Listen on',
    initial: () => '127.0.0.1:8080',
    refusal: asSetting('PAY_BIND'),
  },
  {
    key: 'chain',
    message: `Grin network: ${wordList(CHAINS)}`,
    initial: () => 'mainnet',
    asked: false,
    ...oneWordOf(CHAINS),
  },
  {
    key: 'node_url',
    message: 'Grin nodes, best first',
    initial: ({ chain }) => (chain === 'mainnet' ? MAINNET_NODES.join(',') : undefined),
    refusal: asSetting('PAY_NODE_URL'),
  },
  {
    key: 'relays',
    message: 'Nostr relays, best first',
    initial: () => RELAYS.join(','),
    asked: false,
    refusal: asSetting('PAY_RELAYS'),
  },
  {
    key: 'currencies',
    message: 'Currencies for prices, with commas',
    initial: () => 'usd',
    refusal: asSetting('PAY_RATE_CURRENCIES'),
    newRefusal: remarkAbout('PAY_RATE_CURRENCIES'),
  },
  {
    key: 'restart',
    message: 'After a power cut: unattended, with the password kept here, or manual',
    initial: () => 'unattended',
    ...oneWordOf(RESTARTS),
  },
  {
    key: 'grin1',
    message: 'Payments to the grin1 address too, with tor on this machine: yes or no',
    initial: () => 'no',
    ...YES_NO,
  },
  {
    key: 'password_file',
    message: 'File with the wallet password, - for stdin',
    optional: true,
    asked: false,
    refusal: isPath,
  },
  {
    key: 'mnemonic_file',
    message: 'File with existing seed words, - for stdin; without it new words are made',
    optional: true,
    asked: false,
    refusal: isPath,
  },
  {
    key: 'words_out',
    message: 'File that takes the new seed words when there is no terminal to show them on',
    optional: true,
    asked: false,
    refusal: isPath,
  },
]

/** Reads the text of an answers file. Throws ANSWERS_WRONG. */
export const parsePayAnswers = (text: string): Answers => parseAnswers(ANSWER_KEYS, text)
