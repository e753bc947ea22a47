// Rules, authority and program together.
import { describe, expect, test } from 'vitest'
import { createWritePolicy, DEFAULT_POLICY, type PolicyParts } from '../../../src/relay/policy/index.js'
import type { Decision, WriteRequest } from '../../../src/relay/ports.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { createKeptLog } from '../../support/kept-log.js'
import { aRequest } from '../../support/policy-program.js'

const [ADA, BOB, CEM] = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)] as const

function policyOf(settings: Partial<PolicyParts['settings']>, parts: Partial<PolicyParts> = {}) {
  const log = createKeptLog()
  return {
    log,
    ...createWritePolicy({ settings: { ...DEFAULT_POLICY, ...settings }, clock: createFakeClock(), log, ...parts }),
  }
}

const authorityWhere = (paid: readonly string[], named: readonly string[] = []) => {
  const asked: string[] = []
  const answer = (list: readonly string[]) => async (key: string) => {
    asked.push(key)
    if (key === CEM) throw new Error('HTTP 500')
    return list.includes(key)
  }
  return { asked, isWritePaid: answer(paid), holdsName: answer(named) }
}
const by = (...authed: string[]): WriteRequest => aRequest(1, { authed })
const rejected = (message: string): Decision => ({ action: 'reject', message })
const ACCEPTED: Decision = { action: 'accept' }

test('without authority and program no one is asked', () => {
  expect(policyOf({}).ask).toBeUndefined()
})

describe('pay mode write', () => {
  const NOT_PAID = rejected('blocked: payment required to publish on this relay')
  const UNKNOWN = rejected('blocked: payment status unavailable')

  test.each<[string, WriteRequest, Decision]>([
    ['a key that paid', by(ADA), ACCEPTED],
    ['a key that did not', by(BOB), NOT_PAID],
    ['one that did beside one that did not', by(BOB, ADA), ACCEPTED],
    ['one of unknown state', by(CEM), UNKNOWN],
    ['one of unknown state beside one that paid', by(CEM, ADA), ACCEPTED],
    ['one of unknown state beside one that did not', by(CEM, BOB), UNKNOWN],
    ['no key', by(), NOT_PAID],
    ['what is no key', by('abc'), NOT_PAID],
  ])('%s', async (_who, request, decision) => {
    const { ask } = policyOf({ payMode: 'write' }, { authority: authorityWhere([ADA]) })
    expect(await ask?.(request)).toEqual(decision)
  })

  test('asks about the keys of the connection, not about the author', async () => {
    const authority = authorityWhere([BOB])
    const { ask } = policyOf({ payMode: 'write' }, { authority })
    expect(await ask?.(by(BOB))).toEqual(ACCEPTED)
    expect(authority.asked).toEqual([BOB])
  })

  test('without an authority refuses everything', async () => {
    expect(await policyOf({ payMode: 'write' }).ask?.(by(ADA))).toEqual(UNKNOWN)
  })
})

describe('where writers need names', () => {
  const NO_NAME = rejected('blocked: only holders of a name may publish on this relay')
  const wrap = (...authed: string[]): WriteRequest => {
    const { event, ...rest } = by(...authed)
    return { ...rest, event: { ...event, kind: 1059, pubkey: CEM, tags: [['p', BOB]] } }
  }

  test.each<[string, WriteRequest, Decision]>([
    ['an author with a name', by(), ACCEPTED],
    ['a gift wrap from a connection with a name', wrap(ADA), ACCEPTED],
    ['a gift wrap from one without', wrap(BOB), NO_NAME],
  ])('%s', async (_who, request, decision) => {
    const { ask } = policyOf({ requireName: true }, { authority: authorityWhere([], [ADA]) })
    expect(await ask?.(request)).toEqual(decision)
  })

  test('a connection with a name does not help an author without', async () => {
    const { ask } = policyOf({ requireName: true }, { authority: authorityWhere([], [BOB]) })
    expect(await ask?.(by(BOB))).toEqual(NO_NAME)
  })

  test('a name that is claimed elsewhere counts after 5 s, one of this process at once', async () => {
    const named: string[] = []
    const listeners: ((pubkey: string) => void)[] = []
    const authority = {
      ...authorityWhere([]),
      holdsName: async (key: string) => named.includes(key),
      onNamed: (listener: (pubkey: string) => void) => void listeners.push(listener),
    }
    const clock = createFakeClock()
    const { ask } = policyOf({ requireName: true }, { authority, clock })
    expect(await ask?.(by())).toEqual(NO_NAME)
    named.push(aRequest(1).event.pubkey)
    await clock.advance(4999)
    expect(await ask?.(by())).toEqual(NO_NAME)
    await clock.advance(1)
    expect(await ask?.(by())).toEqual(ACCEPTED)

    const other = policyOf({ requireName: true }, { authority })
    named.length = 0
    expect(await other.ask?.(by())).toEqual(NO_NAME)
    named.push(aRequest(1).event.pubkey)
    for (const listener of listeners) listener(aRequest(1).event.pubkey)
    expect(await other.ask?.(by())).toEqual(ACCEPTED)
  })

  test('an authority that does not answer refuses', async () => {
    const away = { isWritePaid: async () => true, holdsName: async () => Promise.reject(new Error('away')) }
    expect(await policyOf({ requireName: true }, { authority: away }).ask?.(by())).toEqual(
      rejected('blocked: name status unavailable'),
    )
  })
})

describe('the operator’s program', () => {
  const program = (decision: Decision) => {
    const asked: string[] = []
    let closed = 0
    return {
      asked,
      closed: () => closed,
      decide: async ({ event }: WriteRequest) => {
        asked.push(event.id)
        return decision
      },
      close: async () => {
        closed += 1
      },
    }
  }

  test('has the last word', async () => {
    const plugin = program({ action: 'shadowReject' })
    expect(await policyOf({}, { plugin }).ask?.(by())).toEqual({ action: 'shadowReject' })
  })

  test('is not asked about what the authority refuses', async () => {
    const plugin = program(ACCEPTED)
    const { ask } = policyOf({ payMode: 'write' }, { plugin, authority: authorityWhere([]) })
    expect((await ask?.(by(ADA)))?.action).toBe('reject')
    expect(plugin.asked).toEqual([])
  })

  test('is closed with the policy', async () => {
    const plugin = program(ACCEPTED)
    await policyOf({}, { plugin }).close()
    expect(plugin.closed()).toBe(1)
  })
})

describe('what the operator imports', () => {
  const imported = (kind: number): WriteRequest => {
    const { event, ...rest } = aRequest(1, { source: { type: 'Import', info: 'events.jsonl' } })
    return { ...rest, event: { ...event, kind, pubkey: BOB, tags: [['p', ADA]] } }
  }

  test('need not be paid for', async () => {
    const authority = authorityWhere([])
    expect(await policyOf({ payMode: 'write' }, { authority }).ask?.(imported(0))).toEqual(ACCEPTED)
    expect(authority.asked).toEqual([])
  })

  test('still needs an author with a name, unless it is a gift wrap', async () => {
    const { ask } = policyOf({ requireName: true }, { authority: authorityWhere([], [ADA]) })
    expect((await ask?.(imported(0)))?.action).toBe('reject')
    expect(await ask?.(imported(1059))).toEqual(ACCEPTED)
  })
})

test('a rule that fails refuses and is logged', () => {
  const { refusalFor, log } = policyOf({})
  const broken = {
    ...by(),
    get event(): never {
      throw new Error('a bug')
    },
  }
  expect(refusalFor(broken)).toBe('policy error')
  expect(log.lines[0]).toMatchObject({ level: 'error', fields: { cause: 'a bug' } })
})
