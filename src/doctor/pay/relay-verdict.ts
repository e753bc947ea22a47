// From what happened at a relay to findings: rules in order, the first that fits is the verdict.
import { type Finding, fail, pass, warn } from '../finding.js'
import type { Heard } from '../relay-talk.js'
import type { Trip } from '../round-trip.js'

export interface RelayFacts {
  /** Subscriptions to the till's main key (or its stand-in) and to a one-time key. */
  readonly mainHeard: Heard
  readonly onceHeard: Heard
  readonly main: Trip
  readonly once: Trip
  /** Undefined when not even a small one went through. */
  readonly large: Trip | undefined
  /** It asked who reads. */
  readonly challenged: boolean
  /** It took the answer. */
  readonly authenticated: boolean
  /** It asked the writer, who then authenticated. */
  readonly writerAuthenticated: boolean
  /** The main key was not the till's own, because that does not open here. */
  readonly standIn: boolean
}

interface Rule {
  readonly fits: (facts: RelayFacts) => boolean
  readonly finding: (facts: RelayFacts) => Finding
}

const REPLACE = 'put another relay in its place: PAY_RELAYS'
const MOVE = 'put another relay before it in PAY_RELAYS'

const messageOf = (trip: Trip | undefined): string => (trip?.outcome === 'refused' ? trip.message : '')
const cameBack = (trip: Trip | undefined): boolean => trip?.outcome === 'arrived'
const isRefused = (heard: Heard): heard is { readonly refused: string } => typeof heard === 'object'

/** What helps against a refusal, by the prefix that relays begin it with (NIP-01). */
const REFUSALS: readonly (readonly [begins: string, remedy: string])[] = [
  ['auth-required:', 'a relay that wants writers to authenticate locks customers out: PAY_RELAYS'],
  ['restricted:', 'a relay for members locks customers out: PAY_RELAYS'],
  ['rate-limited:', 'wait a minute and try again; on a relay of yours raise its limits'],
  ['pow:', 'no wallet does that work: PAY_RELAYS'],
  ['blocked:', 'on a relay of yours allow kind 1059, otherwise PAY_RELAYS'],
  ['invalid:', 'check the clock of this machine (grinpay doctor --check clock)'],
]

const remedyFor = (message: string): string => REFUSALS.find(([begins]) => message.startsWith(begins))?.[1] ?? REPLACE

const RULES: readonly Rule[] = [
  {
    fits: ({ once, main }) => once.outcome === 'refused' && main.outcome === 'refused',
    finding: ({ once }) => {
      const message = messageOf(once)
      return fail(`refuses gift wraps (kind 1059): ${message || 'without a reason'}`, remedyFor(message))
    },
  },
  {
    fits: ({ mainHeard, onceHeard }) => isRefused(mainHeard) && isRefused(onceHeard),
    finding: ({ mainHeard }) => {
      const message = isRefused(mainHeard) ? mainHeard.refused : ''
      return fail(`lets us not listen: ${message || 'without a reason'}`, remedyFor(message))
    },
  },
  {
    fits: ({ challenged, authenticated, main }) => challenged && !authenticated && !cameBack(main),
    finding: () => fail("asks who reads (NIP-42) and does not accept the till's answer", REPLACE),
  },
  {
    fits: ({ main, once }) => main.outcome === 'damaged' || once.outcome === 'damaged',
    finding: () => fail('changes what it delivers: a gift wrap came back that does not open', REPLACE),
  },
  {
    fits: ({ main, once }) => !cameBack(main) && !cameBack(once),
    finding: () => fail('takes gift wraps and never delivers them', REPLACE),
  },
  {
    fits: ({ once, main }) => !cameBack(once) && cameBack(main),
    finding: () =>
      warn(
        'serves the main key only: one-time keys are not served here, invoices get one connection each (40 at most)',
        MOVE,
      ),
  },
  {
    fits: ({ main }) => !cameBack(main),
    finding: ({ main }) =>
      fail(
        `serves one-time keys, but not the main key: ${messageOf(main) || 'what is sent to it never arrives'}`,
        REPLACE,
      ),
  },
  {
    fits: ({ large }) => large?.outcome === 'refused',
    finding: ({ large }) =>
      fail(
        `refuses a gift wrap of 40 KB: ${messageOf(large) || 'without a reason'}`,
        'on a relay of yours take events of 128 KiB, otherwise PAY_RELAYS: some slatepacks do not get through here',
      ),
  },
  {
    fits: ({ large }) => !cameBack(large),
    finding: () =>
      fail(
        'takes a gift wrap of 40 KB and never delivers it',
        'on a relay of yours allow frames of 256 KiB, otherwise PAY_RELAYS',
      ),
  },
  {
    fits: ({ writerAuthenticated }) => writerAuthenticated,
    finding: () => warn('wants writers to authenticate (NIP-42): wallets that do not cannot pay over it', MOVE),
  },
  { fits: () => true, finding: (facts) => pass(praise(facts)) },
]

export const verdictOn = (facts: RelayFacts): Finding =>
  RULES.find(({ fits }) => fits(facts))?.finding(facts) ?? fail('was not understood', 'report this')

function praise({ once, main, large, challenged, standIn }: RelayFacts): string {
  const ms = (trip: Trip | undefined) => (trip?.outcome === 'arrived' ? `${trip.ms} ms` : '?')
  const key = standIn ? 'a stand-in for the main key' : 'the main key'
  const asked = challenged ? '; it asks who reads (NIP-42) and was answered' : ''
  return `delivers to one-time keys in ${ms(once)}, to ${key} in ${ms(main)}, 40 KB in ${ms(large)}${asked}`
}
