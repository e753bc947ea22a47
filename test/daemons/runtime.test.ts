import { expect, test } from 'vitest'
import { checksOf, createDaemon, type Part } from '../../src/daemons/runtime.js'

const silent = { info: () => {}, error: () => {} }

function partsOf(log: string[], failing?: string): Part[] {
  return ['store', 'wallet', 'http'].map((name) => ({
    name,
    start: async () => {
      if (name === failing) throw new Error(`${name} broke`)
      log.push(`+${name}`)
    },
    stop: async () => {
      log.push(`-${name}`)
    },
  }))
}

test('parts start in order and stop in reverse, once', async () => {
  const log: string[] = []
  const daemon = createDaemon(partsOf(log), silent)
  await daemon.start()
  await Promise.all([daemon.stop(), daemon.stop()])
  expect(log).toEqual(['+store', '+wallet', '+http', '-http', '-wallet', '-store'])
})

test('a part that cannot start takes down all of them: what was opened before start must be closed', async () => {
  const log: string[] = []
  await expect(createDaemon(partsOf(log, 'wallet'), silent).start()).rejects.toThrow('wallet broke')
  expect(log).toEqual(['+store', '-http', '-wallet', '-store'])
})

test('as many parts as there are may listen for the end, without a warning in the log', async () => {
  const warnings: string[] = []
  const hear = ({ name }: Error) => void warnings.push(name)
  process.on('warning', hear)
  const start = async (signal: AbortSignal) => signal.addEventListener('abort', () => undefined)
  const parts = Array.from({ length: 40 }, (_, at) => ({ name: `loop ${at}`, start, stop: async () => undefined }))
  const daemon = createDaemon(parts, silent)
  await daemon.start()
  await daemon.stop()
  await new Promise(setImmediate)
  process.off('warning', hear)
  expect(warnings).toEqual([])
})

test('stopping before start closes what was opened', async () => {
  const log: string[] = []
  await createDaemon(partsOf(log), silent).stop()
  expect(log).toEqual(['-http', '-wallet', '-store'])
})

test('a part that fails to stop does not keep the others', async () => {
  const log: string[] = []
  const [store, wallet] = partsOf(log)
  const daemon = createDaemon(
    [store as Part, { ...(wallet as Part), stop: () => Promise.reject(new Error('stuck')) }],
    silent,
  )
  await daemon.start()
  await daemon.stop()
  expect(log).toEqual(['+store', '+wallet', '-store'])
})

test('a check that throws is an unready part with its reason', async () => {
  const part: Part = {
    name: 'node',
    start: async () => {},
    stop: async () => {},
    check: () => Promise.reject(new Error('no answer')),
  }
  expect(await checksOf([part])).toEqual([{ name: 'node', ok: false, detail: 'no answer' }])
})
