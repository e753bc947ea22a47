// A name is sold between two real grin-wallets over a real node: offer, payment, proof, confirmations, claim. Serial: every test
// builds on the names and the chain that the ones before left.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHex } from '../../src/lib/bytes.js'
import { signEvent } from '../../src/nostr/event/index.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { systemRandom } from '../../src/system/index.js'
import { keyPairOf } from '../support/nostr.js'
import { freePort, startDaemon, type TillProcess } from '../support/till-process.js'
import { missingOracles, startUsernet, type Usernet } from '../support/usernet.js'

const missing = missingOracles()
const DOMAIN = 'names.acme.example'
const BASE_URL = `https://${DOMAIN}`
const CONFIRMATIONS = 3
const GRIN = 1_000_000_000
type Key = ReturnType<typeof keyPairOf>

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared as they are
  readonly body: any
}

describe.skipIf(missing)(`a name between two real wallets${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let net: Usernet
  let authority: TillProcess
  let settings: Record<string, string>
  let dir: string
  let address: string

  const [ann, ben, cleo, dan, eve, flo] = ['ann', 'ben', 'cleo', 'dan', 'eve', 'flo'].map(keyPairOf) as [
    Key,
    Key,
    Key,
    Key,
    Key,
    Key,
  ]
  /** Two events of one second are two, for all that they say the same. */
  const fresh = () => toHex(systemRandom.bytes(8))
  const path = (name: string) => join(dir, name)
  const startAuthority = () =>
    startDaemon({ command: ['serve', 'nameauth'], settings, bind: settings.NAMEAUTH_NAMES_BIND })
  const payer = (...args: readonly string[]) => net.wallet('miner', ...args)
  const payee = (...args: readonly string[]) => net.wallet('payee', ...args)

  /** As a client behind the proxy sends it; `key` signs. Every request is another event, also within one second. */
  async function ask(method: string, where: string, body?: object, key?: Key): Promise<Answer> {
    const text = body === undefined ? '' : JSON.stringify(body)
    const proof = key && {
      authorization: httpAuthHeader({
        url: BASE_URL + where,
        method,
        body: new TextEncoder().encode(text),
        secret: key.secret,
        now: Date.now(),
        random: systemRandom,
        extraTags: [['nonce', fresh()]],
      }),
    }
    const answer = await fetch(authority.url + where, {
      method,
      headers: { ...proof },
      ...(text === '' ? {} : { body: text }),
    })
    return { status: answer.status, body: await answer.json() }
  }

  const register = (name: string, key: Key) => ask('POST', '/api/v1/register', { name, pubkey: key.pubkey }, key)
  const holderOf = async (name: string) => (await ask('GET', `/.well-known/nostr.json?name=${name}`)).body.names[name]
  const claim = (offerId: string, proof: unknown, key: Key) =>
    ask('POST', '/api/v1/transfer/claim', { offer_id: offerId, proof }, key)
  const revoke = (offerId: string, key: Key) => ask('DELETE', `/api/v1/transfer/offer/${offerId}`, undefined, key)
  const refused = (error: string, status = 409) => ({ status, body: expect.objectContaining({ error }) })

  async function lodge(name: string, seller: Key, buyer: Key, grin: number): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const tags = [
      ['name', name],
      ['domain', DOMAIN],
      ['p', buyer.pubkey],
      ['price', `${Math.round(grin * GRIN)}`],
      ['proof_address', address],
      ['expiration', `${now + 86_400}`],
    ]
    const content = fresh()
    const offer = signEvent({ kind: 3402, created_at: now, tags, content }, seller.secret, systemRandom)
    const answer = await ask('POST', '/api/v1/transfer/offer', { offer }, seller)
    expect(answer).toEqual({ status: 201, body: { offer_id: offer.id, name, expires_at: now + 86_400 } })
    return offer.id
  }

  /** Sent, received, finalised and posted, all by hand. Answers the slate's id. */
  async function pay(grin: string, name: string): Promise<string> {
    await payer('send', '-c', '1', '-m', '-d', address, '-u', path(`${name}.S1`), grin)
    const id = /"id": "([0-9a-f-]{36})"/.exec(await payee('unpack', '-i', path(`${name}.S1`)))?.[1] ?? ''
    await payee('receive', '-m', '-i', path(`${name}.S1`), '-u', path(`${name}.S2`))
    await payer('finalize', '-f', '-i', path(`${name}.S2`), '-u', path(`${name}.S3`))
    return id
  }

  async function exportProof(slateId: string): Promise<{ readonly excess: string }> {
    const file = path(`${slateId}.proof`)
    await payer('export_proof', '-t', slateId, file)
    return JSON.parse(readFileSync(file, 'utf8'))
  }

  const tip = async () => (await net.tip()).height

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'grinpay-name-sale-'))
    net = await startUsernet(15_000 + (process.pid % 400) * 20)
    await net.mine(12)
    await net.newWallet('payee')
    address = await net.address('payee')
    settings = {
      NAMEAUTH_DOMAIN: DOMAIN,
      NAMEAUTH_NAMES_BIND: `127.0.0.1:${await freePort()}`,
      NAMEAUTH_DATA_DIR: path('authority'),
      NAMEAUTH_WRITE_RATE_MAX: '10000',
      NAMEAUTH_TRANSFERS: 'on',
      NAMEAUTH_TRANSFER_MIN_CONF: String(CONFIRMATIONS),
      // No till listens at the first: the second is asked every time.
      NAMEAUTH_GRIN_NODE_URL: `http://127.0.0.1:${await freePort()}/v2/foreign ${net.nodeUrl}/v2/foreign`,
    }
    authority = await startAuthority()
  })

  afterAll(async () => {
    await authority?.stop()
    await net?.clean()
    if (dir) rmSync(dir, { recursive: true, force: true })
  })

  test('a payment with a proof of its wallet hands the name over once it is deep enough', async () => {
    expect(await register('ada', ann)).toMatchObject({ status: 201 })
    const offer = await lodge('ada', ann, ben, 2.5)
    const proof = await exportProof(await pay('2.5', 'ada'))
    expect(await claim(offer, proof, ben)).toEqual(refused('payment_unconfirmed'))
    await net.mine(CONFIRMATIONS - 1)
    expect(await claim(offer, proof, ben)).toEqual(refused('payment_unconfirmed'))
    expect(await holderOf('ada')).toBe(ann.pubkey)
    await net.mine(1)
    const sold = { name: 'ada', nip05: `ada@${DOMAIN}`, pubkey: ben.pubkey }
    expect(await claim(offer, proof, ben)).toEqual({ status: 201, body: sold })
    expect(await holderOf('ada')).toBe(ben.pubkey)
    expect(await claim(offer, proof, ben)).toEqual({ status: 200, body: sold })
    expect(await ask('GET', `/api/v1/transfer/offer/${offer}`)).toMatchObject({
      status: 200,
      body: { status: 'consumed' },
    })
    expect(await ask('GET', `/api/v1/by-pubkey/${ann.pubkey}`)).toEqual(refused('not found', 404))
    expect(await register('ann', ann)).toEqual(refused('name_change_cooldown', 429))
  })

  test('the same payment buys no second name, and a payment of another amount none at all', async () => {
    const proof = await soldProof('ada')
    expect(await register('cleo', cleo)).toMatchObject({ status: 201 })
    const offer = await lodge('cleo', cleo, dan, 2.5)
    expect(await claim(offer, proof, dan)).toEqual(refused('proof_reused'))
    expect(await claim(offer, proof, ben)).toEqual(refused('not the buyer', 401))
    await revoke(offer, cleo)
    const dearer = await lodge('cleo', cleo, dan, 2.75)
    expect(await claim(dearer, proof, dan)).toEqual(refused('proof_amount_mismatch'))
    await revoke(dearer, cleo)
  })

  test('a proof that was tampered with is no proof, wherever it was touched', async () => {
    const offer = await lodge('cleo', cleo, dan, 2.5)
    const proof = await soldProof('ada')
    for (const field of ['excess', 'recipient_sig', 'sender_sig'] as const) {
      const last = proof[field].at(-1) === '0' ? '1' : '0'
      const broken = { ...proof, [field]: proof[field].slice(0, -1) + last }
      expect(await claim(offer, broken, dan)).toEqual(refused('invalid proof', 400))
    }
    await revoke(offer, cleo)
  })

  test('an offer that was revoked is not bought by a payment that came later', async () => {
    const offer = await lodge('cleo', cleo, dan, 1.25)
    expect(await revoke(offer, cleo)).toEqual({ status: 200, body: { offer_id: offer, status: 'revoked' } })
    const before = await tip()
    const proof = await exportProof(await pay('1.25', 'late'))
    await net.mine(CONFIRMATIONS)
    expect(await heightOf(proof.excess)).toBeGreaterThan(before)
    expect(await claim(offer, proof, dan)).toEqual(refused('offer_revoked', 410))
    expect(await holderOf('cleo')).toBe(cleo.pubkey)
  })

  test('an offer that was revoked after the payment was mined is still honoured', async () => {
    expect(await register('eve-name', eve)).toMatchObject({ status: 201 })
    const offer = await lodge('eve-name', eve, flo, 1.5)
    const proof = await exportProof(await pay('1.5', 'early'))
    await net.mine(1)
    expect(await heightOf(proof.excess)).toBe(await tip())
    await revoke(offer, eve)
    expect(await claim(offer, proof, flo)).toEqual(refused('payment_unconfirmed'))
    await net.mine(CONFIRMATIONS - 1)
    expect(await claim(offer, proof, flo)).toMatchObject({ status: 201 })
    expect(await holderOf('eve-name')).toBe(flo.pubkey)
  })

  test('what was sold stays sold when the process is killed and starts again', async () => {
    await authority.kill()
    authority = await startAuthority()
    expect(await holderOf('eve-name')).toBe(flo.pubkey)
    expect(await holderOf('ada')).toBe(ben.pubkey)
    const offer = await lodge('cleo', cleo, dan, 2.5)
    expect(await claim(offer, await soldProof('ada'), dan)).toEqual(refused('proof_reused'))
  })

  /** The proof of the payment that was made under that name. */
  async function soldProof(name: string) {
    const id = /"id": "([0-9a-f-]{36})"/.exec(await payee('unpack', '-i', path(`${name}.S1`)))?.[1] ?? ''
    return JSON.parse(readFileSync(path(`${id}.proof`), 'utf8')) as Record<
      'excess' | 'recipient_sig' | 'sender_sig',
      string
    >
  }

  const heightOf = async (excess: string) =>
    (await net.rpc<{ height: number }>('get_kernel', [excess, null, null])).height
})
