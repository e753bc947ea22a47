import { describe, expect, test } from 'vitest'
import { NO_LISTS, type OperatorLists } from '../../../src/relay/policy/lists.js'
import {
  DEFAULT_POLICY,
  firstBroken,
  type PolicyRequest,
  type PolicySettings,
  policyTermsOf,
  RULES,
} from '../../../src/relay/policy/rules.js'
import type { EventSource } from '../../../src/relay/ports.js'

const [ADA, BOB] = ['aa'.repeat(32), 'bb'.repeat(32)] as const
const ID = 'ee'.repeat(32)
const listed = (...keys: readonly (string | number)[]) =>
  new Map(keys.map((key) => [String(key), { reason: '', since: 0 }]))

interface Case {
  readonly type?: EventSource['type']
  readonly event?: object
  readonly authed?: readonly string[]
  readonly address?: string
  readonly settings?: Partial<PolicySettings>
  readonly lists?: Partial<OperatorLists>
}

function refusal({
  event = {},
  authed = [],
  address = '',
  type = 'IP4',
  settings = {},
  lists = {},
}: Case): string | undefined {
  const writing: PolicyRequest = {
    event: { id: ID, pubkey: ADA, kind: 0, tags: [], ...event },
    authed,
    source: { type, info: address },
  }
  return firstBroken(writing, policyTermsOf({ ...DEFAULT_POLICY, ...settings }, { ...NO_LISTS, ...lists }))
}

test('the rules stand in the order of the specification, our own after them', () => {
  expect(RULES.map(({ number }) => number).join(' ')).toBe('0 1 2 3 4 5 6 7 8 8b 8c 8d 8e 9 9b')
})

describe('kinds', () => {
  test('an answer to a challenge is never stored, whatever the lists say', () => {
    const open = { settings: { kinds: new Set([22242]) }, lists: { allowedKinds: listed(22242) } }
    expect(refusal({ event: { kind: 22242 }, ...open })).toBe('blocked: event kind not accepted by this relay')
  })

  test('the operator adds kinds and takes them away; taking away counts more', () => {
    expect(refusal({ event: { kind: 4 }, lists: { allowedKinds: listed(4) } })).toBeUndefined()
    expect(refusal({ event: { kind: 0 }, lists: { bannedKinds: listed(0) } })).toContain('kind not accepted')
    const both = { allowedKinds: listed(0), bannedKinds: listed(0) }
    expect(refusal({ event: { kind: 0 }, lists: both })).toContain('kind not accepted')
    expect(refusal({ event: { kind: 0 }, settings: { blockedKinds: new Set([0]) } })).toContain('kind not accepted')
  })

  test('all kinds are accepted but answers to challenges, and what the operator takes away', () => {
    const all = { settings: { kinds: [{ first: 0, last: 65_535 }], blockedKinds: [{ first: 100, last: 200 }] } }
    const lists = { bannedKinds: listed(7) }
    for (const kind of [0, 4, 99, 201, 1984, 20_000, 22_241, 22_243, 65_535])
      expect(refusal({ event: { kind }, ...all, lists })).toBeUndefined()
    for (const kind of [-1, 7, 100, 150, 200, 22_242, 65_536])
      expect(refusal({ event: { kind }, ...all, lists })).toBe('blocked: event kind not accepted by this relay')
    expect(refusal({ event: { kind: 150 }, ...all, lists: { allowedKinds: listed(150) } })).toContain('not accepted')
  })

  test('gift wraps keep their rules where all kinds are accepted from everyone', () => {
    const settings = { kinds: [{ first: 0, last: 65_535 }], authors: 'everyone' } as const
    const wrap = (...tags: string[][]) => refusal({ event: { kind: 1059, tags }, settings })
    expect(wrap(['p', BOB])).toBeUndefined()
    expect(wrap()).toContain('missing recipient')
    expect(wrap(['p', BOB], ['e', ID])).toContain('extraneous tags')
    expect(wrap([], ['p', BOB])).toContain('extraneous tags')
    expect(wrap(['p', BOB], ['expiration', '1'])).toContain('expiration not allowed')
  })

  test('an empty list lets nothing through', () => {
    expect(refusal({ settings: { kinds: new Set() } })).toContain('kind not accepted')
  })
})

describe('keys', () => {
  const NOTES = 'blocked: this relay accepts public notes only from authorized authors'
  const WHITELIST = 'blocked: pubkey is not allowed to publish to this relay'

  test('a list of writers refuses all others, in pay mode none', () => {
    const settings = { whitelist: new Set([BOB]) }
    expect(refusal({ settings })).toBe(WHITELIST)
    expect(refusal({ event: { pubkey: BOB }, settings })).toBeUndefined()
    expect(refusal({ authed: [ADA], settings: { ...settings, payMode: 'write' } })).toBeUndefined()
  })

  test('who the operator allowed may write where only listed keys may, and public notes', () => {
    const lists = { allowedKeys: listed(ADA) }
    expect(refusal({ settings: { whitelist: new Set([BOB]) }, lists })).toBeUndefined()
    expect(refusal({ event: { kind: 1 }, lists })).toBeUndefined()
    expect(refusal({ event: { kind: 1, pubkey: BOB }, lists })).toBe(NOTES)
  })

  test('everyone may publish notes where the settings say so, but for banned keys and unlisted writers', () => {
    const settings = { authors: 'everyone' } as const
    for (const kind of [1, 30_023]) expect(refusal({ event: { kind }, settings })).toBeUndefined()
    expect(refusal({ event: { kind: 1 }, settings, lists: { allowedKeys: listed(BOB) } })).toBeUndefined()
    expect(refusal({ event: { kind: 1 }, settings, lists: { bannedKeys: listed(ADA) } })).toContain('this key may not')
    expect(refusal({ event: { kind: 1 }, settings: { ...settings, whitelist: new Set([BOB]) } })).toBe(WHITELIST)
  })

  test('allowing a key does not shut everybody else out', () => {
    expect(refusal({ event: { pubkey: BOB }, lists: { allowedKeys: listed(ADA) } })).toBeUndefined()
  })

  test('a banned key neither writes nor publishes for others, in any case of letters', () => {
    const lists = { bannedKeys: listed(ADA) }
    expect(refusal({ lists })).toBe('blocked: this key may not publish to this relay')
    expect(refusal({ event: { pubkey: ADA.toUpperCase() }, lists })).toBe(
      'blocked: this key may not publish to this relay',
    )
    expect(refusal({ event: { pubkey: BOB }, authed: [ADA], lists })).toContain('this key may not publish')
    expect(refusal({ event: { pubkey: BOB }, lists })).toBeUndefined()
  })

  test('a list is no object of the language: its own members are no keys', () => {
    expect(refusal({ event: { pubkey: 'constructor' }, lists: { bannedKeys: listed(ADA) } })).toBeUndefined()
  })
})

test('an event that was removed does not come back', () => {
  expect(refusal({ lists: { bannedEvents: listed(ID) } })).toBe('blocked: this event was removed by the operator')
})

test('a blocked address or network publishes nothing', () => {
  const lists = { blockedAddresses: listed('203.0.113.7', '2001:db8::/32') }
  const text = 'blocked: this address may not publish to this relay'
  expect(refusal({ address: '203.0.113.7', lists })).toBe(text)
  expect(refusal({ address: '203.0.113.8', lists })).toBeUndefined()
  expect(refusal({ address: '2001:db8:0:1::5', lists })).toBe(text)
  expect(refusal({ address: 'events.jsonl', lists })).toBeUndefined()
})

describe('proving a key', () => {
  const wrap = { kind: 1059, tags: [['p', BOB]] }

  test('where it is required, every event needs one, after its form was right', () => {
    const settings = { requireAuth: true }
    expect(refusal({ settings })).toBe('auth-required: publish after NIP-42 AUTH')
    expect(refusal({ event: { kind: 4 }, settings })).toContain('kind not accepted')
    expect(refusal({ authed: [BOB], settings })).toBeUndefined()
  })

  test('who has to pay proves a key first', () => {
    expect(refusal({ settings: { payMode: 'write' } })).toBe('auth-required: paid publishing needs NIP-42 AUTH')
  })

  test('where writers need names, a gift wrap needs an authenticated key', () => {
    const settings = { requireName: true }
    expect(refusal({ settings })).toBeUndefined()
    expect(refusal({ event: wrap, settings })).toBe('auth-required: publishing gift wraps needs NIP-42 AUTH')
    expect(refusal({ event: wrap, authed: [BOB], settings })).toBeUndefined()
  })
})

describe('what the operator fetches or imports', () => {
  const wrap = { kind: 1059, tags: [['p', BOB]] }
  const all = { requireAuth: true, payMode: 'write', requireName: true } as const

  test.each(['Import', 'Stream', 'Sync', 'Stored'] as const)('by %s, needs no proven key', (type) => {
    expect(refusal({ type, event: wrap, settings: all })).toBeUndefined()
  })

  test.each(['IP4', 'IP6'] as const)('is not what comes over a connection (%s)', (type) => {
    expect(refusal({ type, event: wrap, settings: all })).toContain('auth-required: ')
  })

  test('keeps every other rule', () => {
    const type = 'Import'
    expect(refusal({ type, event: { kind: 4 } })).toContain('kind not accepted')
    expect(refusal({ type, event: { kind: 1 } })).toContain('only from authorized authors')
    expect(refusal({ type, event: { kind: 1059 } })).toContain('missing recipient')
    expect(refusal({ type, lists: { bannedKeys: listed(ADA) } })).toContain('this key may not publish')
    expect(refusal({ type, settings: { whitelist: new Set([BOB]) } })).toContain('not allowed to publish')
  })
})

test('the first rule that is broken answers', () => {
  const lists = { bannedKeys: listed(ADA), bannedEvents: listed(ID) }
  const settings = { requireAuth: true, whitelist: new Set<string>(), payMode: 'write' } as const
  const texts = [
    refusal({ event: { kind: 1 }, lists, settings }),
    refusal({ lists, settings }),
    refusal({ authed: [BOB], lists, settings }),
    refusal({ authed: [BOB], lists: { bannedEvents: listed(ID) }, settings }),
  ]
  expect(texts).toEqual([
    'blocked: this relay accepts public notes only from authorized authors',
    'auth-required: publish after NIP-42 AUTH',
    'blocked: this key may not publish to this relay',
    'blocked: this event was removed by the operator',
  ])
})
