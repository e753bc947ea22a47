// `sandbox pay` at a till outside of the sandbox: what is read off its page, and which tills are left alone.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { formatNprofile } from '../../src/nostr/nip19/index.js'
import { formatPayLink } from '../../src/nostr/pay-link/index.js'
import { invoiceElsewhere, payUrlElsewhere } from '../../src/sandbox/index.js'
import { codeOf } from '../support/vectors.js'

const nprofile = formatNprofile({ pubkey: 'ab'.repeat(32), relays: ['wss://relay.example'] })
const linkOf = (proof: string) => formatPayLink({ scheme: 'goblin', nprofile, amount: '1.5', memo: 'M', proof })

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A checkout page with this link on it; answers its address. */
const pageWith = (link: string, status = 200): Promise<string> =>
  serve(() => [status, `<a href="${link.replaceAll('&', '&amp;')}">Open</a>`])

/** Answers what `page` has for a path; the status of the invoice by itself. */
async function serve(page: (path: string) => readonly [status: number, html: string]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, html] = request.url?.endsWith('/status')
      ? ([200, '{"expected_amount":1500000000}'] as const)
      : page(request.url ?? '')
    response.writeHead(status).end(html)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/pay/tok_-1`
}

describe('which targets are elsewhere', () => {
  const url = 'http://127.0.0.1:8420'

  test.each([
    ['https://pay.example/pay/tok?method=slatepack#top', 'https://pay.example/pay/tok'],
    ['https://shop.example/till/pay/tok/', 'https://shop.example/till/pay/tok'],
    ['http://127.0.0.1:18420/pay/tok', 'http://127.0.0.1:18420/pay/tok'],
  ])('%s', (target, address) => {
    expect(payUrlElsewhere(target, url)).toBe(address)
  })

  test.each([`${url}/pay/tok`, 'ab'.repeat(16), 'https://pay.example/invoice/1', 'ftp://pay.example/pay/tok', 7])(
    'not %s',
    (target) => {
      expect(payUrlElsewhere(target, url)).toBeUndefined()
    },
  )
})

describe('an invoice elsewhere', () => {
  test.each([
    ['/shop/pay/tok_-1/frame?method=goblin&amp;lang=en', true],
    ['https://elsewhere.example/frame', false],
    ['/other/frame', false],
  ])("is read off the frame of the page, when that is the till's own: %s", async (source, isRead) => {
    const card = `<a href="${linkOf('tgrin1abc').replaceAll('&', '&amp;')}">Open</a>`
    const asked: string[] = []
    const page = await serve((path) => {
      asked.push(path)
      return [200, path.includes('/frame') ? card : `<iframe class="card-frame" src="${source}" title="x"></iframe>`]
    })
    const invoice = invoiceElsewhere(page, 'nostr')
    if (isRead) expect((await invoice).pay_link).toBe(linkOf('tgrin1abc'))
    else expect(await codeOf(() => invoice)).toBe('SANDBOX_CHECKOUT_REFUSED')
    expect(asked).toEqual(['/shop/pay/tok_-1', ...(isRead ? ['/shop/pay/tok_-1/frame?method=goblin&lang=en'] : [])])
  })

  test('is read off the page: its link with the amount that the till asks', async () => {
    const link = linkOf('tgrin1abc')
    const payUrl = await pageWith(link)
    const read = { pay_url: payUrl, pay_link: link, amount_nanogrin: 1_500_000_000 }
    expect(await invoiceElsewhere(payUrl, 'nostr')).toEqual(read)
    expect(await invoiceElsewhere(payUrl, 'slatepack')).toEqual(read)
  })

  test.each([
    ['a till that takes real Grin', linkOf('grin1abc'), 200, 'nostr', 'SANDBOX_REAL_TILL'],
    ['a page that says no network', linkOf(''), 200, 'slatepack', 'SANDBOX_REAL_TILL'],
    ['a page without a link', 'https://shop.example', 200, 'slatepack', 'SANDBOX_CHECKOUT_REFUSED'],
    ['an invoice that is not there', linkOf('tgrin1abc'), 404, 'slatepack', 'SANDBOX_CHECKOUT_REFUSED'],
    ['the grin1 address', linkOf('tgrin1abc'), 200, 'grin1', 'SANDBOX_BAD_RAIL'],
  ])('is not paid: %s', async (_, link, status, rail, code) => {
    const payUrl = await pageWith(link, status)
    expect(await codeOf(() => invoiceElsewhere(payUrl, rail))).toBe(code)
  })

  test('is not paid without an answer, and the cause is shown', async () => {
    await expect(invoiceElsewhere('http://127.0.0.1:9/pay/tok', 'nostr')).rejects.toThrow(/ECONNREFUSED|bad port/)
  })
})
