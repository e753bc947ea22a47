// `invoice import`: a till of the program before this one moves here, whole or not at all.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import InvoiceImport from '../../src/commands/invoice/import.js'
import { entropyFromMnemonic } from '../../src/grin/keychain/index.js'
import { sealSeed } from '../../src/grin/seedfile/index.js'
import { addressOfSeed, formatAddress } from '../../src/grin/slatepack/index.js'
import { Secret } from '../../src/lib/secret.js'
import { openTillReader, openTillStore } from '../../src/storage/index.js'
import { systemRandom } from '../../src/system/index.js'
import { walletOf } from '../support/grin.js'
import { otherProgram, separateAuthority } from '../support/legacy-databases.js'
import {
  childOf,
  OLD,
  OLD_NSEC_HEX,
  OLD_PUBKEY,
  OLD_WORDS,
  type OldRows,
  type OldTable,
  writeLegacyTill,
} from '../support/legacy-till.js'
import { runCommandClass } from '../support/run-command.js'
import { look } from '../support/till-builders.js'

const PASSWORD = 'a password of the wallet'
const ADDRESS = formatAddress('grin', addressOfSeed(walletOf(OLD_WORDS).addressSeed(0, 0)))
const OTHER_WORDS =
  'bar indicate report keen soda vessel find measure shock enemy bronze squeeze page erosion control olive powder lens spin horse leaf give catch lyrics'

const seal = (words: string) =>
  sealSeed({
    entropy: new Secret(entropyFromMnemonic(words)),
    password: new Secret(PASSWORD),
    chain: 'mainnet',
    random: systemRandom,
  })
let sealed: string
let sealedOther: string
beforeAll(async () => {
  ;[sealed, sealedOther] = await Promise.all([seal(OLD_WORDS), seal(OTHER_WORDS)])
})

let folder: string
const at = (...parts: string[]) => join(folder, ...parts)
const dbPath = () => at('pay.db')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-moving-'))
  mkdirSync(at('data', 'wallet'), { recursive: true, mode: 0o700 })
  settings()
  wallet(sealed)
  writeFileSync(at('data', 'wallet', 'no-database-yet'), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function settings(nsec = OLD_NSEC_HEX) {
  const lines = [
    `PAY_DB_PATH=${dbPath()}`,
    `PAY_DATA_DIR=${at('data')}`,
    `PAY_WALLET_PASSWORD_FILE=${at('password')}`,
    'PAY_PUBLIC_URL=https://pay.shop.example',
    'PAY_RELAY_MODE=external',
    'PAY_RELAYS=wss://relay.example.net',
    ...(nsec === '' ? [] : [`PAY_NSEC_FILE=${at('nsec')}`]),
  ]
  writeFileSync(at('pay.env'), `${lines.join('\n')}\n`, { mode: 0o600 })
  writeFileSync(at('password'), PASSWORD, { mode: 0o600 })
  writeFileSync(at('nsec'), nsec, { mode: 0o600 })
}
const seedPath = () => at('data', 'wallet', 'seed.json')
const wallet = (text: string) => writeFileSync(seedPath(), text, { mode: 0o600 })
const run = (...argv: string[]) => runCommandClass(InvoiceImport, [at('old.db'), '--settings', at('pay.env'), ...argv])
const moved = (change?: OldRows) => {
  writeLegacyTill(at('old.db'), change)
  return run('--yes')
}
/** The file with one row changed. */
const row =
  (table: OldTable, at: number, cells: object): OldRows =>
  (rows) =>
    void rows[table].splice(at, 1, { ...rows[table][at], ...cells })
const reader = () => openTillReader({ path: dbPath(), chain: 'mainnet', fingerprint: ADDRESS })

describe('taking over', () => {
  test('tells how much of what, and what stays behind', async () => {
    const { stdout, stderr, exit } = await moved()
    expect({ stdout, exit }).toEqual({ stdout: 'invoices\t5\t0\npayments\t2\t0\nusers\t1\t0\nevents\t2\t0\n', exit: 0 })
    expect(stderr).toContain(`${at('old.db')}: invoices 5, payments 2, users 1, events 2\n`)
    expect(stderr).toContain('left out: invoice row 6: it never had an amount\n')
    expect(stderr).toContain('next: grinpay serve pay\n')
  })

  test('open invoices stay payable: token, key, price and end are those that customers have', async () => {
    await moved()
    const store = await reader()
    const open = await store.invoiceByToken(OLD.openToken)
    expect(open).toMatchObject({
      id: OLD.open,
      status: 'open',
      amount: 2_000_000_000n,
      matchMode: 'derived',
      recipientPubkey: childOf(OLD.open),
      orderRef: 'order-1',
      memo: 'Honey',
      expiresAt: Date.UTC(2027, 0, 1),
      offeredRail: null,
      slatepack: null,
    })
    expect(open?.payLink).toMatch(/^goblin:nprofile1\w+\?amount=2&memo=Honey&proof=grin1/)
    expect(open?.qrSvg).toMatch(/^<svg/)
    expect(await store.invoiceById(OLD.memo)).toMatchObject({ matchMode: 'memo', matchKey: 'order 2', expiresAt: null })
    expect(await store.payableByRecipient(childOf(OLD.open), 0, 5)).toMatchObject([{ id: OLD.open }])
    await store.close()
  })

  test('payments go on where they were, each with the key that the wallet made its output with', async () => {
    await moved()
    const store = await reader()
    expect(await store.invoiceById(OLD.paid)).toMatchObject({
      status: 'paid',
      paymentId: OLD.first,
      confirmations: 4,
      fiat: { amount: '0.05', currency: 'USD', rate: '0.05', source: 'coingecko' },
    })
    const first = await store.paymentById(OLD.first)
    expect(first).toMatchObject({
      settlement: 'mined',
      minedHeight: 3_000_000,
      keyIndex: 0,
      rail: 'nostr',
      proof: null,
    })
    expect(first?.nextCheckAt).not.toBeNull()
    expect(await store.paymentById(OLD.second)).toMatchObject({
      settlement: 'confirmed',
      keyIndex: 1,
      rail: 'slatepack',
      nextCheckAt: null,
      userId: 'ada',
      confirmedAt: Date.UTC(2026, 5, 30, 10, 20),
      proof: { amount: 1_000_000_000n, senderAddress: 'cc'.repeat(32) },
    })
    expect(await store.nextKeyIndex()).toBe(2)
    expect((await store.balance()).confirmed).toEqual({ count: 1, amount: 1_000_000_000n })
    await store.close()
  })

  test('a confirmed payment without a time counts in reports when it was made', async () => {
    await moved((rows) => {
      row('invoice', 3, { confirmed_at: null })(rows)
      row('payment', 1, { confirmed_at: null })(rows)
    })
    const store = await reader()
    const { items } = await store.confirmedRows({ from: 0, to: Date.UTC(2100, 0), limit: 9 })
    expect(items).toMatchObject([{ confirmedAt: Date.UTC(2026, 5, 30, 10), kind: 'sale' }])
    expect((await store.balance()).confirmed.count).toBe(1)
    await store.close()
  })

  test('users keep the keys of all their epochs; events their bytes and their next try', async () => {
    await moved()
    const store = await reader()
    expect(await store.userById('ada')).toMatchObject({ epoch: 1, rotateInterval: 3600 })
    const waiting = await store.deliveryById(OLD.waiting)
    expect(waiting?.delivery).toMatchObject({ state: 'pending', attempts: 3, body: OLD.body, invoiceId: OLD.paid })
    expect((await store.deliveryById(OLD.sent))?.delivery).toMatchObject({ state: 'delivered', nextAttemptAt: null })
    expect((await store.claimDeliveries(1, look(Date.now(), 5))).map(({ eventId }) => eventId)).toEqual([OLD.waiting])
    await store.close()
  })

  test('a second time it changes nothing, not even what moved on since', async () => {
    await moved()
    const store = await openTillStore({ path: dbPath(), chain: 'mainnet', fingerprint: ADDRESS, now: Date.now })
    await store.cancelInvoice(OLD.memo)
    await store.close()
    const { stdout, exit } = await run('--yes', '--json')
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      file: at('old.db'),
      dry_run: false,
      imported: true,
      left_out: [{ place: 'invoice row 6', what: 'it never had an amount' }],
      rows: [
        { kind: 'invoices', added: 0, known: 5 },
        { kind: 'payments', added: 0, known: 2 },
        { kind: 'users', added: 0, known: 1 },
        { kind: 'events', added: 0, known: 2 },
      ],
      conflicts: [],
    })
    const after = await reader()
    expect((await after.invoiceById(OLD.memo))?.status).toBe('cancelled')
    await after.close()
  })

  test('an old edition without users and events is taken, too', async () => {
    const { exit } = await moved((rows) => {
      rows.user = []
      rows.endpub_assignment = []
      rows.webhook_delivery = []
    })
    expect(exit).toBe(0)
  })
})

describe('a dry run', () => {
  test('tells the same and makes no file', async () => {
    writeLegacyTill(at('old.db'))
    const { stdout, stderr, exit } = await run('--dry-run')
    expect({ stdout, exit }).toEqual({ stdout: 'invoices\t5\t0\npayments\t2\t0\nusers\t1\t0\nevents\t2\t0\n', exit: 0 })
    expect(stderr).toContain('nothing was changed; repeat it without --dry-run\n')
    expect(existsSync(dbPath())).toBe(false)
  })

  test('changes nothing in a database that is there', async () => {
    await moved()
    writeLegacyTill(at('more.db'), (rows) => {
      rows.invoice.push({ ...rows.invoice[1], id: '9'.repeat(32), token: 'Z'.repeat(43) })
    })
    const argv = [at('more.db'), '--settings', at('pay.env'), '--dry-run']
    expect((await runCommandClass(InvoiceImport, argv)).stdout).toContain('invoices\t1\t5\n')
    const store = await reader()
    expect(await store.invoiceById('9'.repeat(32))).toBeUndefined()
    await store.close()
  })
})

describe('one row that does not fit stops all of it', () => {
  const REFUSED: readonly [string, OldRows, string][] = [
    [
      'an open invoice whose key another identity made',
      row('invoice', 0, { recipient_pubkey: 'ab'.repeat(32) }),
      'invoice row 1\tits key is not of this till: take over the Nostr identity of the old till first',
    ],
    [
      'an unconfirmed payment without its reply',
      row('payment', 0, { s2_armor: null }),
      'payment row 1\tit is not confirmed and its reply was not kept: run the old till until it is',
    ],
    [
      'a payment whose output is worth something else',
      row('payment', 0, { amount: 5 }),
      'payment row 1\tits output is worth 1000000000 nanogrin, not 5',
    ],
    [
      'a damaged reply',
      row('payment', 0, { s2_armor: 'BEGINSLATEPACK. abc. ENDSLATEPACK.' }),
      'payment row 1\ts2_armor cannot be read: ',
    ],
    [
      'an unknown state',
      row('invoice', 4, { status: 'lost' }),
      'invoice row 5\tstatus is "lost", not one of open, paid, confirmed, expired',
    ],
    ['a time that is none', row('invoice', 0, { created_at: 'yesterday' }), 'invoice row 1\tcreated_at is no time: '],
    [
      'an open invoice without an amount',
      row('invoice', 0, { expected_amount: null }),
      'invoice row 1\tit is open and has no amount: let it expire first',
    ],
    [
      'a user whose key another identity made',
      row('endpub_assignment', 1, { pubkey: OLD_PUBKEY }),
      'user row 1\tits key is not of this till: take over the Nostr identity of the old till first',
    ],
    ['an event that is no JSON', row('webhook_delivery', 1, { body: 'x' }), 'webhook_delivery row 2\tbody is no JSON'],
  ]

  test.each(REFUSED)('%s', async (_, change, words) => {
    const { stdout, stderr, exit } = await moved(change)
    expect(exit).toBe(6)
    expect(stdout).toContain(words)
    expect(stderr).toContain('conflicts: 1; nothing was changed\n')
    expect(existsSync(dbPath())).toBe(false)
  })

  test('a token is never shown', async () => {
    const secret = 'not-a-token-but-perhaps-half-of-one'
    const { stdout, stderr } = await moved(row('invoice', 0, { token: secret }))
    expect(stdout).toBe('invoice row 1\ttoken cannot be used\n')
    expect(stderr).not.toContain(secret)
  })

  test('another wallet', async () => {
    wallet(sealedOther)
    const { stdout, exit } = await moved()
    expect(exit).toBe(6)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'payment row 1\tits money is not in this wallet: restore the wallet of the old till first',
      'payment row 2\tits money is not in this wallet: restore the wallet of the old till first',
    ])
  })

  test('what is another here than there', async () => {
    await moved()
    writeLegacyTill(at('other.db'), (rows) => {
      row('invoice', 0, { token: 'Y'.repeat(43) })(rows)
      rows.webhook_delivery[1] = { ...rows.webhook_delivery[1], body: '{}' }
      rows.invoice.push({ ...rows.invoice[1], id: '8'.repeat(32), token: OLD.openToken })
    })
    const argv = [at('other.db'), '--settings', at('pay.env'), '--yes', '--json']
    const { stdout, exit } = await runCommandClass(InvoiceImport, argv)
    expect(exit).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      imported: false,
      conflicts: [
        { place: 'invoice row 1', what: `invoice ${OLD.open} is another one here` },
        { place: 'invoice row 7', what: `invoice ${'8'.repeat(32)} has the token of another one here` },
        { place: 'webhook_delivery row 2', what: `event ${OLD.waiting} is another one here` },
      ],
    })
    const store = await reader()
    expect((await store.invoiceByToken(OLD.openToken))?.id).toBe(OLD.open)
    await store.close()
  })

  test('what was paid there after it was taken over here', async () => {
    await moved((rows) => {
      row('invoice', 2, { status: 'open', paid_payment_id: null, paid_at: null })(rows)
      rows.payment.shift()
    })
    writeLegacyTill(at('later.db'))
    const { stdout, exit } = await runCommandClass(InvoiceImport, [
      at('later.db'),
      '--settings',
      at('pay.env'),
      '--yes',
    ])
    expect(exit).toBe(6)
    expect(stdout).toBe(`payment row 1\tinvoice ${OLD.paid} is open here, and payment ${OLD.first} pays it there\n`)
  })
})

describe('a confirmed payment without its reply', () => {
  test('stays behind and is reported; its invoice is imported', async () => {
    const { stderr, exit } = await moved(row('payment', 1, { s2_armor: null }))
    expect(exit).toBe(0)
    expect(stderr).toContain('left out: payment row 2: it is confirmed, and its reply was not kept')
    const store = await reader()
    expect(await store.invoiceById(OLD.confirmed)).toMatchObject({ status: 'confirmed', confirmations: 14 })
    await store.close()
  })
})

describe('nothing is made that is not there yet', () => {
  test('no wallet', async () => {
    rmSync(seedPath())
    const { stderr, exit } = await moved()
    expect(exit).not.toBe(0)
    expect(stderr).toContain("restore the earlier till's wallet first")
    expect(stderr).toContain('grinpay wallet restore')
    expect(existsSync(dbPath())).toBe(false)
  })

  test('no Nostr identity', async () => {
    settings('')
    const { stderr, exit } = await moved()
    expect(exit).not.toBe(0)
    expect(stderr).toContain('no Nostr identity at')
    expect(existsSync(at('data', 'nostr', 'identity.json'))).toBe(false)
  })

  test('no terminal and no --yes', async () => {
    writeLegacyTill(at('old.db'))
    const { stderr, exit } = await run()
    expect(exit).toBe(2)
    expect(stderr).toContain('--yes')
    expect(existsSync(dbPath())).toBe(false)
  })
})

describe('other files are refused by name', () => {
  const FILES: readonly [string, () => unknown, string][] = [
    ['none', () => undefined, 'there is no such file'],
    ['text', () => writeFileSync(at('old.db'), 'once upon a time'), 'it is no database at all'],
    ['of another program', () => otherProgram(at('old.db')), 'it has no table "invoice" of a till'],
    ['of a name authority', () => separateAuthority(at('old.db')), 'it has no table "invoice" of a till'],
  ]
  test.each(FILES)('%s', async (_, make, words) => {
    make()
    const { stderr, exit } = await run('--yes')
    expect(exit).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toContain(`old.db is not the database of an earlier till: ${words}`)
    expect(existsSync(dbPath())).toBe(false)
  })

  test('our own', async () => {
    await (await openTillStore({ path: at('old.db'), chain: 'mainnet', fingerprint: ADDRESS, now: Date.now })).close()
    const before = readFileSync(at('old.db'))
    const { stderr, exit } = await run('--yes')
    expect(exit).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toContain('it belongs to a till of grinpay')
    expect(readFileSync(at('old.db'))).toEqual(before)
  })

  test('the old one, which an unchanged env file names as ours', async () => {
    writeLegacyTill(at('old.db'))
    writeFileSync(
      at('pay.env'),
      readFileSync(at('pay.env'), 'utf8').replace(/^PAY_DB_PATH=.*$/m, `GP_DB_PATH=${at('old.db')}`),
    )
    const { stderr, exit } = await run('--yes')
    const said = stderr.replace(/\s+/g, ' ')
    expect(exit).toBe(2)
    expect(said).toContain('old.db is not the database of a till: another program made it')
    expect(said).toContain('to import an earlier till or authority: grinpay invoice import')
    settings()
    expect((await run('--yes')).exit).toBe(0)
  })

  test('a till that runs', async () => {
    const store = await openTillStore({ path: dbPath(), chain: 'mainnet', fingerprint: ADDRESS, now: Date.now })
    const { stderr, exit } = await moved()
    expect(exit).not.toBe(0)
    expect(stderr).toContain('is in use by another daemon')
    await store.close()
  })
})
