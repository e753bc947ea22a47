// What help shows must work: every example of every command is parsed by the command itself.
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Command, type Interfaces, Parser } from '@oclif/core'
import { describe, expect, test } from 'vitest'

const files = readdirSync('src/commands', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const idOf = (file: string): string =>
  file
    .replace(/\.ts$/, '')
    .split(sep)
    .filter((part) => part !== 'index')
    .join(' ')

/** A topic's own command also shows those below it: the longest name counts. */
const shownBy = (example: string, id: string): string =>
  files
    .map(idOf)
    .filter((other) => other.startsWith(id) && example.replace('<%= command.id %>', id).includes(` ${other}`))
    .reduce((best, other) => (other.length > best.length ? other : best), id)

/** The words behind the command's name, as sh hands them over; what comes before, and pipes and redirections behind, is the shell's. */
function wordsOf(example: string, id: string): readonly string[] | undefined {
  const line = example.replaceAll('<%= config.bin %>', 'grinpay').replaceAll('<%= command.id %>', id)
  const [, rest] = new RegExp(`(?:^|[ (|])grinpay ${id}(?= |$|\\))(.*)$`, 'm').exec(line) ?? []
  if (rest === undefined) return undefined
  const [own = ''] = rest.split(/ [|&;]| \d?[<>]|\)/)
  return [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? '')
}

describe.each(files)('%s', (file) => {
  test('its examples are understood', async () => {
    const { default: command }: { default: Command.Class } = await import(join('..', 'src', 'commands', file))
    const examples = (command.examples ?? []).map((one) => (typeof one === 'string' ? one : one.command))
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const example of examples) {
      const id = shownBy(example, idOf(file))
      const shown = id === idOf(file) ? command : await commandOf(id)
      const words = wordsOf(example.replace('<%= command.id %>', idOf(file)), id)
      expect(words, `no "grinpay ${id}" in: ${example}`).toBeDefined()
      const input = { args: shown.args, flags: { ...shown.baseFlags, ...shown.flags }, strict: shown.strict }
      const json = shown.enableJsonFlag ? ['--json'] : []
      const own = (words ?? []).filter((word) => !json.includes(word))
      await expect(parse(own, input), example).resolves.toBeDefined()
    }
  })
})

async function commandOf(id: string): Promise<Command.Class> {
  const file = files.find((one) => idOf(one) === id)
  return (await import(join('..', 'src', 'commands', file ?? id))).default
}

const parse = (words: readonly string[], input: object): Promise<unknown> =>
  Parser.parse([...words], input as Interfaces.Input<object, object, object>)
