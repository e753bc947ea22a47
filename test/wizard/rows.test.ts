// A row is all there is of a question: flag, key of the answers file, default, judgement, the setting that it writes and the answer that it reads back.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answerFlagsOf } from '../../src/cli/index.js'
import { refusalForSetting } from '../../src/config/index.js'
import { completeAnswers, parseAnswers, presentAnswers, settingsAfter } from '../../src/wizard/answers.js'
import { type Answers, type Around, type Questions, rowsOf } from '../../src/wizard/question.js'
import { NAMEAUTH_QUESTIONS, PAY_QUESTIONS, RELAY_QUESTIONS } from '../../src/wizard/questions.js'

const around: Around = { dataDir: '/data', tillAt: 'http://127.0.0.1:8080', isService: true, proxy: 'nginx' }
const complete = (questions: Questions, given: Answers, present: Answers = {}) =>
  completeAnswers(questions, { given, present, around })

describe('a question that is added as one row', () => {
  const NAME = { message: 'Name of the shop', flag: 'name on the page', value: 'TEXT', initial: 'Shop' }
  const questions: Questions = { ...PAY_QUESTIONS, shop_name: { ...NAME, setting: 'PAY_SHOP_NAME' } }
  const given = parseAnswers(questions, '{"public_url":"https://pay.example","shop_name":"Tea & Co"}')

  test('has a flag', () => {
    const flag = { description: 'name on the page', helpValue: 'TEXT', helpGroup: 'ANSWERS' }
    expect(Object.entries(answerFlagsOf(questions)).at(-1)).toEqual(['shop-name', expect.objectContaining(flag)])
  })

  test('has a key in the answers file, a default, and is judged as its setting', () => {
    expect(complete(questions, given).shop_name).toBe('Tea & Co')
    expect(complete(questions, { public_url: 'https://pay.example' }).shop_name).toBe('Shop')
    const long = 'x'.repeat(1000)
    const why = refusalForSetting('PAY_SHOP_NAME', long)
    expect(why).toBeTypeOf('string')
    expect(() => complete(questions, { ...given, shop_name: long })).toThrow(`"shop_name" ${why}`)
  })

  test('writes its setting, and a reconfiguration starts with it', () => {
    const settings = settingsAfter(questions, complete(questions, given), new Map())
    expect(settings.get('PAY_SHOP_NAME')).toBe('Tea & Co')
    expect(complete(questions, {}, presentAnswers(questions, settings)).shop_name).toBe('Tea & Co')
  })
})

const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'
const SALE = { pay_mode: 'write', price_grin: '2.5', pay_url: 'https://till.example' }
/** Of each setup, answers other than its defaults. */
const SAID: readonly (readonly [string, Questions, Answers])[] = [
  [
    'pay',
    PAY_QUESTIONS,
    {
      ...{ public_url: 'https://pay.example', shop: 'custom', webhook_url: 'https://shop.example/hook' },
      ...{ bind: '127.0.0.1:9', chain: 'testnet', node_url: 'https://node.example', relays: 'wss://relay.example' },
      ...{ currencies: 'eur,chf', restart: 'manual', grin1: 'yes' },
    },
  ],
  [
    'nameauth',
    NAMEAUTH_QUESTIONS,
    {
      ...{
        domain: 'names.example',
        relays: 'wss://relay.example',
        bind: '127.0.0.1:9',
        data_dir: '/srv/names',
        ...SALE,
      },
      ...{ transfers: 'yes', node_url: 'https://node.example/v2/foreign' },
    },
  ],
  [
    'relay',
    RELAY_QUESTIONS,
    {
      ...{ relay_url: 'wss://relay.example', name: 'Relay', description: 'One line', contact: 'mailto:a@b.example' },
      ...{ bind: '[::1]:9', data_dir: '/srv/relay', authority: 'in-process', domain: 'names.example' },
      ...{
        profile: 'members',
        note_authors: NPUB,
        private_wraps: 'yes',
        keep_days: '30',
        admins: NPUB,
        proxy: 'caddy',
      },
    },
  ],
  [
    'relay beside a name authority',
    RELAY_QUESTIONS,
    {
      ...{ relay_url: 'wss://relay.example', authority: 'elsewhere', authority_url: 'https://names.example' },
      ...{ bind: '127.0.0.1:9', data_dir: '/srv/relay', profile: 'everybody', private_wraps: 'no' },
      ...{ keep_days: 'forever', admins: 'nobody', proxy: 'none' },
    },
  ],
]

/** Not among the settings: the proxy's own file. */
const ELSEWHERE = ['proxy']

test.each(SAID)('%s reads back every answer that it wrote', (_name, questions, said) => {
  const answers = complete(questions, said)
  expect(answers).toEqual(said)
  const found = { keeping: 'manual', sells: said.transfers === 'yes' } as const
  const read = presentAnswers(questions, settingsAfter(questions, answers, new Map()), found)
  const written = Object.entries(answers).filter(([key]) => !ELSEWHERE.includes(key))
  expect(read).toEqual(Object.fromEntries(written))
})

const SETTINGS = [PAY_QUESTIONS, NAMEAUTH_QUESTIONS, RELAY_QUESTIONS].flatMap((questions: Questions) =>
  rowsOf(questions).flatMap(([key, { setting, secret }]) =>
    [setting, secret?.setting].flatMap((one) => (one ? [[key, one]] : [])),
  ),
)
test.each(SETTINGS)('%s names a setting that there is: %s', (_key, setting) => {
  expect(refusalForSetting(setting ?? '', 'x')).not.toBe('is not a setting')
})

test.each(['question', 'questions', 'pay/questions', 'nameauth/questions', 'relay/questions', 'relay/profile'])(
  'src/wizard/%s.ts loads neither the schema of the settings nor a prompt: flags are made of it',
  (name) => {
    const text = readFileSync(`src/wizard/${name}.ts`, 'utf8')
    const loaded = [...text.matchAll(/^(?:import|export|\}) .*from '(.*)'$/gm)].map(([, from = '']) => from)
    const light = /^(node:path|(\.\.\/)+(lib\/[\w-]+|question)\.js|\.\/(\w+\/)?(questions|profile)\.js)$/
    expect(loaded.filter((from) => !light.test(from))).toEqual([])
    expect(loaded.length).toBeGreaterThan(0)
  },
)
