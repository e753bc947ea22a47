// The second narrative of the sandbox: a name is claimed, costs something, is paid for at the till, and then resolves.
import type { InvoicingClient } from '../client/index.js'
import { membersOf } from '../lib/parse-json.js'
import { foreignText } from '../lib/plain-text.js'
import { httpAuthHeader } from '../nostr/http-auth/index.js'
import { freshSecret, publicKeyOf } from '../nostr/keys/index.js'
import { formatNpub } from '../nostr/nip19/index.js'
import type { SystemClock, SystemRandom } from '../system/index.js'
import { nameRefused } from './errors.js'
import type { SignedPayment } from './payer.js'
import { type JsonAnswer, request } from './payer-http.js'
import { follow, type Print, type View } from './story.js'

export interface NameScriptParts {
  /** The name authority. */
  readonly namesUrl: string
  readonly api: Pick<InvoicingClient, 'invoice'>
  readonly pay: (invoice: View) => Promise<SignedPayment>
  readonly print: Print
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly signal: AbortSignal
}

interface Purchase {
  readonly name: string
  readonly invoice: View
  readonly payment: SignedPayment
  readonly price: string
}

interface NameScript {
  /** Claims and pays without a word, so that the chain works for both stories at once. */
  begin(): void
  /** Prints the registration that was begun and completes it. Returns the name that resolves. Throws SANDBOX_NAME_REFUSED, SANDBOX_STUCK. */
  tell(): Promise<string>
}

const FAVOURITES = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']
const CLAIM_AGAIN_MS = 250
const PATIENCE_MS = 30_000

const reasonIn = ({ members, status }: JsonAnswer): string =>
  typeof members.error === 'string' ? members.error : `HTTP ${status}`

export function createNameScript(parts: NameScriptParts): NameScript {
  const { namesUrl, api, pay, print, clock, random, signal } = parts
  const client = createNameClient({ url: namesUrl, clock, random })
  let purchase: Promise<Purchase> | undefined

  /** A sandbox with a folder of its own remembers who took which name. */
  async function freeName(): Promise<string> {
    for (const name of FAVOURITES) if (await client.isFree(name)) return name
    return `guest${Buffer.from(random.bytes(4)).toString('hex')}`
  }

  async function buy(): Promise<Purchase> {
    const name = await freeName()
    const answer = await client.claim(name)
    const { invoice_id: id, price_grin: price } = answer.members
    if (answer.status !== 402 || typeof id !== 'string') throw nameRefused(name, reasonIn(answer))
    const invoice = await api.invoice(id)
    return { name, invoice, payment: await pay(invoice), price: foreignText(price) }
  }

  function begin(): Promise<Purchase> {
    purchase ??= buy()
    purchase.catch(() => undefined) // reported in `tell`
    return purchase
  }

  /** The authority may learn of the confirmation a moment after the till. */
  async function claimPaid(name: string): Promise<string> {
    const deadline = clock.now() + PATIENCE_MS
    let answer = await client.claim(name)
    while (answer.status === 402 && clock.now() < deadline) {
      await clock.sleep(CLAIM_AGAIN_MS, signal)
      signal.throwIfAborted()
      answer = await client.claim(name)
    }
    const { nip05 } = answer.members
    if (answer.status !== 201 || typeof nip05 !== 'string') throw nameRefused(name, reasonIn(answer))
    return nip05
  }

  async function tellPurchase({ name, invoice, payment, price }: Purchase): Promise<void> {
    print(`4  Meanwhile a customer asked for the name ${name}, with a request signed by a Nostr key`)
    print(`     key       ${formatNpub(client.pubkey)}`)
    print(`     answer    402, the name costs ${price} GRIN`)
    print(`     checkout  ${invoice.pay_url}`)
    print('5  The invoice is paid like every other, and the till tells the name authority')
    print(`     slate     ${payment.slateId}`)
    print(`     kernel    ${payment.excess}`)
    await follow(invoice, parts)
  }

  async function tellEnd(name: string): Promise<void> {
    print('6  The same request, signed anew')
    print(`     answer    201, ${await claimPaid(name)}`)
    const { document, pubkey } = await client.resolve(name)
    if (pubkey !== client.pubkey) throw nameRefused(name, `its document names ${foreignText(pubkey)}`)
    print(`     document  ${client.documentUrl(name)}`)
    print(`     ${document}`)
  }

  return {
    begin: () => void begin(),
    async tell() {
      const bought = await begin()
      await tellPurchase(bought)
      await tellEnd(bought.name)
      return bought.name
    },
  }
}

// A customer with a Nostr key who asks a name authority for a name, as a wallet does (specification: names, 5, 6 and 13).

interface NameClientParts {
  /** The authority's base address, no trailing slash. */
  readonly url: string
  readonly clock: SystemClock
  readonly random: SystemRandom
}

/** A customer with a key of its own. Every verb rejects when no answer comes. */
function createNameClient({ url, clock, random }: NameClientParts) {
  const secret = freshSecret(random)
  const pubkey = publicKeyOf(secret)
  const documentUrl = (name: string): string => `${url}/.well-known/nostr.json?name=${encodeURIComponent(name)}`

  return {
    pubkey,
    documentUrl,
    async isFree(name: string): Promise<boolean> {
      const { members } = await request(`${url}/api/v1/name/${encodeURIComponent(name)}`, {})
      return members.available === true
    },
    /** Signed for this moment; the nonce tells two claims of the same second apart. */
    claim(name: string): Promise<JsonAnswer> {
      const address = `${url}/api/v1/register`
      const body = JSON.stringify({ name, pubkey })
      const nonce = Buffer.from(random.bytes(8)).toString('hex')
      const authorization = httpAuthHeader({
        url: address,
        method: 'POST',
        body: new TextEncoder().encode(body),
        secret,
        now: clock.now(),
        random,
        extraTags: [['nonce', nonce]],
      })
      const headers = { authorization, 'content-type': 'application/json' }
      return request(address, { method: 'POST', headers, body })
    },
    /** The NIP-05 document, and the key that it names. */
    async resolve(name: string): Promise<{ readonly document: string; readonly pubkey: unknown }> {
      const { members } = await request(documentUrl(name), {})
      return { document: JSON.stringify(members), pubkey: membersOf(members.names)[name] }
    },
  }
}
