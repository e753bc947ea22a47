// The conversation with a policy program that the test plays itself.
import { describe, expect, test } from 'vitest'
import { createPolicyPlugin, type PluginParts } from '../../../../src/relay/policy/plugin/plugin.js'
import { createFakeClock, settled } from '../../../support/fake-clock.js'
import { createKeptLog } from '../../../support/kept-log.js'
import { anId, aRequest, playedPrograms } from '../../../support/policy-program.js'

const FAILED = { action: 'reject', message: 'error: internal error' }
const line = (n: number, action = 'accept', msg = '') => `${JSON.stringify({ id: anId(n), action, msg })}\n`

function aPlugin(changes: Partial<PluginParts> = {}) {
  const clock = createFakeClock()
  const log = createKeptLog()
  const { start, started } = playedPrograms()
  const plugin = createPolicyPlugin({
    command: () => 'policy',
    timeoutSeconds: 10,
    start,
    modifiedAt: () => undefined,
    clock,
    log,
    ...changes,
  })
  return { plugin, started, clock, log, last: () => started.at(-1) }
}

describe('a good program', () => {
  test('is started by the first question and asked one at a time', async () => {
    const { plugin, started, last } = aPlugin()
    expect(started.length).toBe(0)
    const answers = [plugin.decide(aRequest(1)), plugin.decide(aRequest(2))]
    expect(last()?.read.length).toBe(1)
    last()?.says(line(1))
    expect(await answers[0]).toEqual({ action: 'accept' })
    expect(last()?.read.length).toBe(2)
    last()?.says(line(2, 'reject', 'blocked: not you'))
    expect(await answers[1]).toEqual({ action: 'reject', message: 'blocked: not you' })
    expect(started.length).toBe(1)
  })

  test('gets what the protocol says, the key only after AUTH', async () => {
    const { plugin, last } = aPlugin()
    const plain = aRequest(1)
    void plugin.decide(plain)
    expect(JSON.parse(last()?.read[0] ?? '')).toEqual({
      type: 'new',
      event: plain.event,
      receivedAt: 1_800_000_000,
      sourceType: 'IP4',
      sourceInfo: '203.0.113.7',
    })
    expect(last()?.read[0]).toMatch(/^[^\n]*\n$/)
  })

  test('hears of the author when the connection proved that key, else of the first one', async () => {
    const { plugin, last } = aPlugin()
    const [other, author] = ['bb'.repeat(32), 'aa'.repeat(32)]
    void plugin.decide(aRequest(1, { authed: [other, author] }))
    last()?.says(line(1))
    void plugin.decide(aRequest(2, { authed: [other] }))
    expect(last()?.read.map((text) => JSON.parse(text).authed)).toEqual([author, other])
  })

  test('may reject in silence and in the shadow', async () => {
    const { plugin, last } = aPlugin()
    const shadow = plugin.decide(aRequest(1))
    last()?.says(line(1, 'shadowReject', 'whatever'))
    expect(await shadow).toEqual({ action: 'shadowReject' })
    const silent = plugin.decide(aRequest(2))
    last()?.says(`{"id":"${anId(2)}","action":"reject"}\n`)
    expect(await silent).toEqual({ action: 'reject', message: '' })
  })

  test('may print what is no JSON, and answer in pieces', async () => {
    const { plugin, last } = aPlugin()
    const answer = plugin.decide(aRequest(1))
    last()?.says('listening…\n\n')
    for (const piece of line(1).match(/.{1,7}|\n/g) ?? []) last()?.says(piece)
    expect(await answer).toEqual({ action: 'accept' })
  })

  test('that leaves between two questions is started again without a fuss', async () => {
    const { plugin, started, log } = aPlugin()
    for (const n of [1, 2, 3]) {
      const answer = plugin.decide(aRequest(n))
      started.at(-1)?.says(line(n))
      started.at(-1)?.exits('exit code 0')
      expect(await answer).toEqual({ action: 'accept' })
    }
    expect(started.length).toBe(3)
    expect(log.lines).toEqual([])
  })
})

describe('a bad program costs the event that it was asked about', () => {
  const lies: readonly (readonly [string, string])[] = [
    ['a foreign id', line(7)],
    ['an unknown action', line(1, 'maybe')],
    ['no action', `{"id":"${anId(1)}"}\n`],
    ['JSON that is no object', '5\n'],
    ['a list', `[${line(1).trim()}]\n`],
    ['a line of more than 8192 bytes', line(1, 'reject', 'x'.repeat(8192))],
    ['a flood without a line break', 'x'.repeat(8193)],
    ['a flood of lines that are no answers', 'no\n'.repeat(30_000)],
  ]

  test.each(lies)('%s', async (_what, text) => {
    const { plugin, started } = aPlugin()
    const answers = [plugin.decide(aRequest(1)), plugin.decide(aRequest(2))]
    started[0]?.says(text)
    expect(await answers[0]).toEqual(FAILED)
    expect(started[0]?.state.killed).toBe(true)
    started[1]?.says(line(2))
    expect(await answers[1]).toEqual({ action: 'accept' })
  })

  test('an exit', async () => {
    const { plugin, started, log } = aPlugin()
    const answer = plugin.decide(aRequest(1))
    started[0]?.exits('signal SIGSEGV')
    expect(await answer).toEqual(FAILED)
    expect(log.lines[0]?.fields).toMatchObject({ why: 'it ended (signal SIGSEGV)' })
  })

  test('ten seconds of silence', async () => {
    const { plugin, started, clock } = aPlugin()
    const answer = plugin.decide(aRequest(1))
    await clock.advance(9999)
    expect(started[0]?.state.killed).toBe(false)
    await clock.advance(1)
    expect(await answer).toEqual(FAILED)
    expect(started[0]?.state.killed).toBe(true)
  })

  test('an answer of exactly 8192 bytes is one', async () => {
    const { plugin, last } = aPlugin()
    const answer = plugin.decide(aRequest(1))
    const bare = line(1, 'reject').length - 1
    last()?.says(line(1, 'reject', 'x'.repeat(8192 - bare)))
    expect((await answer).action).toBe('reject')
  })

  test('an unrequested answer ends it, and the next question starts another', async () => {
    const { plugin, started } = aPlugin()
    const first = plugin.decide(aRequest(1))
    started[0]?.says(line(1))
    await first
    started[0]?.says(line(2))
    expect(started[0]?.state.killed).toBe(true)
    const second = plugin.decide(aRequest(2))
    started[1]?.says(line(2))
    expect(await second).toEqual({ action: 'accept' })
  })

  test('what the old one still says is ignored', async () => {
    const { plugin, started } = aPlugin()
    const answers = [plugin.decide(aRequest(1)), plugin.decide(aRequest(2))]
    started[0]?.says(line(9))
    started[0]?.says(line(2, 'reject', 'from the dead'))
    started[0]?.exits()
    started[1]?.says(line(2))
    expect(await answers[1]).toEqual({ action: 'accept' })
  })
})

describe('a program that fails again and again', () => {
  test('is started ever more rarely, and meanwhile everything is refused at once', async () => {
    const { plugin, started, clock } = aPlugin()
    const failOnce = async (n: number) => {
      const answer = plugin.decide(aRequest(n))
      started.at(-1)?.exits()
      return answer
    }
    expect(await failOnce(1)).toEqual(FAILED)
    expect(await failOnce(2)).toEqual(FAILED)
    expect(started.length).toBe(2)
    expect(await plugin.decide(aRequest(3))).toEqual(FAILED)
    expect(started.length).toBe(2)
    await clock.advance(500)
    await failOnce(4)
    expect(started.length).toBe(3)
    await clock.advance(500)
    await plugin.decide(aRequest(5))
    expect(started.length).toBe(3)
    await clock.advance(500)
    const good = plugin.decide(aRequest(6))
    started.at(-1)?.says(line(6))
    expect(await good).toEqual({ action: 'accept' })
    await failOnce(7)
    const again = plugin.decide(aRequest(8))
    started.at(-1)?.says(line(8))
    expect(await again).toEqual({ action: 'accept' })
  })

  test('never waits longer than half a minute, also when the clock is set back', async () => {
    const { plugin, started, clock } = aPlugin()
    for (let n = 0; n < 20; n++) {
      const answer = plugin.decide(aRequest(n))
      started.at(-1)?.exits()
      await answer
      await clock.advance(30_000)
    }
    expect(started.length).toBe(20)
  })

  test('a hanging one delays no event for more than two of its silences', async () => {
    const { plugin, clock } = aPlugin()
    const answers = Array.from({ length: 50 }, (_, n) => plugin.decide(aRequest(n)))
    await clock.advance(10_000)
    await clock.advance(10_000)
    expect(await Promise.all(answers)).toEqual(answers.map(() => FAILED))
  })
})

test('more than 1024 questions do not wait', async () => {
  const { plugin, clock } = aPlugin()
  const answers = Array.from({ length: 1030 }, (_, n) => plugin.decide(aRequest(n)))
  let refused = 0
  for (const answer of answers) void answer.then(() => (refused += 1))
  await settled()
  expect(refused).toBe(5)
  await clock.advance(10_000)
})

describe('another program', () => {
  test('is started when the command changes', async () => {
    let command = 'one'
    const { plugin, started } = aPlugin({ command: () => command })
    const first = plugin.decide(aRequest(1))
    command = 'two --strict'
    started[0]?.says(line(1))
    expect(await first).toEqual({ action: 'accept' })
    const second = plugin.decide(aRequest(2))
    expect(started.map((program) => program.command)).toEqual(['one', 'two --strict'])
    expect(started[0]?.state.ended).toBe(true)
    started[1]?.says(line(2))
    expect(await second).toEqual({ action: 'accept' })
  })

  test('is started when the file changes, unless the command has blanks', async () => {
    for (const [command, programs] of [
      ['/opt/policy', 2],
      ['/opt/policy --strict', 1],
    ] as const) {
      let modified = 1
      const { plugin, started } = aPlugin({ command: () => command, modifiedAt: () => modified })
      void plugin.decide(aRequest(1))
      started[0]?.says(line(1))
      modified = 2
      void plugin.decide(aRequest(2))
      expect(started.length, command).toBe(programs)
    }
  })
})

describe('what it says on stderr', () => {
  test('goes to the log, on one line each and cut short', async () => {
    const { plugin, last, log } = aPlugin()
    void plugin.decide(aRequest(1))
    last()?.complains(`starting\n\u001b[31mred\n${'x'.repeat(2000)}\n`)
    expect(log.lines.map(({ fields }) => fields)).toEqual([
      { says: 'starting' },
      { says: ' [31mred' },
      { says: '(a line too long to be logged)' },
    ])
  })

  test('is at most 20 lines a minute', async () => {
    const { plugin, last, log, clock } = aPlugin({ timeoutSeconds: 1000 })
    void plugin.decide(aRequest(1))
    last()?.complains('again\n'.repeat(500))
    expect(log.lines.length).toBe(20)
    await clock.advance(60_000)
    last()?.complains('still\n')
    expect(log.lines.slice(20).map(({ fields }) => fields)).toEqual([{ dropped: 480 }, { says: 'still' }])
  })
})

describe('closing', () => {
  test('refuses who waits, ends the input and waits for the exit', async () => {
    const { plugin, started } = aPlugin()
    const answers = [plugin.decide(aRequest(1)), plugin.decide(aRequest(2))]
    const closed = plugin.close()
    expect(await Promise.all(answers)).toEqual([FAILED, FAILED])
    expect(started[0]?.state.ended).toBe(true)
    started[0]?.exits('exit code 0')
    await closed
    expect(await plugin.decide(aRequest(3))).toEqual(FAILED)
    expect(started.length).toBe(1)
  })

  test('kills a program that does not leave', async () => {
    const { plugin, started, clock } = aPlugin()
    void plugin.decide(aRequest(1))
    const closed = plugin.close()
    await settled()
    await clock.advance(2000)
    await closed
    expect(started[0]?.state.killed).toBe(true)
    expect(clock.sleepers()).toBe(0)
  })

  test('without a program has nothing to do, and twice is once', async () => {
    const { plugin, started } = aPlugin()
    await plugin.close()
    await plugin.close()
    expect(started).toEqual([])
  })
})
