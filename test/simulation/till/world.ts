// A till and everybody around it for some days: a shop, its customers, the Grin network, relays, and what goes wrong.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyWebhook } from '../../../src/client/shop/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { createChance } from '../ground/chance.js'
import { startTime } from '../ground/time.js'
import { createTrace } from '../ground/trace.js'
import type { Failure, WorldOptions, WorldResult } from '../world.js'
import { CONFIRMATIONS, checkAtRest, type Heard } from './checks.js'
import { createCustomers, type Offer } from './customers.js'
import { createGrinNetwork } from './grin.js'
import { createTillProcess, NoAnswerInWorld } from './process.js'
import { createRelays } from './relays.js'

/** What can be left out, to see what a failure needs. */
export const FAULTS = ['drops', 'stops', 'nodes', 'reorganisations', 'relays', 'receivers', 'clock'] as const
type Fault = (typeof FAULTS)[number]

/** A memory file system, where there is one. */
const MEMORY = '/dev/shm'
const START = Date.UTC(2026, 0, 5, 6)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const REST_DAYS = 2
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const API_TOKEN = 'a'.repeat(40)
const ADMIN_TOKEN = 'b'.repeat(40)
const WORDS = `${'abandon '.repeat(23)}art`
/** Lives a world to its end and answers what does not hold. */
export async function liveTillWorld({
  seed,
  without = [],
  hours,
  untilMs,
  print,
}: WorldOptions & { readonly seed: number }): Promise<WorldResult> {
  const chance = createChance(`till ${seed}`)
  const plan = chance.stream('plan')
  const days = plan.weighted({ 1: 5, 2: 3, 5: 1 })
  const spanMs = hours === undefined ? Number(days) * DAY_MS : hours * HOUR_MS
  const perDay = plan.whole(20, 200)
  const nodeCount = plan.whole(1, 3)
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'grinpay-world-'))
  for (const part of ['life-0', 'data']) mkdirSync(join(folder, part), { mode: 0o700 })
  const time = startTime(START)
  const plainRandom = crypto.getRandomValues
  const strangers = chance.stream('libraries')
  crypto.getRandomValues = ((bytes: Uint8Array) => {
    bytes.set(strangers.bytes(bytes.byteLength))
    return bytes
  }) as typeof plainRandom
  const trace = createTrace(time.now, () => undefined, print)
  const happens = (fault: Fault): boolean => !without.includes(fault)
  try {
    const grin = createGrinNetwork({ time, chance: chance.stream('grin'), trace, nodes: nodeCount })
    const urls = ['wss://one.example', 'wss://two.example'].slice(0, plan.whole(1, 2))
    const { relays, openSocket } = createRelays({ time, chance: chance.stream('relays'), trace, urls })
    const heard: Heard[] = []
    let receiver: 'well' | 'failing' | 'silent' = 'well'
    const receiverChance = chance.stream('receiver')
    const till = createTillProcess({
      ...{ time, chance: chance.stream('till'), trace, folder, openSocket, fetch: grin.fetch },
      isExact: plan.is(0.05),
      variables: {
        PAY_CHAIN: 'sandbox',
        PAY_NODE_URL: grin.nodes.map(({ host }) => `http://${host}`).join(','),
        PAY_API_TOKEN: API_TOKEN,
        PAY_ADMIN_TOKEN: ADMIN_TOKEN,
        PAY_WEBHOOK_URL: 'http://127.0.0.1:9/hook',
        PAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
        PAY_CONFIRMATIONS: String(CONFIRMATIONS),
        PAY_RELAY_MODE: 'external',
        PAY_RELAYS: urls.join(','),
        PAY_GRIN1_RAIL: 'on',
        PAY_TOR_CONTROL: 'off',
        PAY_RATE_LIMITS: 'off',
        PAY_RATE_CURRENCIES: 'usd',
        PAY_RATE_SOURCE: 'fixed:usd=0.05',
        PAY_MNEMONIC: WORDS,
        PAY_NSEC: '1'.repeat(64),
        PAY_WALLET_PASSWORD: 'a simulated till',
        ...(nodeCount > 1 && plan.is(0.5) ? { PAY_CONFIRM_NODES: '2' } : {}),
      },
      async send({ headers, body, timeoutMs }) {
        await time.sleep(receiverChance.whole(1, 300))
        if (receiver === 'silent') {
          await time.sleep(timeoutMs)
          return { httpStatus: null, error: 'no answer in time', answerHead: '' }
        }
        if (receiver === 'failing') return { httpStatus: 500, error: 'HTTP 500', answerHead: '' }
        const event = verifyWebhook({ headers, body, secret: WEBHOOK_SECRET, now: time.now() })
        const payment = event.payment && (await till.running()?.till.findPayment(event.payment.slate_id))
        const kernel = payment && grin.chain.ledger.kernel(toHex(payment.excess))
        heard.push({
          eventId: event.event_id,
          type: event.event_type,
          invoiceId: event.invoice_id,
          body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
          at: time.now(),
          depth: kernel && grin.height() - kernel.height + 1,
        })
        trace.note('shop', 'hears', `${event.event_type} ${event.invoice_id?.slice(0, 8) ?? '-'}`)
        // Stored by the shop, and its answer lost: it comes again.
        if (receiverChance.is(0.02)) return { httpStatus: null, error: 'broken off', answerHead: '' }
        return { httpStatus: 200, error: null, answerHead: '' }
      },
    })
    const customers = createCustomers({
      ...{ time, chance: chance.stream('customers'), trace, grin, till, relays },
    })
    const end = time.now() + spanMs
    let isOver = false
    const offers: Offer[] = []

    async function blocks(): Promise<void> {
      const own = chance.stream('blocks')
      while (!isOver) {
        await time.sleep(10_000 + own.around(50_000))
        grin.mine(1)
        if (happens('reorganisations') && own.is(0.002)) {
          grin.reorganise(own.whole(1, 12), own.is(0.2))
        }
      }
    }

    async function createInvoice(own: ReturnType<typeof chance.stream>): Promise<void> {
      const key = own.is(0.7) ? own.uuid() : undefined
      const order = own.uuid().slice(0, 8)
      const body = {
        ...(own.is(0.2)
          ? { amount_fiat: `${own.whole(1, 50)}.50`, currency: 'usd' }
          : { amount_grin: own.whole(1, 400) * 250_000_000 }),
        ...{ order_ref: order, expiry_secs: own.pick([600, 3600, 86_400]) },
        match_mode: own.pick(['derived', 'memo', 'amount']),
      }
      for (let attempt = 0; attempt < 30; attempt++) {
        try {
          const { status, body: text } = await till.ask({
            method: 'POST',
            url: '/invoice',
            headers: { authorization: `Bearer ${API_TOKEN}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
            payload: body,
          })
          if (status === 201 || status === 200) {
            const made = JSON.parse(text) as {
              invoice_id: string
              token: string
              amount_nanogrin: number
              pay_link: string
            }
            const offer = {
              ...{ id: made.invoice_id, token: made.token, amount: BigInt(made.amount_nanogrin) },
              payLink: made.pay_link,
            }
            offers.push(offer)
            trace.note('shop', 'has invoice', `${offer.id.slice(0, 8)} ${offer.amount}`)
            if (own.is(0.8)) void customers.visit(offer).catch((error: unknown) => broken.push(error))
            return
          }
          trace.state(`refusal: invoice ${status}`)
          if (status < 500) throw new Error(`POST /invoice: ${status} ${text}`)
        } catch (thrown) {
          if (!(thrown instanceof NoAnswerInWorld)) throw thrown
        }
        if (key === undefined) return
        await time.sleep(own.around(20_000))
      }
    }
    const broken: unknown[] = []

    async function shop(): Promise<void> {
      const own = chance.stream('shop')
      while (time.now() < end) {
        await time.sleep(own.around(DAY_MS / perDay))
        void createInvoice(own).catch((error: unknown) => broken.push(error))
      }
    }

    async function troubles(): Promise<void> {
      const own = chance.stream('troubles')
      while (time.now() < end) {
        await time.sleep(own.around(2 * HOUR_MS))
        const fault = own.pick(FAULTS)
        const lasts = own.around(20 * 60_000)
        if (!happens(fault)) continue
        trace.note('trouble', fault)
        trace.fault(fault)
        if (fault === 'drops') {
          till.drop()
          await time.sleep(own.around(30_000))
          await till.start()
        } else if (fault === 'stops') {
          await till.stop()
          await time.sleep(own.around(120_000))
          await till.start()
        } else if (fault === 'nodes') {
          const node = own.pick(grin.nodes)
          node.mood = own.pick(['away', 'slow', 'denying', 'behind'] as const)
          trace.fault(`nodes × ${node.mood}`)
          await time.sleep(lasts)
          node.mood = 'well'
        } else if (fault === 'relays') {
          const relay = own.pick(relays)
          relay.isAway = own.is(0.6)
          relay.breakAll()
          await time.sleep(lasts)
          relay.isAway = false
        } else if (fault === 'receivers') {
          receiver = own.pick(['failing', 'silent'] as const)
          await time.sleep(lasts)
          receiver = 'well'
        } else if (fault === 'clock') {
          till.skewBy(own.pick([-HOUR_MS, -300_000, 90_000, 6 * HOUR_MS, 365 * DAY_MS]))
          await time.sleep(lasts)
          till.skewBy(0)
        }
      }
    }

    async function live(): Promise<readonly Failure[]> {
      await customers.fund(10)
      await till.start()
      await Promise.all([
        blocks(),
        (async () => {
          await Promise.all([shop(), troubles()])
          // Rest: everything works, for longer than any retry waits.
          await time.sleep(REST_DAYS * DAY_MS)
          isOver = true
        })(),
      ])
      if (broken.length > 0) throw broken[0]
      const findings = await checkAtRest({ till, grin, customers, heard, offers })
      await till.stop()
      return findings
    }

    const over = untilMs === undefined ? undefined : time.sleep(untilMs).then((): readonly Failure[] => [])
    const failures = await time.run(over ? Promise.race([live(), over]) : live())
    return { hash: trace.hash(), days: (time.now() - START) / DAY_MS, failures, ...trace.counts() }
  } finally {
    crypto.getRandomValues = plainRandom
    time.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
