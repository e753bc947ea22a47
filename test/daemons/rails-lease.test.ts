import { expect, test } from 'vitest'
import { createRailsLease } from '../../src/daemons/parts/pay/rails-lease.js'
import type { Part } from '../../src/daemons/runtime.js'
import type { SharedTill } from '../../src/storage/index.js'
import { createDeferred } from '../support/deferred.js'
import { createFakeClock, settled } from '../support/fake-clock.js'

/** The test decides when this process gets the lease, and when it loses it. */
function createFakeLease() {
  let work: Parameters<SharedTill['keepLease']>[1] = async () => {}
  let end = new AbortController()
  return {
    keepLease: ((_name, given) => {
      work = given
      return { close: async () => end.abort() }
    }) satisfies SharedTill['keepLease'],
    /** Resolves when the work has ended. */
    take(): Promise<void> {
      end = new AbortController()
      return work({ epoch: 1, signal: end.signal, isHeld: () => !end.signal.aborted })
    },
    lose: () => end.abort(),
  }
}

/** Rails of a relay that takes as long to start as the test wants, and of a listener that needs it. */
async function startRails() {
  const log: string[] = []
  const starts: ReturnType<typeof createDeferred>[] = []
  const lease = createFakeLease()
  const clock = createFakeClock()
  const errors: object[] = []
  const partOf = (name: string, start: () => Promise<void>): Part => ({
    name,
    start: () => start().then(() => void log.push(`+${name}`)),
    stop: async () => void log.push(`-${name}`),
    check: async () => ({ ok: true, detail: 'fine' }),
  })
  function open(): readonly Part[] {
    const slow = createDeferred()
    starts.push(slow)
    return [partOf('relay', () => slow.promise), partOf('listener', async () => {})]
  }
  const rails = createRailsLease({
    keepLease: lease.keepLease,
    open,
    clock,
    log: { info: () => {}, error: (fields) => errors.push(fields) },
  })
  await rails.start(new AbortController().signal)
  return { rails, lease, clock, log, starts, errors }
}

test('what starts after the lease was lost is stopped again, and only then do the rails start anew', async () => {
  const { lease, log, starts } = await startRails()
  const first = lease.take()
  await settled()
  lease.lose()
  const second = lease.take()
  await settled()
  expect([log, starts.length]).toEqual([['-listener', '-relay'], 1])
  starts[0]?.resolve()
  await first
  expect(log.slice(2)).toEqual(['+relay', '-relay'])
  await settled()
  expect(starts).toHaveLength(2)
  starts[1]?.resolve()
  await settled()
  expect(log.slice(4)).toEqual(['+relay', '+listener'])
  lease.lose()
  await second
  expect(log.slice(6)).toEqual(['-listener', '-relay'])
})

test('rails that cannot start give the lease back, and say why for as long as no other instance may have it', async () => {
  const { rails, lease, clock, starts, errors } = await startRails()
  const failed = { ok: false, detail: 'could not start: port 3415 is taken' }
  const first = lease.take()
  await settled()
  expect(await rails.check?.()).toEqual({ ok: true, detail: 'has the lease: starting' })
  starts[0]?.reject(new Error('port 3415 is taken'))
  await first
  expect(errors).toEqual([{ cause: 'port 3415 is taken' }])
  expect(await rails.check?.()).toEqual(failed)

  await clock.advance(14_000)
  const second = lease.take()
  await settled()
  await clock.advance(14_000)
  expect(await rails.check?.()).toEqual(failed)
  starts[1]?.reject(new Error('port 3415 is taken'))
  await second
  expect(await rails.check?.()).toEqual(failed)

  await clock.advance(15_000)
  expect(await rails.check?.()).toMatchObject({ ok: true, detail: 'waits for the lease: another instance does this' })
})

test('rails that start after a failure are well again', async () => {
  const { rails, lease, starts } = await startRails()
  const first = lease.take()
  await settled()
  starts[0]?.reject(new Error('no disk'))
  await first
  void lease.take()
  await settled()
  starts[1]?.resolve()
  await settled()
  expect(await rails.check?.()).toEqual({ ok: true, detail: 'relay: fine; listener: fine' })
  lease.lose()
  await settled()
  expect(await rails.check?.()).toMatchObject({ ok: true, detail: 'waits for the lease: another instance does this' })
})

test('a start that does not end is reported', async () => {
  const { rails, lease, clock } = await startRails()
  void lease.take()
  await settled()
  await clock.advance(30_000)
  expect(await rails.check?.()).toEqual({ ok: false, detail: 'has the lease: starting' })
})
