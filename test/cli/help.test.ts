// What --help prints of everything, at the width of narrow terminals.
import { spawnSync } from 'node:child_process'
import { Config } from '@oclif/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import FittingHelp, { brokenLine } from '../../src/cli/help.js'

let config: Config
beforeAll(async () => {
  config = await Config.load(process.cwd())
})

async function helpOf(id: string, columns: number): Promise<string> {
  const lines: string[] = []
  const heard = vi.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(text))
  await new FittingHelp(config, { maxWidth: columns, stripAnsi: true }).showHelp(id === '' ? [] : id.split(':'))
  heard.mockRestore()
  return lines.join('\n')
}

describe.each([60, 80])('at %i columns', (columns) => {
  test('no line of the help of any topic or command is longer', async () => {
    const ids = ['', ...config.topics.map(({ name }) => name), ...config.commandIDs]
    expect(ids.length).toBeGreaterThan(70)
    const long: string[] = []
    for (const id of ids) {
      const text = await helpOf(id, columns)
      expect(text, id).toContain('USAGE')
      long.push(...text.split('\n').flatMap((line) => (line.length > columns ? [`${id}: ${line}`] : [])))
    }
    expect(long).toEqual([])
  })
})

test('a flag names what its value is', async () => {
  for (const id of config.commandIDs) expect(await helpOf(id, 80), id).not.toMatch(/<value>|Format output/)
})

test('DESCRIPTION stands where there is more to say than the summary, and never repeats it', async () => {
  for (const id of config.commandIDs) {
    const { summary, description } = config.findCommand(id) ?? {}
    if (summary === undefined) continue // of the completion's plugin; ours all have one (manifest.test.ts)
    const lines = (await helpOf(id, 1000)).split('\n').map((line) => line.trim())
    expect(lines.filter((line) => line === summary).length, id).toBe(1)
    expect(lines.includes('DESCRIPTION'), id).toBe(description !== undefined)
  }
})

describe('an example in several lines', () => {
  test('is broken between its words, and each line fits', () => {
    expect(brokenLine('$ grinpay invoice create 1.5 --order-ref order-1001 --memo "two coffees"', 40)).toBe(
      ['$ grinpay invoice create 1.5 \\', '    --order-ref order-1001 \\', '    --memo "two coffees"'].join('\n'),
    )
  })

  test('is the same to sh', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z=./-]{1,30}$/),
      fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => `"${text}"`),
      fc.stringMatching(/^[a-z{}":, ]{0,20}$/).map((text) => `'${text}'`),
    )
    const heard = (line: string) => spawnSync('sh', ['-c', `printf '<%s>' ${line}`], { encoding: 'utf8' }).stdout
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.integer({ min: 20, max: 60 }), (words, width) => {
        const line = words.join(' ')
        return heard(brokenLine(line, width)) === heard(line)
      }),
      { numRuns: 30 },
    )
  })
})
