// What an operator does about a part that is not ready, or about an alarm: tables from what the till says to the next step.

export interface Remedy {
  readonly text: string
  /** A path below `/console` that shows more. */
  readonly href?: string
}

interface Rule {
  readonly matches: RegExp
  /** `parts`: the groups of the match. */
  readonly remedy: (...parts: readonly string[]) => Remedy
}

/** By the name of the part; one that is missing here has its detail only. */
const PARTS: Readonly<Record<string, Remedy>> = {
  database: { text: 'Free space on its disk, then look into the log: journalctl -u grinpay-pay -n 50' },
  wallet: { text: 'Run systemctl restart grinpay-pay once. If it happens again, move to another machine.' },
  node: {
    text: 'Check the node, or name a second one in PAY_NODE_URL. Payments are taken meanwhile, confirmations wait.',
    href: '/network',
  },
  webhooks: { text: 'Repair the receivers, then send what failed again.', href: '/webhooks?show=failed' },
  relays: { text: 'See which relays fail and why, or name others in PAY_RELAYS.', href: '/network' },
  tor: { text: 'Run grinpay doctor --check tor --check foreign.' },
  'foreign api': { text: 'Run grinpay doctor --check tor --check foreign.' },
  'own relay': { text: 'Run grinpay doctor --check relay.' },
}

/** First match counts. The same advice as in docs/troubleshooting.md, "Alarms of the till". */
const ALARMS: readonly Rule[] = [
  { matches: /^wallet: /, remedy: () => PARTS.wallet ?? { text: '' } },
  {
    matches: /^webhook receiver (\d): .* is not set/,
    remedy: (receiver) => ({
      text: 'Set address and secret of this receiver again, then restart: what waits is sent.',
      href: `/webhooks?show=receiver-${receiver}`,
    }),
  },
  {
    matches: /^webhook receiver (\d): /,
    remedy: (receiver) => ({
      text: 'See what the receiver answered and repair it. Deliveries go on by themselves.',
      href: `/webhooks?show=receiver-${receiver}`,
    }),
  },
  {
    matches: /^payment (\S+): .*(?:came after|was not open for it)/,
    remedy: (id) => ({
      text: 'Assign it to an open invoice of exactly its amount, or refund it.',
      href: `/payments/${id}`,
    }),
  },
  {
    matches: /^payment (\S+): .*output is not on the chain/,
    remedy: (id) => ({
      text: 'Find the other wallet or till with this seed: only one may run.',
      href: `/payments/${id}`,
    }),
  },
  {
    matches: /^payment (\S+): .*no longer on the chain/,
    remedy: (id) => ({
      text: 'Hold the order until confirmations are counted again; check a second node.',
      href: `/payments/${id}`,
    }),
  },
  { matches: /^payment (\S+): /, remedy: (id) => ({ text: 'See the payment.', href: `/payments/${id}` }) },
  {
    matches: /given up, an input is spent/,
    remedy: () => ({ text: 'Nothing was received: create a new invoice for the customer.' }),
  },
  {
    matches: /^clock: .*ahead of the newest block/,
    remedy: () => ({ text: 'Run grinpay doctor --check node.', href: '/network' }),
  },
  {
    matches: /^clock: /,
    remedy: () => ({ text: 'Run timedatectl set-ntp true. The alarm ends once the clock is right.' }),
  },
]

/** Undefined: nothing is known beyond what the part says. */
export const remedyForPart = (name: string): Remedy | undefined =>
  Object.hasOwn(PARTS, name) ? PARTS[name] : undefined

/** Undefined: the alarm itself names what to do. */
export function remedyForAlarm(text: string): Remedy | undefined {
  for (const { matches, remedy } of ALARMS) {
    const match = matches.exec(text)
    if (match) return remedy(...match.slice(1))
  }
  return undefined
}
