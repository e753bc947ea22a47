import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checksOf, createDaemon, type Part } from '../../src/daemons/runtime.js'
import { createDeferred } from '../support/deferred.js'
import { settled } from '../support/fake-clock.js'

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

describe('a daemon that is stopped while a part is starting', () => {
  /** The wallet starts when `go` or `fail` is called. */
  function slowDaemon() {
    const log: string[] = []
    const errors: object[] = []
    const slow = createDeferred()
    const [store, wallet, http] = partsOf(log) as [Part, Part, Part]
    const slowWallet = { ...wallet, start: (signal: AbortSignal) => slow.promise.then(() => wallet.start(signal)) }
    const daemon = createDaemon([store, slowWallet, http], { ...silent, error: (fields) => errors.push(fields) })
    const started = daemon.start()
    const failure = started.then(
      () => 'it started',
      (cause: Error) => cause.message,
    )
    return { daemon, log, errors, failure, go: slow.resolve, fail: slow.reject }
  }

  test('stops that part again when it has started, and starts no other one', async () => {
    const { daemon, log, failure, go } = slowDaemon()
    await settled()
    let isStopped = false
    const stopped = daemon.stop().then(() => {
      isStopped = true
    })
    await settled()
    expect([log, isStopped]).toEqual([['+store', '-http', '-wallet', '-store'], false])
    go()
    expect(await failure).toBe('stopped while part "wallet" was starting')
    await stopped
    expect(log.slice(4)).toEqual(['+wallet', '-wallet'])
  })

  test('stops it again too when it could not start', async () => {
    const { daemon, log, failure, fail } = slowDaemon()
    await settled()
    const stopped = daemon.stop()
    fail(new Error('no disk'))
    expect(await failure).toBe('no disk')
    await stopped
    expect(log).toEqual(['+store', '-http', '-wallet', '-store', '-wallet'])
  })

  test('does not wait for ever, and closes what is opened later still', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { daemon, log, errors, failure, go } = slowDaemon()
    await settled()
    const stopped = daemon.stop()
    await settled()
    await vi.advanceTimersByTimeAsync(10_000)
    await stopped
    expect(errors).toEqual([{ part: 'wallet', cause: 'still busy after 10 s' }])
    go()
    await failure
    expect(log).toEqual(['+store', '-http', '-wallet', '-store', '+wallet', '-wallet'])
  })
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
