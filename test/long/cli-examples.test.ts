// What the help shows works: every example of every command is run as it stands, against a sandbox that runs. Those that cannot be are
// listed with the reason.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atTerminalHere, ENTER } from '../support/person.js'
import { openWorldWithProps, type WorldWithProps } from './cli-world/props.js'
import { FILLINGS, INSTEAD, NEEDS_CLUSTER, NOT_RUN, REHEARSALS, USUAL } from './cli-world/rehearsals.js'

const commands = Object.values<{ id: string; examples?: readonly string[] }>(
  JSON.parse(readFileSync('oclif.manifest.json', 'utf8')).commands,
).map(({ id, examples = [] }) => ({
  id: id.replaceAll(':', ' '),
  lines: examples.map((line) =>
    line.replaceAll('<%= config.bin %>', 'grinpay').replaceAll('<%= command.id %>', id.replaceAll(':', ' ')),
  ),
}))

let world: WorldWithProps
beforeAll(async () => {
  world = await openWorldWithProps()
})
afterAll(() => world?.close())

async function prop(name: string): Promise<string> {
  const make = world.props[name]
  if (!make) throw new Error(`no prop ${name}`)
  return make()
}

/** With what stands here for its made-up names, and for /etc, /var, /srv and /media. */
async function filled(line: string, id: string): Promise<string> {
  let text = line.replace(/(?<=[ =])\/(?=(?:etc|var|srv|media)\/)/g, `${world.place('')}/`)
  for (const [shown, role] of FILLINGS)
    if (text.includes(shown)) text = text.replace(shown, await prop(INSTEAD[id]?.[role] ?? USUAL[role] ?? role))
  return id.startsWith('sandbox ') ? `${text} --node-port ${world.nodePort}` : text
}

const runnable = commands
  .map(({ id, lines }) => ({ id, lines: lines.filter((line) => !(line in NOT_RUN) && !NEEDS_CLUSTER.test(line)) }))
  .filter(({ lines }) => lines.length > 0)

describe.each(runnable)('grinpay $id', ({ id, lines }) => {
  test.each(lines)('%s', async (line) => {
    const { needs = [], types, exits = [0] } = REHEARSALS[line] ?? {}
    for (const name of needs) await prop(name)
    const text = await filled(line, id)
    if (types !== undefined) return answered(text, types)
    const { exit, stdout, stderr } = await world.shell(text, id)
    expect(exits, `${text}\n${stdout}${stderr}`).toContain(exit)
  })
})

/** So that no question is broken between its words. */
const WIDE = 300

/** By a person. */
async function answered(line: string, typed: string): Promise<void> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const seat = { cwd: world.home, env: { HOME: world.home, ...world.variables }, columns: WIDE }
  const visit = await atTerminalHere(words.slice(1), [['type "', `${typed}${ENTER}`]], seat)
  expect({ exit: visit.exit, missed: visit.missed }, visit.screen).toEqual({ exit: 0, missed: [] })
}

test('what is listed here is shown in the help', () => {
  const shown = new Set(commands.flatMap(({ lines }) => lines))
  expect([...Object.keys(NOT_RUN), ...Object.keys(REHEARSALS)].filter((line) => !shown.has(line))).toEqual([])
})
