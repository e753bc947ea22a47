import { describe, expect, test } from 'vitest'
import { exitCodeOf, failureLine, failureOf } from '../../src/cli/exit-codes.js'
import { confirm, EXIT, waitForInvoice } from '../../src/cli/index.js'
import { canAsk } from '../../src/cli/terminal.js'
import { daemonTimeout, daemonUnreachable, tokenMissing } from '../../src/client/index.js'
import { configurationError } from '../../src/config/errors.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { createFakeClock } from '../support/fake-clock.js'

const httpError = (status: number) => new GrinpayError('SOMETHING', 'x', status)

test.each([
  [configurationError([{ setting: null, text: 'x' }]), EXIT.usage],
  [tokenMissing('admin'), EXIT.notConfigured],
  [daemonUnreachable('http://x', 'refused'), EXIT.unreachable],
  [daemonTimeout('http://x', 15_000), EXIT.timedOut],
  [httpError(400), EXIT.usage],
  [httpError(401), EXIT.notAuthorised],
  [httpError(404), EXIT.notFound],
  [httpError(409), EXIT.negative],
  [httpError(500), EXIT.unexpected],
])('%s ends with %i', (error, exit) => expect(exitCodeOf(error)).toBe(exit))

test('a failure is one line, and its remedy a line of its own', () => {
  expect(failureLine(failureOf(daemonTimeout('http://x', 15_000, 'the till')))).toBe(
    'grinpay: the till at http://x did not answer within 15 s\nhint: grinpay status shows what it waits for',
  )
})

test('a bug is reported by its text only', () => {
  expect(failureOf(new TypeError('undefined is not a till'))).toMatchObject({ code: 'UNEXPECTED', exit: 1 })
})

test('Ctrl-C at a prompt is an interruption', () => {
  expect(failureOf(Object.assign(new Error('User force closed'), { name: 'ExitPromptError' })).exit).toBe(130)
})

describe('asking', () => {
  test('needs a terminal at both ends and no refusal by flag', () => {
    const [person, pipe] = [{ isTTY: true }, {}]
    expect(canAsk(false, { stdin: person, stdout: person })).toBe(true)
    expect(canAsk(true, { stdin: person, stdout: person })).toBe(false)
    expect(canAsk(false, { stdin: pipe, stdout: person })).toBe(false)
    expect(canAsk(false, { stdin: person, stdout: pipe })).toBe(false)
  })

  test('a confirmation that cannot be asked for is a usage error, unless --yes', async () => {
    const flags = { 'no-input': true }
    await expect(confirm('Deleting', 'delete', { ...flags, yes: false })).rejects.toMatchObject({
      code: 'NEEDS_CONFIRMATION',
    })
    await expect(confirm('Deleting', 'delete', { ...flags, yes: true })).resolves.toBeUndefined()
  })
})

describe('waiting for an invoice', () => {
  const sequence = (...statuses: readonly (string | Error)[]) => {
    const left = [...statuses]
    return async () => {
      const next = left.length > 1 ? left.shift() : left[0]
      if (next instanceof Error) throw next
      return { invoice_id: 'i', status: next ?? '' }
    }
  }
  /** Waits with a clock that each sleep moves. */
  const wait = (read: () => Promise<{ invoice_id: string; status: string }>, seen: string[] = []) => {
    const clock = createFakeClock()
    const sleep = async (ms: number) => void (await clock.advance(ms))
    const parts = { read, until: 'confirmed', timeoutSeconds: 10, everyMs: 2000 } as const
    return waitForInvoice({ ...parts, clock: { ...clock, sleep }, onChange: (text) => seen.push(text) })
  }

  test('ends when the state is reached and tells each change once', async () => {
    const seen: string[] = []
    expect(await wait(sequence('open', 'open', 'paid', 'paid', 'confirmed'), seen)).toMatchObject({
      status: 'confirmed',
    })
    expect(seen).toEqual(['open', 'signed', 'confirmed'])
  })

  test('times out with the state it was in', async () => {
    await expect(wait(sequence('open'))).rejects.toThrow('invoice i is still open, not confirmed, after 10 s')
  })

  test('an expired invoice ends the wait', async () => {
    await expect(wait(sequence('open', 'expired'))).rejects.toMatchObject({ code: 'ENDED_OTHERWISE' })
  })

  test('a till that restarts meanwhile is waited for, a wrong token is not', async () => {
    expect(await wait(sequence('open', httpError(503), 'confirmed'))).toMatchObject({ status: 'confirmed' })
    await expect(wait(sequence('open', httpError(401)))).rejects.toMatchObject({ status: 401 })
  })

  test('a till that is away from the start is not waited for', async () => {
    await expect(wait(sequence(httpError(503), 'confirmed'))).rejects.toMatchObject({ status: 503 })
  })
})

test('a server that was asked cannot move the cursor or forge a line with its error', () => {
  const line = failureLine(failureOf(new GrinpayError('X', 'no\r\n\u001b[2Jdone\u009b31m', 500, 'try\nagain')))
  expect(line).toBe('grinpay: no [2Jdone 31m\nhint: try again')
})
