import { expect, test, vi } from 'vitest'
import { reportSignatureSetup, reportSignaturesLater } from '../../src/daemons/parts/relay/signature-report.js'
import { createLog } from '../../src/system/log.js'

function reported(check: 'native' | 'webassembly') {
  const lines: string[] = []
  reportSignatureSetup({ check, threads: 2 }, createLog({ human: false, write: (line) => void lines.push(line) }))
  return lines.map((line): unknown => JSON.parse(line))
}

test('a relay with the C library names it once, with its threads', () => {
  expect(reported('native')).toEqual([
    expect.objectContaining({ level: 'info', threads: 2, msg: 'signatures are checked by the C library' }),
  ])
})

test('a relay without it warns once, with the price and the remedy', () => {
  expect(reported('webassembly')).toEqual([
    expect.objectContaining({
      level: 'warn',
      threads: 2,
      msg: expect.stringMatching(/WebAssembly.* costs 1\.6 times the processor time: npm rebuild .* secp256k1/),
    }),
  ])
})

test('the report waits until the relay has started, and asks for the library only then', async () => {
  const lines: string[] = []
  let asked = 0
  const setup = () => {
    asked++
    return { check: 'native', threads: 1 } as const
  }
  reportSignaturesLater(setup, createLog({ human: false, write: (line) => void lines.push(line) }), 5)
  expect(asked).toBe(0)
  await vi.waitFor(() => expect(lines).toHaveLength(1))
  expect(asked).toBe(1)
})
