// Completion as a shell uses it, and what is printed to narrow, plain and coloured ends. Needs the build.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandHome } from '../support/command-home.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const { folder, at, grinpay, spawned } = commandHome('completion')
const cache = (...parts: readonly string[]): string => at('.cache', 'grinpay', 'autocomplete', ...parts)

describe('completion', () => {
  beforeAll(async () => {
    expect((await grinpay(['autocomplete', 'bash'], { SHELL: '/bin/bash' })).exit).toBe(0)
  })

  /** What bash offers for these words, the last of which is being typed. */
  function offers(...words: readonly string[]): readonly string[] {
    const quoted = ['grinpay', ...words].map((word) => `'${word}'`).join(' ')
    const script = [
      `source '${cache('bash_setup')}'`,
      `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}`,
      '_grinpay_autocomplete',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash's
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n')
    const env = cleanEnvironment({ HOME: folder })
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  test('bash knows topics, commands and flags', () => {
    expect(offers('')).toEqual(expect.arrayContaining(['invoice', 'secret', 'till', 'doctor']))
    expect(offers('secret', '')).toEqual(['new', 'rotate'])
    expect(offers('invoice', 'cre')).toEqual(['create'])
    expect(offers('secret', 'rotate', '--')).toEqual(expect.arrayContaining(['--overlap', '--out', '--json']))
  })

  const hasZsh = spawnSync('zsh', ['--version']).status === 0
  test('zsh gets a file of its own', async () => {
    expect((await grinpay(['autocomplete', 'script', 'zsh'], { SHELL: '/bin/zsh' })).stdout).toContain('zsh_setup')
    const path = cache('functions', 'zsh', '_grinpay')
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toMatch(/^#compdef grinpay/)
  })
  test.skipIf(!hasZsh)('and reads it without a complaint (needs zsh)', () => {
    expect(spawnSync('zsh', ['-n', cache('functions', 'zsh', '_grinpay')]).status).toBe(0)
  })

  /** What a terminal with zsh shows after a tab, once these texts are there. */
  function shownByZsh(line: string, expected: readonly string[]): string {
    const script = join(ROOT, 'test/support/ask-zsh.zsh')
    const env = { ...cleanEnvironment({ HOME: folder }), TERM: 'dumb' }
    const { stdout } = spawnSync('zsh', ['-f', script, cache('functions', 'zsh'), line, ...expected], {
      encoding: 'utf8',
      env,
    })
    return stdout
  }
  test.skipIf(!hasZsh).each([
    ['grinpay inv', ['grinpay invoice']],
    ['grinpay invoice ', ['cancel', '-- cancel an open invoice', 'wait']],
    ['grinpay invoice list --st', ['grinpay invoice list --status']],
    ['grinpay invoice list --status ', ['cancelled', 'confirmed', 'open']],
    ['grinpay sandbox pay --', ['--rail', '--node-port']],
  ] as const)('"%s" and a tab in zsh (needs zsh)', (line, expected) => {
    const shown = shownByZsh(line, expected)
    for (const text of expected) expect(shown).toContain(text)
    if (line.startsWith('grinpay sandbox pay')) expect(shown).not.toContain('--block-every')
  })

  const hasFish = spawnSync('fish', ['--version']).status === 0
  /** What fish offers for this line, without the descriptions. */
  async function offeredByFish(line: string): Promise<readonly string[]> {
    const file = at('grinpay.fish')
    writeFileSync(file, (await grinpay(['completion', 'fish'])).stdout)
    const env = cleanEnvironment({ HOME: folder })
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ${file}; complete -C '${line}'`], {
      encoding: 'utf8',
      env,
    })
    expect(stderr).toBe('')
    return stdout.split('\n').flatMap((row) => row.split('\t')[0] || [])
  }
  test.skipIf(!hasFish)('fish reads its file, and knows topics, commands, flags and values (needs fish)', async () => {
    expect(await offeredByFish('grinpay inv')).toEqual(['invoice'])
    expect(await offeredByFish('grinpay secret ')).toEqual(['new', 'rotate'])
    expect(await offeredByFish('grinpay invoice list --sta')).toEqual(['--status'])
    expect(await offeredByFish('grinpay invoice list --status o')).toEqual(['open'])
    expect(await offeredByFish('grinpay invoice list --status=o')).toEqual(['--status=open'])
    expect(await offeredByFish('grinpay completion ')).toEqual(['fish'])
    expect(await offeredByFish('grinpay invoice list --hel')).toEqual(['--help'])
  })
  test.skipIf(!hasFish)('fish offers a command below another only its own flags (needs fish)', async () => {
    expect(await offeredByFish('grinpay sandbox --')).toEqual(expect.arrayContaining(['--block-every', '--once']))
    const flags = await offeredByFish('grinpay sandbox pay --')
    expect(flags).toEqual(expect.arrayContaining(['--rail', '--node-port']))
    expect(flags).not.toContain('--block-every')
  })
})

const ESCAPE = '\u001b'

/** Colours and the width are looked up once in the life of a process. */
describe('what is printed', () => {
  test.each(['60', '80'])('help fits into %s columns', (columns) => {
    for (const words of [['--help'], ['invoice', '--help'], ['secret', 'rotate', '--help']]) {
      const { stdout } = spawned(words, { OCLIF_COLUMNS: columns, COLUMNS: columns })
      const wide = stdout.split('\n').filter((line) => line.length > Number(columns))
      // An example is copied whole.
      expect(wide.filter((line) => !line.trimStart().startsWith('$ '))).toEqual([])
    }
  })

  test('no colour where NO_COLOR says so, and none in a pipe', () => {
    expect(spawned(['invoice', '--help']).stdout).not.toContain(ESCAPE)
    expect(spawned(['invoice', '--help'], { NO_COLOR: '', FORCE_COLOR: '0' }).stdout).not.toContain(ESCAPE)
  })

  test('FORCE_COLOR colours help, never an answer', () => {
    const forced = { NO_COLOR: '', FORCE_COLOR: '1' }
    expect(spawned(['till', 'list', '--json'], forced).stdout).toBe('{\n  "items": [],\n  "next": null\n}\n')
    expect(spawned(['secret', 'new', 'api'], forced).stdout).toMatch(/^pay_live_[0-9a-f]{64}\n$/)
    expect(spawned(['invoice', 'nonsense'], forced).stderr).not.toContain(ESCAPE)
  })
})
