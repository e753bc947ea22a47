// One reader of settings files, and a word about each line that dotenv, systemd or a compose file would read differently.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EnvFault, parseEnvText } from '../../src/config/env-lines.js'
import { openEnvironment, readNameauthValues, readPayValues } from '../../src/config/index.js'
import { ENV_READERS, systemdReads } from '../support/env-readers.js'

const valuesOf = (text: string) => Object.fromEntries(parseEnvText(text).values)
const faultsOf = (text: string): readonly EnvFault[] => parseEnvText(text).remarks.map(({ fault }) => fault)

/** Text, what it sets, and why others differ. */
type Form = readonly [text: string, values: Readonly<Record<string, string>>, ...faults: EnvFault[]]
const FORMS: readonly Form[] = [
  ['A=b', { A: 'b' }],
  ['  A = b c \r', { A: 'b c' }],
  ['A=', { A: '' }],
  ['A=""', { A: '' }],
  ["A=''", { A: '' }],
  ['A="b c"', { A: 'b c' }],
  ["A='b c'", { A: 'b c' }],
  ['A=b=c', { A: 'b=c' }],
  ['A=1\nA=2', { A: '2' }],
  ['A=b"c"', { A: 'b"c"' }],
  ["A=it's", { A: "it's" }],
  ['A="b # c"', { A: 'b # c' }],
  ["A='b#c'", { A: 'b#c' }],
  ["A='pa\\ss'", { A: 'pa\\ss' }],
  ["A='$b'", { A: '$b' }],
  ["A='b`c`'", { A: 'b`c`' }],
  ['A="b\tc"', { A: 'b\tc' }],
  ['# A=b', {}],
  ['', {}],
  ['export A=b', { A: 'b' }, 'export'],
  ['A=b # c', { A: 'b # c' }, 'hash'],
  ['A=b#c', { A: 'b#c' }, 'hash'],
  ['A=#b', { A: '#b' }, 'hash'],
  ['# c\\\nA=b', { A: 'b' }, 'open-comment'],
  ['A=pa\\ss', { A: 'pa\\ss' }, 'backslash'],
  ['A="pa\\ss"', { A: 'pa\\ss' }],
  ['A="b\\nc"', { A: 'b\\nc' }, 'backslash'],
  ['A=b\\\nC=d', { A: 'b\\', C: 'd' }, 'backslash'],
  ["A='b\\'", { A: 'b\\' }, 'backslash'],
  ['A=$b', { A: '$b' }, 'dollar'],
  ['A="$b"', { A: '$b' }, 'dollar'],
  ['A=`b`', { A: '`b`' }, 'backtick'],
  ['A="a"b', { A: '"a"b' }, 'quotes'],
  ['A=""b""', { A: '"b"' }, 'quotes'],
  ['A="b" # c', { A: '"b" # c' }, 'quotes'],
  ['A="b\'', { A: '"b\'' }, 'quotes'],
  ['A="', { A: '"' }, 'quotes'],
  ['A="b\nC=d', { A: '"b', C: 'd' }, 'quotes'],
  ['A="b\nC=d\nE="', { A: '"b', C: 'd', E: '"' }, 'quotes', 'swallowed', 'quotes'],
  ['\uFEFFA=b', { A: 'b' }, 'byte-order-mark'],
  ['A: b', {}, 'no-setting'],
  ['; A=b', {}, 'no-setting'],
  ['A=b\u00A0', { A: 'b' }, 'hidden-character'],
  ['A=b\rC=d', { A: 'b\rC=d' }, 'hidden-character'],
]

test.each(FORMS.map(([text, values, ...faults]) => ({ text, values, faults })))(
  '$text is read as $values',
  ({ text, values, faults }) => {
    expect(valuesOf(text)).toEqual(values)
    expect(faultsOf(text)).toEqual(faults)
  },
)

test.each(FORMS.flatMap(([text, values, fault]) => (fault === undefined ? [] : [{ text, values }])))(
  'somebody reads $text differently',
  ({ text, values }) => {
    expect(Object.values(ENV_READERS).map((read) => read(text))).not.toEqual([values, values, values])
  },
)

test.each(['=b', 'export', 'export A', 'export =b', ' = ', 'A', 'a b=c', 'é=c'])(
  '%j sets nothing, and is named',
  (text) => {
    expect(valuesOf(text)).toEqual({})
    expect(faultsOf(text)).toEqual(['no-setting'])
  },
)

const PIECES = [
  ...[
    'A',
    'B',
    '=',
    'b',
    ' ',
    '\n',
    '\n',
    '\r\n',
    '\t',
    '"',
    "'",
    '`',
    '#',
    ';',
    '\\',
    '$',
    '{',
    '}',
    ':',
    'export ',
    'é',
  ],
  ...['\u00A0', '\u2028', '\u0085', '\uFEFF', '\uFFFD', '\v', '\r', 'A=', 'B="', '"\n', "'\n", '\n#'],
]
const anyFile = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) => parts.join(''))

test('where nothing is said of a file, everybody reads it alike', () => {
  fc.assert(
    fc.property(anyFile, (text) => {
      if (faultsOf(text).length > 0) return
      for (const read of Object.values(ENV_READERS)) expect(read(text)).toEqual(valuesOf(text))
    }),
    { numRuns: 20_000 },
  )
})

const WRITTEN = { bare: '', 'double-quoted': '"', 'single-quoted': "'" } as const

test('what a remark says to write is read by everybody as the value that was meant', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES.filter((one) => !one.includes('\n')))), (parts) => {
      const text = `A=${parts.join('')}`
      const [remark] = parseEnvText(text).remarks
      if (remark?.name === undefined || remark.spelling === 'none') return
      const quote = WRITTEN[remark.spelling]
      const value = valuesOf(text).A ?? ''
      const better = `A=${quote}${value}${quote}`
      expect(faultsOf(better)).toEqual([])
      for (const read of Object.values(ENV_READERS)) expect(read(better)).toEqual({ A: value })
    }),
    { numRuns: 5_000 },
  )
})

const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator'

test.runIf(existsSync(GENERATOR))('systemd itself reads every form as this test says of it', () => {
  const home = mkdtempSync(join(tmpdir(), 'grinpay-environment-'))
  mkdirSync(join(home, 'environment.d'))
  for (const [text] of FORMS) {
    // That program puts variables in, and prints tabs and line breaks as escapes.
    if (text.includes('$') || /[\t\n]/.test(Object.values(systemdReads(text)).join(''))) continue
    writeFileSync(join(home, 'environment.d', 'a.conf'), text)
    const printed = execFileSync(GENERATOR, {
      env: { XDG_CONFIG_HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const shown = (name: string): string =>
      execFileSync('bash', ['-c', `eval "$PRINTED"; printf %s "$${name}"`], {
        env: { PRINTED: printed },
        encoding: 'utf8',
      })
    // It leaves out what is empty.
    const read = Object.fromEntries(Object.entries(systemdReads(text)).filter(([, value]) => value !== ''))
    const named = ['A', 'C'].filter((name) => new RegExp(`^${name}=`, 'm').test(printed))
    expect({ text, ...Object.fromEntries(named.map((name) => [name, shown(name)])) }).toEqual({ text, ...read })
  }
  rmSync(home, { recursive: true })
})

const open = (text: string, variables = {}) =>
  openEnvironment({ envFile: '/x/nameauth.env', variables, readFile: () => text })

test('a variable that is present stays, even when it is empty', () => {
  expect(open('A=file\nB=file', { A: '' }).find('A')).toEqual({ text: '', origin: 'environment' })
  expect(open('A=file\nB=file', { A: '' }).find('B')?.text).toBe('file')
  expect(parseEnvText('A=b').values.get('constructor')).toBeUndefined()
})

test('the settings of both daemons name the line, the setting and what to write, and never the value', () => {
  const text = ['#ok', 'export NAMEAUTH_PAY_MODE=name', 'PAY_API_TOKEN=pay_api_secret#1', "X='"].join('\n')
  const lines = [
    '/x/nameauth.env line 2 (NAMEAUTH_PAY_MODE) has "export"',
    '/x/nameauth.env line 3 (PAY_API_TOKEN) has a # in its value',
    '/x/nameauth.env line 4 (X) has quotes',
  ]
  for (const { notices } of [readPayValues(open(text)), readNameauthValues(open(text))]) {
    for (const line of lines) expect(notices.map((notice) => notice.text).join('\n')).toContain(line)
    expect(notices.find(({ setting }) => setting === 'PAY_API_TOKEN')?.advice).toBe(
      'write PAY_API_TOKEN="VALUE", and a comment on a line of its own',
    )
    expect(JSON.stringify(notices)).not.toContain('pay_api_secret')
  }
})

test('a variable of Node itself is said to have no effect in a settings file', () => {
  const [notice] = readPayValues(open('NODE_OPTIONS=--max-old-space-size=300')).notices
  expect(notice).toMatchObject({ setting: 'NODE_OPTIONS', advice: expect.stringContaining('systemctl edit') })
})

test('a credential stands for a file that the settings name and the daemon cannot read', () => {
  const files: Record<string, string> = {
    '/x/pay.env': 'PAY_API_TOKEN_FILE=/root/api\nPAY_ADMIN_TOKEN_FILE=/root/admin\n',
    '/run/credentials/pay_api_token': 'pay_api_0123456789abcdef0123456789abcdef\n',
  }
  const readFile = (path: string): string => {
    const text = files[path]
    if (text === undefined) throw new Error('EACCES')
    return text
  }
  const variables = { CREDENTIALS_DIRECTORY: '/run/credentials' }
  const { values, problems } = readPayValues(openEnvironment({ envFile: '/x/pay.env', variables, readFile }))
  expect(values.apiTokens).toHaveLength(1)
  expect(problems.map(({ setting }) => setting)).toContain('PAY_ADMIN_TOKEN')
  const named = { ...variables, PAY_API_TOKEN_FILE: '/elsewhere' }
  expect(
    readPayValues(openEnvironment({ variables: named, readFile }))
      .problems.map(({ text }) => text)
      .join(),
  ).toContain('cannot read /elsewhere')
})
