import { parse } from 'dotenv'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { placeInEnv, placeInToml, redactSettings } from '../../src/backup/settings-text.js'

const isSecret = (name: string) => name === 'PAY_API_TOKEN'

test('a secret leaves its name behind, everything else stays as it was written', () => {
  const text = '# till\nPAY_BIND=127.0.0.1:1\nexport PAY_API_TOKEN="pay_live_1"\nPAY_API_TOKEN=\n'
  expect(redactSettings(text, isSecret, ['pay_live_1'])).toEqual({
    text: '# till\nPAY_BIND=127.0.0.1:1\n# PAY_API_TOKEN: left out of the backup\nPAY_API_TOKEN=\n',
    names: ['PAY_API_TOKEN'],
  })
})

test('a secret that would still stand somewhere makes the whole text useless', () => {
  expect(redactSettings('PAY_API_TOKEN="one\ntwo"\nOTHER=one\ntwo', isSecret, ['one\ntwo'])).toBeUndefined()
  expect(redactSettings('NOTE=pay_live_1\nPAY_API_TOKEN=pay_live_1', isSecret, ['pay_live_1'])).toBeUndefined()
})

test('places are set where they stood, once, or at the end', () => {
  const text = 'PAY_DB_PATH=/old/pay.db\nPAY_BIND=:1\nexport PAY_DB_PATH=/older\nGP_DATA_DIR=/old'
  const placed = placeInEnv(
    text,
    new Map([
      ['PAY_DB_PATH', '/new/pay.db'],
      ['PAY_DATA_DIR', '/new'],
    ]),
    new Set(['GP_DATA_DIR']),
  )
  expect(placed).toBe('PAY_DB_PATH=/new/pay.db\nPAY_BIND=:1\nPAY_DATA_DIR=/new\n')
  expect(parse(placed)).toEqual({ PAY_DB_PATH: '/new/pay.db', PAY_BIND: ':1', PAY_DATA_DIR: '/new' })
})

test.each([
  ['', {}],
  ['[database] # here\n# data_directory = "x"\ndata_directory = "/old"\n[info]\nname = "r"\n', { info: { name: 'r' } }],
  ['[info]\nname = "r"\n', { info: { name: 'r' } }],
  ['[database]\n[info]\ndata_directory = "no"\n', { info: { data_directory: 'no' } }],
])('a key of a TOML file is set in its section: %j', (text, rest) => {
  const placed = placeInToml(text, 'database', 'data_directory', '/new "place"')
  expect(parseToml(placed)).toEqual({ ...rest, database: { data_directory: '/new "place"' } })
})
