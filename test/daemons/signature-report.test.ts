import { expect, test } from 'vitest'
import { createSignatureStatus, reportSignatureSetup } from '../../src/daemons/parts/relay/signature-report.js'
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

test('nothing is known before a thread reports; a thread that replaces it may check in another way', async () => {
  const { status, report } = createSignatureStatus(2)
  expect(status.current()).toBeUndefined()
  report('native')
  expect(await status.known).toEqual({ check: 'native', threads: 2 })
  report('webassembly')
  expect([status.current()?.check, (await status.known).check]).toEqual(['webassembly', 'native'])
})
