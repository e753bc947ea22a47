import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import ConfigCheck from '../../src/commands/config/check.js'
import ConfigShow from '../../src/commands/config/show.js'
import PaymentAssign from '../../src/commands/payment/assign.js'
import PaymentList from '../../src/commands/payment/list.js'
import PaymentResend from '../../src/commands/payment/resend.js'
import PaymentShow from '../../src/commands/payment/show.js'
import WalletAddress from '../../src/commands/wallet/address.js'
import WalletBalance from '../../src/commands/wallet/balance.js'
import WebhookList from '../../src/commands/webhook/list.js'
import WebhookReplay from '../../src/commands/webhook/replay.js'
import WebhookShow from '../../src/commands/webhook/show.js'
import WebhookTest from '../../src/commands/webhook/test.js'
import { ADDRESS, aDelivery } from '../support/fake-till.js'
import { runCommandClass, type TillForCommands, tillForCommands } from '../support/run-command.js'
import { aPayment } from '../support/till-builders.js'

let at: TillForCommands
beforeEach(async () => {
  at = await tillForCommands()
})
afterEach(() => at.close())

const addPayment = () => {
  const payment = aPayment({ invoiceId: null })
  at.till.payments.set(payment.id, payment)
  return payment
}
const addDelivery = (over: Parameters<typeof aDelivery>[0] = {}) => {
  const delivery = aDelivery(over)
  at.till.deliveries.set(delivery.eventId, delivery)
  return delivery
}

describe('payment', () => {
  test('show knows what list knows', async () => {
    const payment = addPayment()
    const { stdout } = await at.run(PaymentShow, payment.id, '--json')
    const listed = JSON.parse((await at.run(PaymentList, '--json')).stdout).items[0]
    expect(JSON.parse(stdout)).toEqual({ ...listed, chain: 'mainnet' })
    expect((await at.run(PaymentShow, payment.id)).stdout).toContain(`rail\t${payment.rail}`)
  })

  test('events are listed with their time and invoice', async () => {
    const delivery = addDelivery({ invoiceId: 'ab'.repeat(16) })
    expect((await at.run(WebhookList)).stdout).toContain('ab'.repeat(16))
    expect((await at.run(WebhookList)).stdout).toContain(new Date(delivery.createdAt).toISOString().slice(0, 19))
  })

  test('list, show and assign tell the same payment', async () => {
    const [payment, invoice] = [addPayment(), at.till.put({})]
    expect((await at.run(PaymentList)).stdout).toContain(`${payment.id}\t`)
    expect((await at.run(PaymentShow, payment.id, '-q')).stdout).toBe(`${payment.id}\n`)
    const assigned = await at.run(PaymentAssign, payment.id, invoice.id)
    expect(assigned.stdout).toBe(`payment ${payment.id} now belongs to invoice ${invoice.id}\n`)
  })

  test('six characters of an id are enough where they name one', async () => {
    const [payment, invoice] = [addPayment(), at.till.put({})]
    expect((await at.run(PaymentShow, payment.id.slice(0, 6), '-q')).stdout).toBe(`${payment.id}\n`)
    const assigned = await at.run(PaymentAssign, payment.id.slice(0, 13), invoice.id.slice(0, 6))
    expect(assigned.stdout).toBe(`payment ${payment.id} now belongs to invoice ${invoice.id}\n`)
    const delivery = addDelivery()
    expect((await at.run(WebhookShow, delivery.eventId.slice(0, 6), '-q')).stdout).toBe(`${delivery.eventId}\n`)
    expect((await at.run(WebhookReplay, delivery.eventId.slice(0, 6), '-q')).stdout).toBe(`${delivery.eventId}\n`)
    expect((await at.run(PaymentShow, payment.id.slice(0, 5))).exit).toBe(4)
    expect((await at.run(PaymentShow, 'abcdef')).exit).toBe(4)
  })

  test('what begins several ids is refused with those it could be', async () => {
    const [one, two] = ['1', '2'].map((digit) => addDelivery({ eventId: `9b1d6a${digit}`.padEnd(32, '0') }).eventId)
    const { exit, stderr } = await at.run(WebhookShow, '9b1d6a')
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: `grinpay: "9b1d6a" matches several ids (event): ${one}, ${two}\nhint: type more of the id\n`,
    })
  })

  test('resend puts the reply on its way again, for payments over Nostr only', async () => {
    const payment = aPayment({ rail: 'nostr' })
    at.till.payments.set(payment.id, payment)
    expect((await at.run(PaymentResend, payment.id)).stdout).toBe(
      `the reply to payment ${payment.id} is on its way again\n`,
    )
    expect((await at.run(PaymentResend, payment.id, '-q')).stdout).toBe(`${payment.id}\n`)
    const { exit, stderr } = await at.run(PaymentResend, addPayment().id)
    expect(exit).toBe(6)
    expect(stderr).toContain('did not arrive over Nostr; its reply is on the checkout page')
    expect((await at.run(PaymentResend, 'no-such-payment')).exit).toBe(4)
  })

  test('both ids are needed', async () => {
    expect(await at.run(PaymentAssign, 'p')).toMatchObject({ exit: 2, stdout: '' })
  })
})

describe('webhook', () => {
  test('list and show', async () => {
    const { eventId } = addDelivery({ body: '{"a":1}' })
    expect((await at.run(WebhookList, '--failed')).stdout).toContain(`${eventId}\tpayment.received\tpending\t1`)
    expect((await at.run(WebhookShow, eventId)).stdout).toContain('body\t{"a":1}')
  })

  test('replay sends one event again and says when it had arrived before', async () => {
    const { eventId } = addDelivery({ state: 'delivered' })
    const { stdout, stderr, exit } = await at.run(WebhookReplay, eventId)
    expect({ stdout, exit }).toEqual({ stdout: `${eventId}\tpayment.received\tpending\t1\n`, exit: 0 })
    expect(stderr).toContain('was delivered before')
  })

  test('replay --failed leaves delivered events alone', async () => {
    addDelivery({ state: 'delivered' })
    const { eventId } = addDelivery({ state: 'abandoned' })
    const { stdout } = await at.run(WebhookReplay, '--failed', '--since', '24h', '--dry-run', '--json')
    const { items } = JSON.parse(stdout)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ event_id: eventId, state: 'abandoned' })
  })

  test('replay and test go to the receiver that is named, list and show look at it', async () => {
    const { eventId } = addDelivery({ state: 'abandoned' })
    const asked: unknown[] = []
    const note = (verb: string, receiver: number | undefined) => void asked.push([verb, receiver])
    const { replay, testWebhook, listDeliveries, findDelivery } = at.till
    at.till.replay = async (id, receiver) => {
      note('replay', receiver)
      return replay(id, receiver)
    }
    at.till.testWebhook = async (receiver) => {
      note('test', receiver)
      return testWebhook(receiver)
    }
    at.till.listDeliveries = async (filter) => {
      note('list', filter.receiver)
      return listDeliveries(filter)
    }
    at.till.findDelivery = async (id, receiver) => {
      note('show', receiver)
      return findDelivery(id, receiver)
    }
    expect((await at.run(WebhookReplay, eventId, '--receiver', '1')).stdout).toContain(`${eventId}\t`)
    expect((await at.run(WebhookTest, '--receiver', '2')).stdout).toContain('receiver\t2')
    await at.run(WebhookList, '--receiver', '3')
    expect((await at.run(WebhookShow, eventId, '--receiver', '1')).stdout).toContain('receiver\t1 (shop.example)\n')
    expect((await at.run(WebhookList, '--receiver', '9')).exit).toBe(2)
    expect(asked).toEqual([
      ['show', 1],
      ['replay', 1],
      ['test', 2],
      ['list', 3],
      ['show', 1],
    ])
  })

  test('replay leaves a receiver out that is not configured any more', async () => {
    const { eventId } = addDelivery({ state: 'abandoned' })
    addDelivery({ state: 'abandoned', receiver: 4 })
    const { items } = JSON.parse((await at.run(WebhookReplay, '--failed', '--dry-run', '--json')).stdout)
    expect(items).toMatchObject([{ event_id: eventId, receiver: 1, receiver_host: 'shop.example' }])
  })

  test('more than twenty at once need --yes', async () => {
    for (let n = 0; n < 21; n++) addDelivery({ state: 'abandoned' })
    expect(await at.run(WebhookReplay, '--failed')).toMatchObject({ exit: 2, stdout: '' })
    expect((await at.run(WebhookReplay, '--failed', '--yes')).stdout.trimEnd().split('\n')).toHaveLength(21)
  })

  test('replay wants one event or --failed, not both and not none', async () => {
    expect((await at.run(WebhookReplay)).exit).toBe(2)
    expect((await at.run(WebhookReplay, 'e', '--failed')).exit).toBe(2)
  })

  test('test shows what the shop answered', async () => {
    expect((await at.run(WebhookTest)).stdout).toContain('status\t200\n')
  })

  test('test ends with 6 when the shop did not take it', async () => {
    const failed = { number: 1, startedAt: 0, durationMs: 9, httpStatus: 500, error: 'HTTP 500', answerHead: '' }
    at.till.testWebhook = async () => ({ eventId: 'e', receiver: 1, attempt: failed })
    expect(await at.run(WebhookTest)).toMatchObject({ exit: 6, stdout: '' })
  })
})

describe('wallet', () => {
  test('address is the address and nothing else', async () => {
    expect((await at.run(WalletAddress)).stdout).toBe(`${ADDRESS}\n`)
  })

  test('balance keeps every digit', async () => {
    expect((await at.run(WalletBalance)).stdout).toBe('confirmed\t1\t1152921504.606846976\n')
  })
})

describe('config', () => {
  test('show names every setting and no secret', async () => {
    const { stdout } = await at.run(ConfigShow)
    expect(stdout).toContain(`PAY_API_TOKEN\tset\t${at.envFile}\n`)
    expect(stdout).not.toContain('pay_live_')
  })

  test('show ends with the relays that the settings come to', async () => {
    const { stdout } = await at.run(ConfigShow, '--json')
    expect(JSON.parse(stdout).items.at(-1)).toEqual({
      name: 'relay-set.1',
      value: 'ws://127.0.0.1:7777',
      origin: 'own relay, advertised',
    })
  })

  test('check says everything wrong in one line and ends with 2', async () => {
    const bad = join(dirname(at.envFile), 'bad.env')
    writeFileSync(bad, 'PAY_BIND=x\nPAY_CONFIRMATIONS=0\n')
    const { stderr, exit } = await runCommandClass(ConfigCheck, [bad])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^grinpay: configuration error: PAY_BIND .*; PAY_CONFIRMATIONS .*\nhint: .*\n$/)
  })

  test('check names the file that is fine', async () => {
    const good = join(dirname(at.envFile), 'good.env')
    writeFileSync(good, `${readFileSync(at.envFile, 'utf8')}PAY_WALLET_PASSWORD=correct horse\n`, { mode: 0o600 })
    expect((await runCommandClass(ConfigCheck, [good])).stdout).toBe(`${good}: ok\n`)
  })

  test('check names a missing wallet password, beside everything else', async () => {
    const { stderr, exit } = await runCommandClass(ConfigCheck, [at.envFile])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^grinpay: configuration error: PAY_WALLET_PASSWORD is not set, and no unit hands it over/)
    const bad = join(dirname(at.envFile), 'bad.env')
    writeFileSync(bad, 'PAY_BIND=\n')
    const both = await runCommandClass(ConfigCheck, [bad])
    expect(both.stderr).toMatch(/PAY_BIND must not be empty; PAY_WALLET_PASSWORD is not set/)
  })

  test('check takes a password that a unit beside the settings hands over', async () => {
    const folder = join(dirname(at.envFile), 'handed')
    mkdirSync(join(folder, 'systemd', 'grinpay-pay.service.d'), { recursive: true })
    const file = join(folder, 'pay.env')
    writeFileSync(file, 'PAY_BIND=127.0.0.1:8080\n', { mode: 0o600 })
    writeFileSync(join(folder, 'systemd', 'grinpay-pay.service'), `[Service]\nLoadCredential=pay.env:${file}\n`)
    writeFileSync(
      join(folder, 'systemd', 'grinpay-pay.service.d', 'password.conf'),
      '[Service]\nLoadCredential=pay_wallet_password:/run/grinpay/wallet_password\n',
    )
    expect(await runCommandClass(ConfigCheck, [file])).toMatchObject({ stdout: `${file}: ok\n`, exit: 0 })
  })

  test('check notes names that are no settings also where something is wrong', async () => {
    const bad = join(dirname(at.envFile), 'bad.env')
    writeFileSync(bad, 'PAY_BIND=x\nPAY_BNID=y\n')
    const { stderr, exit } = await runCommandClass(ConfigCheck, [bad])
    expect(exit).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'note: PAY_BNID is not a setting of grinpay and is ignored (did you mean PAY_BIND?)',
    )
  })
})

describe('reaching the till', () => {
  test('a till that is not there ends with 8 and a remedy', async () => {
    const file = join(dirname(at.envFile), 'token')
    writeFileSync(file, 'any\n')
    const { stderr, exit } = await runCommandClass(WalletAddress, ['--url', 'http://127.0.0.1:9', '--token-file', file])
    expect(exit).toBe(8)
    expect(stderr).toContain('grinpay serve pay')
  })

  test('an address without a token file gets no token of ours', async () => {
    const { stderr, exit } = await runCommandClass(WalletAddress, ['--url', 'http://127.0.0.1:9'])
    expect(exit).toBe(3)
    expect(stderr).toContain('--token-file')
  })

  test('a wrong token ends with 7', async () => {
    const file = join(dirname(at.envFile), 'token')
    writeFileSync(file, 'wrong\n')
    expect((await at.run(WalletAddress, '--token-file', file)).exit).toBe(7)
  })
})
