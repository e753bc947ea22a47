// The name authority from outside, 3: limits, names with a price, and sales (specification: names, 4, 9, 10).
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyPair, nameFolder, REGISTER, type RunningAuthority, startAuthority } from '../support/name-clients.js'
import { excessOf, offerEvent, offerTags, PRICE, proofJson, seedOf } from '../support/name-transfer.js'
import { keyPairOf } from '../support/nostr.js'
import { type PackedCli, packCli } from '../support/packed-cli.js'
import {
  type PlainInvoicing,
  type PlainNode,
  SERVICE_TOKEN,
  startPlainInvoicing,
  startPlainNode,
} from './plain-services.js'

let cli: PackedCli
beforeAll(async () => {
  cli = await packCli()
})
afterAll(() => cli?.remove())

let people = 0
const stranger = (): KeyPair => keyPairOf(`customer ${people++}`)
const freshName = (): string =>
  `sale${[...String(people++)].map((digit) => 'qwrtypdfhjk'.charAt(Number(digit))).join('')}`
const seen = ({ status, json }: { status: number; json: { error?: string } }) => [status, json?.error]

/** An authority for the tests of one group. */
function authority(settings: () => Readonly<Record<string, string>>) {
  const folder = nameFolder()
  const group: { names: RunningAuthority } = { names: undefined as unknown as RunningAuthority }
  beforeAll(async () => {
    group.names = await startAuthority(cli.entry, folder.path, settings())
  })
  afterAll(async () => {
    await group.names?.stop()
    folder.remove()
  })
  return group
}

describe('limits as they are shipped', () => {
  const at = authority(() => ({ NAMEAUTH_READ_RATE_MAX: '120', NAMEAUTH_WRITE_RATE_MAX: '10' }))
  const many = async (count: number, method: string, path: string, from: string) => {
    const found: number[] = []
    for (let n = 0; n < count; n++) found.push((await at.names.ask(method, path, { from })).status)
    return found
  }

  test('120 reads a minute, whatever is read', async () => {
    const from = '203.0.113.1'
    expect(new Set(await many(60, 'GET', '/api/v1/name/nova', from))).toEqual(new Set([200]))
    expect(new Set(await many(60, 'GET', '/api/v1/profile/nova', from))).toEqual(new Set([404]))
    for (const path of ['/.well-known/nostr.json?name=nova', '/api/v1/name/nova', `/api/v1/paid/${'a'.repeat(64)}`]) {
      const answer = await at.names.ask('GET', path, { from })
      expect(seen(answer)).toEqual([429, 'rate_limited'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    }
  })

  test('a limited NIP-05 answer is no document', async () => {
    const { json } = await at.names.ask('GET', '/.well-known/nostr.json?name=nova', { from: '203.0.113.1' })
    expect(json).not.toHaveProperty('names')
  })

  test.each([
    ['POST', REGISTER],
    ['DELETE', `${REGISTER}/nova`],
    ['POST', '/api/v1/quote'],
  ])('10 an hour of %s %s, failed ones too', async (method, path) => {
    expect(await many(11, method, path, '203.0.113.2')).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  test('comes before the proof: a signed claim is not even looked at', async () => {
    const who = stranger()
    const from = '203.0.113.2'
    expect(seen(await at.names.claim(who, freshName(), { from }))).toEqual([429, 'rate_limited'])
  })

  test('another client is another client', async () => {
    expect((await at.names.claim(stranger(), freshName(), { from: '203.0.113.3' })).status).toBe(201)
    expect((await at.names.ask('GET', '/api/v1/name/nova', { from: '203.0.113.3' })).status).toBe(200)
  })

  test('one IPv6 network is one client', async () => {
    await many(10, 'POST', REGISTER, '2001:db8:5:5::1')
    expect(await many(1, 'POST', REGISTER, '2001:db8:5:5:ffff::2')).toEqual([429])
    expect(await many(1, 'POST', REGISTER, '2001:db8:5:6::1')).toEqual([401])
  })

  test.each(['x-forwarded-for', 'forwarded', 'client-ip', 'x-client-ip', 'cf-connecting-ip'])(
    '%s is refused',
    async (header) => {
      const headers = { [header]: header === 'forwarded' ? 'for=198.51.100.1' : '198.51.100.1' }
      expect((await at.names.ask('GET', '/api/v1/name/nova', { from: '203.0.113.1', headers })).status).toBe(429)
    },
  )

  test.each(['/api/v1/health', '/', '/health'])('%s has no limit', async (path) => {
    expect(new Set(await many(150, 'GET', path, '203.0.113.1'))).toEqual(new Set([200]))
  })

  test('the webhook has no limit', async () => {
    expect(new Set(await many(30, 'POST', '/api/v1/pay/webhook', '203.0.113.2'))).toEqual(new Set([404]))
  })
})

describe('where no proxy is trusted', () => {
  const at = authority(() => ({ NAMEAUTH_TRUSTED_PROXIES: 'none', NAMEAUTH_READ_RATE_MAX: '5' }))

  test('X-Real-IP is what anybody says', async () => {
    const found: number[] = []
    for (let n = 0; n < 6; n++)
      found.push((await at.names.ask('GET', '/api/v1/name/nova', { from: `203.0.113.${n}` })).status)
    expect(found).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('a name with a price', () => {
  let till: PlainInvoicing
  const HOOK = 'secret of the webhooks'
  beforeAll(async () => {
    till = await startPlainInvoicing()
  })
  afterAll(() => till?.close())
  const at = authority(() => ({
    NAMEAUTH_PAY_MODE: 'name',
    NAMEAUTH_NAME_PRICE_GRIN: '1.5',
    NAMEAUTH_PAY_URL: till.url,
    NAMEAUTH_PAY_TOKEN: SERVICE_TOKEN,
    NAMEAUTH_PAY_WEBHOOK_SECRET: HOOK,
    NAMEAUTH_PAID_POLL_INTERVAL_SECS: '0',
    NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: '0',
  }))
  const sign = (body: string, secret = HOOK) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  test('is refused with what there is to pay', async () => {
    const who = stranger()
    const { status, json } = await at.names.claim(who, freshName())
    expect([status, json]).toEqual([
      402,
      expect.objectContaining({
        error: 'payment_required',
        resource: 'name',
        invoice_id: expect.stringMatching(/^invoice-/),
        pay_url: expect.stringMatching(/^https:/),
        price_grin: '1.5',
        price_nanogrin: 1_500_000_000,
        currency: 'GRIN',
      }),
    ])
    expect(till.orders.at(-1)).toMatchObject({
      amount_grin: 1_500_000_000,
      memo: expect.stringContaining('names.acme.example'),
    })
    expect(till.orders.at(-1)?.order_ref).toContain(who.pubkey)
  })

  test('is not priced before everything else is in order', async () => {
    const [who, taken] = [stranger(), freshName()]
    const paid = await buy(stranger(), taken)
    expect(paid).toBe(201)
    const before = till.orders.length
    const bad = [
      await at.names.claim(who, 'admin'),
      await at.names.claim(who, 'x'),
      await at.names.claim(who, taken),
      await at.names.claim(who, '', { body: '{}' }),
    ]
    expect([bad.map(({ status }) => status), till.orders.length]).toEqual([[403, 400, 409, 400], before])
  })

  test('costs one invoice, however often it is asked for', async () => {
    const [who, name] = [stranger(), freshName()]
    const before = till.orders.length
    const answers = await Promise.all(Array.from({ length: 10 }, () => at.names.claim(who, name)))
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.invoice_id}`)).size).toBe(1)
    expect((await at.names.claim(who, freshName())).json.invoice_id).toBe(answers[0]?.json.invoice_id)
    expect(till.orders.length).toBe(before + 1)
  })

  test.each(['open', 'paid', 'seen', 'PAID', 'settled', 'Confirmed', ''])('%j does not settle it', async (status) => {
    const [who, name] = [stranger(), freshName()]
    const { json } = await at.names.claim(who, name)
    till.statuses.set(json.invoice_id, status)
    const again = await at.names.claim(who, name)
    expect([again.status, again.json.invoice_id]).toEqual([402, json.invoice_id])
  })

  test('confirmed settles it: one payment, one claim', async () => {
    const [who, name] = [stranger(), freshName()]
    expect(await buy(who, name)).toBe(201)
    expect((await at.names.claim(who, name)).status).toBe(200)
    const next = await at.names.claim(who, freshName())
    expect(next.status).toBe(402)
    expect((await at.names.get(`/api/v1/by-pubkey/${who.pubkey}`)).json.name).toBe(name)
  })

  test('of two claims for one payment one is granted', async () => {
    const who = stranger()
    const { json } = await at.names.claim(who, freshName())
    till.statuses.set(json.invoice_id, 'confirmed')
    const answers = await Promise.all(Array.from({ length: 20 }, () => at.names.claim(who, freshName())))
    const statuses = answers.map(({ status }) => status)
    expect([statuses.filter((status) => status === 201).length, new Set(statuses)]).toEqual([1, new Set([201, 402])])
  })

  test.each(['expired', 'cancelled'])('an invoice that is %s is replaced', async (status) => {
    const [who, name] = [stranger(), freshName()]
    const { json } = await at.names.claim(who, name)
    till.statuses.set(json.invoice_id, status)
    const next = await at.names.claim(who, name)
    expect([next.status, next.json.invoice_id === json.invoice_id]).toEqual([402, false])
    expect(till.orders.at(-1)?.order_ref).not.toBe(till.orders.at(-2)?.order_ref)
  })

  test('an invoice that the service forgot is replaced', async () => {
    const [who, name] = [stranger(), freshName()]
    const { json } = await at.names.claim(who, name)
    till.statuses.delete(json.invoice_id)
    expect((await at.names.claim(who, name)).json.invoice_id).not.toBe(json.invoice_id)
  })

  test('is 503 while the service is down, and the known invoice for whom there is one', async () => {
    const [known, name] = [stranger(), freshName()]
    const { json } = await at.names.claim(known, name)
    till.down = true
    expect(seen(await at.names.claim(stranger(), freshName()))).toEqual([503, 'payment backend unavailable, try again'])
    const again = await at.names.claim(known, name)
    expect([again.status, again.json.invoice_id]).toEqual([402, json.invoice_id])
    till.down = false
  })

  test('is quoted', async () => {
    const quote = (body: string) => at.names.signed(stranger(), 'POST', '/api/v1/quote', { body })
    expect((await quote('{"resource":"name"}')).json).toMatchObject({ error: 'payment_required', price_grin: '1.5' })
    expect(seen(await quote('{"resource":"write"}'))).toEqual([400, 'resource not for sale on this authority'])
    expect(seen(await quote('[]'))).toEqual([400, 'invalid body'])
  })

  test('everybody may write all the same', async () => {
    expect((await at.names.get(`/api/v1/paid/${stranger().pubkey}`)).json.paid).toBe(true)
  })

  test.each([
    ['/api/v1/pay/webhook', 'x-pay-signature'],
    ['/api/v1/goblinpay/webhook', 'x-goblinpay-signature'],
    ['/api/v1/pay/webhook', 'x-goblinpay-signature'],
  ])('%s hears %s', async (path, header) => {
    const send = (body: string, signature: string) =>
      at.names.ask('POST', path, { body, headers: { [header]: signature } })
    const { json } = await at.names.claim(stranger(), freshName())
    const body = JSON.stringify({ invoice_id: json.invoice_id, status: 'confirmed' })
    expect(await send(body, sign(body))).toMatchObject({ status: 200, body: '{"ok":true}' })
    expect(seen(await send(body, sign(body, 'other')))).toEqual([401, 'bad signature'])
    expect(seen(await send(body, 'sha256='))).toEqual([401, 'bad signature'])
    expect(seen(await send('x', sign('x')))).toEqual([400, 'invalid body'])
    expect((await send('{}', sign('{}'))).status).toBe(200)
  })

  test('a webhook alone pays for nothing', async () => {
    const [who, name] = [stranger(), freshName()]
    const { json } = await at.names.claim(who, name)
    const body = JSON.stringify({ invoice_id: json.invoice_id, status: 'confirmed' })
    await at.names.ask('POST', '/api/v1/pay/webhook', { body, headers: { 'x-pay-signature': sign(body) } })
    expect((await at.names.claim(who, name)).status).toBe(402)
  })

  async function buy(who: KeyPair, name: string): Promise<number> {
    const { json } = await at.names.claim(who, name)
    till.statuses.set(json.invoice_id, 'confirmed')
    return (await at.names.claim(who, name)).status
  }
})

describe('the right to write, with a price', () => {
  let till: PlainInvoicing
  beforeAll(async () => {
    till = await startPlainInvoicing()
  })
  afterAll(() => till?.close())
  const at = authority(() => ({
    NAMEAUTH_PAY_MODE: 'write',
    NAMEAUTH_WRITE_PRICE_GRIN: '2',
    NAMEAUTH_PAY_URL: `${till.url}/`,
    NAMEAUTH_PAY_TOKEN: SERVICE_TOKEN,
    NAMEAUTH_PAID_POLL_INTERVAL_SECS: '0',
  }))

  test('is paid once, and names are free', async () => {
    const who = stranger()
    expect((await at.names.claim(who, freshName())).status).toBe(201)
    expect((await at.names.get(`/api/v1/paid/${who.pubkey}`)).json.paid).toBe(false)
    const quote = () => at.names.signed(who, 'POST', '/api/v1/quote', { body: '{"resource":"write"}' })
    const { status, json } = await quote()
    expect([status, json.price_grin, json.resource]).toEqual([402, '2', 'write'])
    till.statuses.set(json.invoice_id, 'paid')
    expect((await at.names.get(`/api/v1/paid/${who.pubkey}`)).json.paid).toBe(false)
    till.statuses.set(json.invoice_id, 'confirmed')
    expect((await at.names.get(`/api/v1/paid/${who.pubkey}`)).json).toEqual({ pubkey: who.pubkey, paid: true })
    const paid = await quote()
    expect([paid.status, paid.json]).toEqual([200, { resource: 'write', pubkey: who.pubkey, paid: true }])
  })
})

describe('sales between keys', () => {
  let node: PlainNode
  beforeAll(async () => {
    node = await startPlainNode()
  })
  afterAll(() => node?.close())
  const at = authority(() => ({ NAMEAUTH_TRANSFERS: 'on', NAMEAUTH_GRIN_NODE_URL: `${node.url}/v2/foreign` }))
  const OFFER = '/api/v1/transfer/offer'

  let sales = 0
  /** A name, its holder, a buyer, an address of its own. */
  async function stage() {
    sales += 1
    const [seller, buyer, name, recipient] = [stranger(), stranger(), freshName(), seedOf(0x40 + sales)]
    await at.names.claim(seller, name)
    const changed = {
      name,
      p: buyer.pubkey,
      proof_address: proofJson({ recipient }).recipient_address,
    }
    const event = offerEvent(Date.now(), { tags: offerTags(Date.now(), changed), from: seller })
    const excess = excessOf(0x40 + sales)
    const proof = proofJson({ recipient, excess })
    return { seller, buyer, name, event, excess, proof, recipient }
  }
  const lodge = (who: KeyPair, offer: unknown) =>
    at.names.signed(who, 'POST', OFFER, { body: JSON.stringify({ offer }) })
  const claim = (who: KeyPair, offer_id: unknown, proof: unknown) =>
    at.names.signed(who, 'POST', '/api/v1/transfer/claim', { body: JSON.stringify({ offer_id, proof }) })
  const revoke = (who: KeyPair, id: string) => at.names.signed(who, 'DELETE', `${OFFER}/${id}`)
  const statusOf = async (id: string) => (await at.names.get(`${OFFER}/${id}`)).json.status

  test('an offer is lodged, read, and paid for; then the name is the buyer’s', async () => {
    const { seller, buyer, name, event, excess, proof } = await stage()
    const lodged = await lodge(seller, event)
    expect([lodged.status, lodged.json]).toEqual([201, { offer_id: event.id, name, expires_at: expect.any(Number) }])
    expect((await at.names.get(`${OFFER}/${event.id}`)).json).toEqual({ offer: event, status: 'live' })

    expect(seen(await claim(buyer, event.id, proof))).toEqual([409, 'payment_unconfirmed'])
    node.kernels.set(excess, node.tip - 8)
    expect(seen(await claim(buyer, event.id, proof))).toEqual([409, 'payment_unconfirmed'])
    node.kernels.set(excess, node.tip - 9)
    const sold = await claim(buyer, event.id, proof)
    expect([sold.status, sold.json]).toEqual([201, { name, nip05: `${name}@names.acme.example`, pubkey: buyer.pubkey }])
    expect((await claim(buyer, event.id, proof)).status).toBe(200)
    expect((await at.names.get(`/api/v1/profile/${name}`)).json.pubkey).toBe(buyer.pubkey)
    expect(await statusOf(event.id)).toBe('consumed')
    expect(seen(await at.names.claim(seller, freshName()))).toEqual([429, 'name_change_cooldown'])
    expect(seen(await revoke(seller, event.id))).toEqual([409, 'offer_consumed'])
  })

  test('an offer is taken back by its seller alone, as often as he likes', async () => {
    const { seller, buyer, event, proof } = await stage()
    await lodge(seller, event)
    expect(seen(await revoke(buyer, event.id))).toEqual([403, 'not the owner'])
    for (let n = 0; n < 2; n++)
      expect((await revoke(seller, event.id)).json).toEqual({ offer_id: event.id, status: 'revoked' })
    expect(await statusOf(event.id)).toBe('revoked')
    expect(seen(await lodge(seller, event))).toEqual([409, 'offer_exists'])
    expect((await claim(buyer, event.id, proof)).json.error).toBe('payment_unconfirmed')
  })

  test('lodging is refused in words', async () => {
    const { seller, buyer, event, name } = await stage()
    const changed = (over: Record<string, string>) =>
      offerEvent(Date.now(), { tags: offerTags(Date.now(), { name, p: buyer.pubkey, ...over }), from: seller })
    expect(seen(await lodge(seller, 'x'))).toEqual([400, 'invalid offer'])
    expect(seen(await lodge(seller, { ...event, content: 'changed' }))).toEqual([400, 'invalid offer'])
    expect(seen(await lodge(buyer, event))).toEqual([401, 'auth pubkey does not match offer pubkey'])
    expect(seen(await lodge(seller, changed({ domain: 'evil.example' })))).toEqual([400, 'invalid offer'])
    expect(seen(await lodge(seller, changed({ expiration: '1' })))).toEqual([400, 'invalid offer'])
    expect(seen(await lodge(seller, changed({ name: freshName() })))).toEqual([403, 'not the owner'])
    expect((await lodge(seller, event)).status).toBe(201)
    expect(seen(await lodge(seller, event))).toEqual([409, 'offer_exists'])
  })

  test('a claim is refused in words', async () => {
    const { seller, buyer, event, proof, excess, recipient } = await stage()
    await lodge(seller, event)
    node.kernels.set(excess, node.tip - 100)
    expect(seen(await claim(buyer, 'x', proof))).toEqual([400, 'invalid body'])
    expect(seen(await claim(buyer, event.id, undefined))).toEqual([400, 'invalid body'])
    expect(seen(await claim(buyer, event.id, {}))).toEqual([400, 'invalid proof'])
    expect(seen(await claim(buyer, '0'.repeat(64), proof))).toEqual([404, 'not found'])
    expect(seen(await claim(seller, event.id, proof))).toEqual([401, 'not the buyer'])
    expect(seen(await claim(buyer, event.id, proofJson({ recipient, excess, amount: PRICE + 1n })))).toEqual([
      409,
      'proof_amount_mismatch',
    ])
    expect(seen(await claim(buyer, event.id, proofJson({ excess })))).toEqual([409, 'proof_address_mismatch'])
    await at.names.claim(buyer, 'already-there')
    const held = await claim(buyer, event.id, proof)
    expect([...seen(held), held.json.name]).toEqual([409, 'pubkey already has a name', 'already-there'])
  })

  test('a name that its holder gave up cannot be sold', async () => {
    const { seller, buyer, event, name, proof, excess } = await stage()
    await lodge(seller, event)
    node.kernels.set(excess, node.tip - 100)
    expect((await at.names.release(seller, name)).status).toBe(200)
    expect(seen(await claim(buyer, event.id, proof))).toEqual([409, 'owner_changed'])
  })

  test('ten claims at once sell once', async () => {
    const { seller, buyer, event, proof, excess } = await stage()
    await lodge(seller, event)
    node.kernels.set(excess, node.tip - 100)
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(buyer, event.id, proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 201])
  })

  test.each([
    ['POST', OFFER],
    ['DELETE', `${OFFER}/${'0'.repeat(64)}`],
    ['POST', '/api/v1/transfer/claim'],
  ])('%s %s wants a proof, and lets browsers ask', async (method, path) => {
    expect(seen(await at.names.ask(method, path))).toEqual([401, 'missing Authorization header'])
    expect((await at.names.ask('OPTIONS', path)).status).toBe(204)
  })

  test('an unknown offer is not found', async () => {
    expect(seen(await at.names.get(`${OFFER}/${'0'.repeat(64)}`))).toEqual([404, 'not found'])
    expect(seen(await revoke(stranger(), '0'.repeat(64)))).toEqual([404, 'not found'])
    expect(seen(await at.names.get(`${OFFER}/nonsense`))).toEqual([404, 'not found'])
  })
})
