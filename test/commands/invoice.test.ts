import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import InvoiceCancel from '../../src/commands/invoice/cancel.js'
import InvoiceCreate from '../../src/commands/invoice/create.js'
import InvoiceExport from '../../src/commands/invoice/export.js'
import InvoiceList from '../../src/commands/invoice/list.js'
import InvoiceShow from '../../src/commands/invoice/show.js'
import InvoiceWait from '../../src/commands/invoice/wait.js'
import type { Settlement } from '../../src/till/model.js'
import { type TillForCommands, tillForCommands } from '../support/run-command.js'
import { aPayment, NOON } from '../support/till-builders.js'

let at: TillForCommands
beforeEach(async () => {
  at = await tillForCommands()
})
afterEach(() => at.close())

describe('invoice create', () => {
  test('sends nanogrin for decimal GRIN and prints the checkout address', async () => {
    const { stdout, stderr, exit } = await at.run(InvoiceCreate, '1.5', '--order-ref', 'o-1', '--expires', '2h')
    const [invoice] = at.till.invoices.values()
    expect(exit).toBe(0)
    expect(at.till.asked).toEqual([{ amountNanogrin: 1_500_000_000n, orderRef: 'o-1', expirySecs: 7200 }])
    expect(stdout).toBe(`https://till.example/pay/${invoice?.token}\n`)
    expect(stderr).toContain(`grinpay invoice wait ${invoice?.id}`)
  })

  test('takes whole nanogrin, and prices in money', async () => {
    await at.run(InvoiceCreate, '7', '--nanogrin')
    await at.run(InvoiceCreate, '--fiat', '12.50', '--currency', 'USD', '--memo', 'tea')
    expect(at.till.asked).toEqual([{ amountNanogrin: 7n }, { amountFiat: '12.50', currency: 'USD', memo: 'tea' }])
  })

  test('--quiet prints only the id', async () => {
    const { stdout, stderr } = await at.run(InvoiceCreate, '1', '--quiet')
    expect(stdout).toBe(`${[...at.till.invoices.keys()][0]}\n`)
    expect(stderr).toBe('')
  })

  test('--json is one document and nothing else', async () => {
    const { stdout, stderr } = await at.run(InvoiceCreate, '1', '--json', '--qr')
    expect(JSON.parse(stdout)).toMatchObject({ status: 'open', amount_nanogrin: 1_000_000_000 })
    expect(stderr).toBe('')
  })

  test('--qr draws the checkout address in half blocks', async () => {
    const { stdout } = await at.run(InvoiceCreate, '1', '--qr')
    expect(stdout.split('\n').filter((line) => /^[█▀▄ ]{21,}$/.test(line)).length).toBeGreaterThan(10)
  })

  test('the same idempotency key makes one invoice', async () => {
    const first = await at.run(InvoiceCreate, '1', '--idempotency-key', 'k1', '-q')
    const again = await at.run(InvoiceCreate, '1', '--idempotency-key', 'k1', '-q')
    expect(again.stdout).toBe(first.stdout)
    expect(at.till.invoices.size).toBe(1)
  })

  test.each([
    ['no amount', [], 'give an amount in GRIN'],
    ['two prices', ['1', '--fiat', '2', '--currency', 'usd'], 'not both'],
    ['a comma', ['1,5'], 'not an amount in GRIN: "1,5"'],
    ['zero', ['0'], 'amount out of range'],
    ['a fraction of a nanogrin', ['1.5', '--nanogrin'], 'not a whole number of nanogrin'],
    ['more than JSON holds', ['99999999'], 'amount out of range'],
    ['a bad duration', ['1', '--expires', 'soon'], 'not a duration: "soon"'],
    ['an unknown flag', ['1', '--token', 'x'], 'Nonexistent flag: --token'],
  ])('%s is wrong usage, said in one line, the remedy in another', async (_what, argv, text) => {
    const { stdout, stderr, exit } = await at.run(InvoiceCreate, ...argv)
    expect(exit).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(text)
    const lines = stderr.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('hint: '))).toHaveLength(1)
  })
})

describe('reading', () => {
  test('show prints members, one per line and tab separated', async () => {
    const { id } = at.till.put({ orderRef: 'o-7', memo: null })
    const { stdout } = await at.run(InvoiceShow, id)
    expect(stdout).toContain(`invoice\t${id}\n`)
    expect(stdout).toContain('order\to-7\n')
    expect(stdout).not.toContain('memo')
  })

  test('an unknown invoice ends with 4, also under --json', async () => {
    const text = await at.run(InvoiceShow, 'f'.repeat(32))
    const json = await at.run(InvoiceShow, 'f'.repeat(32), '--json')
    expect([text.exit, json.exit]).toEqual([4, 4])
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { exit: 4, code: expect.any(String) } })
    expect(Object.keys(JSON.parse(json.stdout).error).sort()).toEqual(['code', 'docs', 'exit', 'hint', 'message'])
  })

  test('list is tab separated in a pipe and filters by state', async () => {
    at.till.put({ status: 'open', orderRef: 'a\tb' })
    at.till.put({ status: 'expired' })
    const { stdout } = await at.run(InvoiceList, '--status', 'open')
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout.trimEnd().split('\t')).toHaveLength(6)
  })

  /** An invoice that is `paid`, by a payment that is so far. */
  function paidBy(settlement: Settlement) {
    const payment = aPayment({ settlement })
    at.till.payments.set(payment.id, payment)
    return at.till.put({ status: 'paid', paymentId: payment.id, paidAt: NOON })
  }

  test.each([
    ['replied', 'signed'],
    ['seen', 'seen'],
    ['mined', 'mined'],
  ] as const)('list and show say how far the payment of a paid invoice is: %s is %s', async (settlement, word) => {
    const { id } = paidBy(settlement)
    expect((await at.run(InvoiceList)).stdout.split('\t')[1]).toBe(word)
    const shown = (await at.run(InvoiceShow, id)).stdout
    expect(shown).toContain(`status\t${word}\n`)
    expect(shown).not.toMatch(/^paid/m)
    expect(JSON.parse((await at.run(InvoiceList, '--json')).stdout).items).toMatchObject([{ status: 'paid' }])
    expect(JSON.parse((await at.run(InvoiceShow, id, '--json')).stdout)).toMatchObject({ status: 'paid' })
  })

  test('a payment that cannot be read leaves the word that is certain', async () => {
    at.till.put({ status: 'paid', paymentId: aPayment().id })
    at.till.put({ status: 'paid', paymentId: aPayment().id, confirmations: 2 })
    const words = (await at.run(InvoiceList)).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[1])
    expect(words.sort()).toEqual(['mined', 'signed'])
  })

  test('list --json has items and the cursor of the next page', async () => {
    at.till.put({})
    at.till.put({})
    const { stdout } = await at.run(InvoiceList, '--limit', '1', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ status: 'open' }], next: 'more' })
  })

  test('list --all goes on to the end', async () => {
    for (let count = 0; count < 3; count += 1) at.till.put({})
    const { stdout, stderr } = await at.run(InvoiceList, '--limit', '1', '--all', '-q')
    expect([stdout.trimEnd().split('\n').length, stderr]).toEqual([3, ''])
  })

  test('export writes CSV with a head, formulas disarmed', async () => {
    at.till.put({ orderRef: '=cmd()', memo: 'tea, "green"' })
    const { stdout } = await at.run(InvoiceExport)
    const [head, line] = stdout.split('\r\n')
    expect(head).toMatch(/^invoice_id,order_ref,status,amount_grin,/)
    expect(line).toContain(",'=cmd(),open,")
    expect(line).toContain('"tea, ""green"""')
  })

  test('export --format json is one document', async () => {
    at.till.put({})
    expect(JSON.parse((await at.run(InvoiceExport, '--format', 'json')).stdout).items).toHaveLength(1)
  })
})

describe('acting', () => {
  test('cancel answers the new state, and 6 when it is too late', async () => {
    const { id } = at.till.put({ status: 'open' })
    expect(await at.run(InvoiceCancel, id)).toMatchObject({ stdout: `invoice ${id} is cancelled\n`, exit: 0 })
    expect((await at.run(InvoiceCancel, id)).exit).toBe(6)
  })

  test('wait ends at once when the state is there, with 6 when it cannot come any more', async () => {
    const [paid, expired] = [at.till.put({ status: 'paid' }), at.till.put({ status: 'expired' })]
    expect(await at.run(InvoiceWait, paid.id, '--until', 'paid')).toMatchObject({ stdout: 'signed\n', exit: 0 })
    expect((await at.run(InvoiceWait, expired.id)).exit).toBe(6)
    expect((await at.run(InvoiceWait, paid.id, '--timeout', '0s')).exit).toBe(5)
  })
})
