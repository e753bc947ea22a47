// How examples of the help are run as they stand: what their made-up names stand for here, what they need, and which are not run and why.

/** What is copied from the help, and the prop that stands for it; the first that fits. `PLACE` and `NODE` are put in by the test. */
export const FILLINGS: readonly (readonly [text: string, prop: string])[] = [
  ['0436430c-2b02-624c-2032-570501212b00', 'payment'],
  ['"$payment"', 'payment'],
  ['9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65', 'invoice'],
  ['"$invoice"', 'invoice'],
  ['"$id"', 'invoice'],
  ['5f3c0d9e…', 'offer'],
  ['age1…', 'recipient'],
  ['"$offer"', 'offer'],
  ['5f3c0d9e8b7a6f5e4d3c2b1a09f8e7d6', 'event'],
  ['0f3c2a9be1d84f7a92c65d1e8b704c3d', 'openInvoice'],
  ['http://127.0.0.1:8420/pay/…', 'openPage'],
  ['https://pay.shop.example/pay/…', 'openPage'],
  ['npub1…', 'npub'],
  ['5e2f…', 'relayEvent'],
  ['wss://relay.example', 'relay'],
  ['grinpay-pay-20260131T020000Z.tar.age', 'sealedTill'],
  ['grinpay-relay-20260131T020000Z.tar.age', 'sealedRelay'],
  ['grinpay-pay-20260131T020000Z.tar', 'archive'],
]

/** Of one command: another prop for one of those above. */
export const INSTEAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'invoice cancel': { invoice: 'openInvoice' },
  'grant void': { invoice: 'grant' },
  'payment assign': { payment: 'unmatched', invoice: 'itsInvoice' },
}

/** Of everything else the usual one. */
export const USUAL: Readonly<Record<string, string>> = { invoice: 'paidInvoice' }

export interface Rehearsal {
  /** Props that are made first. */
  readonly needs?: readonly string[]
  /** What a person types when asked; without it there is no terminal. */
  readonly types?: string
  /** The expected exit codes; 0 when absent. */
  readonly exits?: readonly number[]
}

/** On a machine that reaches our public relays all is well; on others it reports what is not. */
const AS_THE_NETWORK_IS: Rehearsal = { exits: [0, 6] }

/** The till of this world never was that till, and says so. */
const NOT_ITS_WALLET: Rehearsal = { needs: ['oldTill'], exits: [6] }

export const REHEARSALS: Readonly<Record<string, Rehearsal>> = {
  'grinpay console remove anna': { needs: ['consolePerson'] },
  'grinpay console remove ben --json': { needs: ['otherConsolePerson'] },
  'grinpay console sessions --end 5f3c0d9e8b7a': { exits: [4] }, // nobody signed in
  'grinpay doctor': AS_THE_NETWORK_IS,
  'grinpay status --daemon relay --json': { exits: [6] }, // no relay runs from these settings
  'grinpay doctor --check relay --check clock': AS_THE_NETWORK_IS,
  'grinpay doctor --settings /etc/grinpay/pay.env --json': AS_THE_NETWORK_IS,
  'grinpay doctor --daemon nameauth': AS_THE_NETWORK_IS,
  'grinpay doctor --daemon relay --check address --check idle': AS_THE_NETWORK_IS,
  'grinpay grant void 9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65 --reason "refunded by hand"': { types: 'void' },
  'grinpay invoice import /var/lib/goblinpay/goblinpay.db --dry-run': NOT_ITS_WALLET,
  'grinpay invoice import goblinpay-copy.db --settings /etc/grinpay/pay.env --yes --json': NOT_ITS_WALLET,
  'grinpay name assign alice npub1… --replace --reason "asked for a change" --json': { needs: ['freeAlice'] },
  'grinpay name assign _ npub1… --reason "the domain itself"': { needs: ['namelessNpub'] },
  'grinpay name evict alice --reserve --reason "impersonates the bank"': { needs: ['heldAlice'], types: 'evict alice' },
  'grinpay name evict alice --reason "court order 12/26" --yes --json': { needs: ['heldAlice'] },
  'grinpay name import /var/lib/floonet-authority/names.db --dry-run --reason "moving in"': {
    needs: ['namesDatabases'],
  },
  'grinpay name import names-copy.db --reason "moving in" --yes --json': { needs: ['namesDatabases'] },
  'grinpay name release alice --reason "asked for it, lost the key"': {
    needs: ['heldAlice'],
    types: 'release alice',
  },
  'grinpay name release alice --reason "asked for it" --yes --json': { needs: ['heldAlice'] },
  'grinpay name show npub1…': { needs: ['nameOfNpub'] },
  'grinpay name suspend alice --reason "reported, looking into it"': { needs: ['heldAlice'] },
  'grinpay name suspend alice --lift --reason "was a mistake"': { needs: ['suspendedAlice'] },
  'grinpay name unreserve acme --reason "the company is gone"': { needs: ['acme'] },
  'grinpay name unreserve acme --reason "by mistake" -q': { needs: ['acme'] },
  'grinpay backup verify grinpay-pay-20260131T020000Z.tar.age --identity-file backup.key --password-file pw --json': {
    needs: ['sealedTill'],
  },
  'grinpay relay import events.jsonl': { needs: ['events'] },
  'strfry export | grinpay relay import - --dry-run': { needs: ['events'] },
  'grinpay relay import backup.jsonl --no-verify --json': { needs: ['events'] },
  'grinpay secret rotate webhook --overlap 7d --out ./webhook_secret': { needs: ['noWebhookSecret'] },
  'grinpay secret new webhook --out ./webhook_secret': { needs: ['noWebhookSecret'] },
  'grinpay till remove test': { needs: ['tillTest'] },
  'grinpay till remove test --json': { needs: ['tillTest'] },
  'grinpay till add test --url http://127.0.0.1:8080 --token-file ./admin_token --use': { needs: ['noTillTest'] },
  'grinpay webhook test --receiver 2': { exits: [3] }, // the sandbox has one
  'grinpay wallet export-seed': { types: 'show my words' },
  'grinpay wallet restore --seed-file wallet_data/wallet.seed --seed-password-file old-pw --password-file pw': {
    needs: ['seedOfLost'],
  },
}

const STAYS = 'runs until it is stopped; other tests of this project start it'
const ASKS = 'asks a person many questions; the tests of the wizards answer them'
const MACHINE =
  'writes below /etc, where a test has no business; the tests of the wizards and of services run it elsewhere'

/** They need three PostgreSQL nodes; test/cluster has them. */
export const NEEDS_CLUSTER = /^grinpay (store|instance|relay join)\b/

export const NOT_RUN: Readonly<Record<string, string>> = {
  'grinpay sandbox': STAYS,
  'grinpay sandbox --forward-to http://127.0.0.1:3000/webhook': STAYS,
  'grinpay sandbox --once': 'test/stories/sandbox.test.ts runs it',
  'grinpay status --watch': STAYS,
  'grinpay serve nameauth': STAYS,
  'grinpay serve nameauth --settings /etc/grinpay/nameauth.env': STAYS,
  'grinpay serve pay': STAYS,
  'grinpay serve pay --settings /etc/grinpay/pay.env': STAYS,
  'grinpay serve relay': STAYS,
  'grinpay serve relay --settings /etc/grinpay/relay.toml': STAYS,
  'grinpay webhook listen --port 4242': STAYS,
  'grinpay webhook listen --port 4242 --count 1 --json': 'waits for an event; test/commandline/cli.test.ts sends one',
  'grinpay setup': ASKS,
  'grinpay setup pay': ASKS,
  'grinpay setup nameauth': ASKS,
  'grinpay setup relay': ASKS,
  'grinpay wallet restore': ASKS,
  'grinpay setup relay --relay-url wss://relay.example --yes': MACHINE,
  'grinpay setup relay --answers answers.json --yes --dry-run': MACHINE,
  'grinpay setup relay --reconfigure --keep-days 365 --yes': MACHINE,
  'grinpay setup nameauth --domain names.example --yes': MACHINE,
  'grinpay setup nameauth --answers answers.json --yes --dry-run': MACHINE,
  'grinpay setup nameauth --reconfigure --pay-mode name --price-grin 2 --pay-token-file token': MACHINE,
  'grinpay setup pay --answers answers.json --yes': MACHINE,
  'grinpay setup pay --reconfigure --node-url https://main.gri.mw': MACHINE,
  'grinpay systemd install --daemon pay': MACHINE,
  'grinpay proxy install --kind nginx --daemon pay': MACHINE,
}
