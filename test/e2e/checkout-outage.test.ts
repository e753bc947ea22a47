// Open checkout pages outlive an outage of a minute, in every state and without JavaScript: the network between browser and till is cut,
// each payment goes on meanwhile, and the pages show it by themselves afterwards. What was typed stays.
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../support/browser.js'
import { createFakeTill, type FakeTill, REPLY } from '../support/fake-till.js'
import { tillApp } from '../support/till-app.js'
import { aPayment } from '../support/till-builders.js'

const OUTAGE_MS = 60_000
/** A frame that shows a whole card is loaded anew each 60 seconds. */
const RECOVERY_MS = 75_000

/** Longer than a frame is held and than its next look; the whole minute is kept by the other test. */
const EMBEDDED_OUTAGE_MS = 35_000

/** A page of a shop, on another origin, which shows an address in a frame. */
async function openShop() {
  const server = createHttpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost').searchParams.get('url') ?? ''
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>A shop</title><iframe width="900" height="800" src="${url}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  return {
    origin,
    around: (url: string) => `${origin}/?url=${encodeURIComponent(url)}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The wire to a till, which can be cut. */
function createWire(to: number) {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  return {
    async join(): Promise<number> {
      server = createServer((near) => {
        const far = connect(to, '127.0.0.1')
        for (const end of [near, far]) {
          sockets.add(end)
          end.on('error', () => end.destroy())
          end.on('close', () => {
            sockets.delete(end)
            near.destroy()
            far.destroy()
          })
        }
        near.pipe(far).pipe(near)
      })
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
      const address = server.address()
      if (address !== null && typeof address === 'object') port = address.port
      return port
    },
    cut(): void {
      server?.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe.skipIf(noBrowser)('an outage of a minute', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let till: FakeTill
  let app: FastifyInstance
  let wire: ReturnType<typeof createWire>
  let base: string

  beforeAll(async () => {
    till = createFakeTill({ chain: 'testnet' })
    ;({ app } = await tillApp({ till, methods: ['nostr', 'slatepack'] }))
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    wire = createWire(Number(port))
    base = `http://127.0.0.1:${await wire.join()}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    wire?.cut()
    await browser?.close()
    app?.server.closeAllConnections()
    await app?.close()
  })

  const open = async (path: string): Promise<Page> => {
    const page = await browser.context.newPage()
    await page.goto(`${base}/pay/${path}`, { waitUntil: 'domcontentloaded' })
    return page
  }
  const inside = (page: Page) => page.frameLocator('iframe').frameLocator('iframe')
  const shows = (page: Page, text: string) => inside(page).getByText(text).first().waitFor({ timeout: RECOVERY_MS })
  const paidBy = (settlement: 'replied' | 'seen') => {
    const payment = aPayment({ rail: 'slatepack', settlement, reply: REPLY })
    till.payments.set(payment.id, payment)
    return till.put({ status: 'paid', paymentId: payment.id })
  }

  // These two wait out their outages side by side, each on a wire of its own.
  test.concurrent('is over by itself on every page, and nothing that was typed is lost', async () => {
    const [scanned, typing, pasted, again, seen] = [
      till.put({}),
      till.put({}),
      till.put({}),
      paidBy('replied'),
      paidBy('seen'),
    ]
    const done = till.put({ status: 'confirmed', confirmations: 10 })
    const over = till.put({ status: 'expired', expiresAt: 0 })
    const pages = {
      scanned: await open(scanned.token),
      typing: await open(`${typing.token}?method=slatepack`),
      pasted: await open(`${pasted.token}?method=slatepack`),
      again: await open(again.token),
      seen: await open(seen.token),
      done: await open(done.token),
      over: await open(over.token),
    }
    await pages.typing.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. half')
    await pages.pasted.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. good. ENDSLATEPACK.')
    await pages.pasted.getByRole('button', { name: 'Get the reply' }).click({ noWaitAfter: true })
    await pages.pasted.getByRole('heading', { name: 'Almost done: finish in your wallet' }).waitFor()
    await shows(pages.scanned, 'Waiting for your payment')
    await shows(pages.typing, 'Waiting for your payment')
    await shows(pages.pasted, 'Reply ready: finish in your wallet')
    await shows(pages.again, 'Show our reply again')
    await shows(pages.seen, 'Seen on the network')

    wire.cut()
    for (const { id } of [scanned, typing, pasted, again, seen]) till.put({ id, status: 'paid', confirmations: 3 })
    await sleep(OUTAGE_MS)
    await wire.join()

    await Promise.all(
      [pages.scanned, pages.typing, pages.pasted, pages.again, pages.seen].map((page) =>
        shows(page, 'Confirming 3 of 10'),
      ),
    )
    expect(await pages.typing.getByLabel('Slatepack from your wallet').inputValue()).toBe('BEGINSLATEPACK. half')
    expect(await pages.pasted.getByLabel('Slatepack for your wallet').inputValue()).toBe(REPLY)
    await pages.done.getByRole('heading', { name: 'Paid' }).waitFor()
    await pages.over.getByRole('heading', { name: 'This invoice has expired' }).waitFor()
    // Links in the frames still lead the page around them.
    till.put({ id: typing.id, status: 'confirmed', confirmations: 10 })
    await inside(pages.typing).getByRole('link', { name: 'Show the payment' }).click({ noWaitAfter: true })
    await pages.typing.getByRole('heading', { name: 'Paid' }).waitFor()
  }, 240_000)

  test.concurrent('is over beside each form too, where shops embed the page', async () => {
    const own = createFakeTill({ chain: 'testnet' })
    const shop = await openShop()
    const { app: embedded } = await tillApp({
      till: own,
      methods: ['nostr', 'slatepack'],
      frameAncestors: [shop.origin],
    })
    const { port } = new URL(await embedded.listen({ host: '127.0.0.1', port: 0 }))
    const line = createWire(Number(port))
    const address = `http://127.0.0.1:${await line.join()}`
    /** In a page of the shop, as an iframe. */
    const openAt = async (path: string) => {
      const page = await browser.context.newPage()
      await page.goto(shop.around(`${address}/pay/${path}`), { waitUntil: 'domcontentloaded' })
      return { page, paying: page.frameLocator('iframe') }
    }
    /** In whatever frame. */
    const shown = async (page: Page, text: string): Promise<void> => {
      const isShown = async () => {
        const counts = page.frames().map((frame) =>
          frame
            .getByText(text)
            .count()
            .catch(() => 0),
        )
        return (await Promise.all(counts)).some((count) => count > 0)
      }
      await expect.poll(isShown, { timeout: RECOVERY_MS, interval: 500, message: text }).toBe(true)
    }

    const [open, pasted] = [own.put({}), own.put({})]
    const { page: typed, paying: typing } = await openAt(`${open.token}?method=slatepack`)
    const { page: answered, paying: reply } = await openAt(`${pasted.token}?method=slatepack`)
    await typing.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. half')
    await reply.getByLabel('Slatepack from your wallet').fill('BEGINSLATEPACK. good. ENDSLATEPACK.')
    await reply.getByRole('button', { name: 'Get the reply' }).click({ noWaitAfter: true })
    await shown(typed, 'Waiting for your payment')
    await shown(answered, 'Reply ready: finish in your wallet')

    line.cut()
    for (const { id } of [open, pasted]) own.put({ id, status: 'paid', confirmations: 3 })
    await sleep(EMBEDDED_OUTAGE_MS)
    await line.join()

    await Promise.all([typed, answered].map((page) => shown(page, 'Confirming 3 of 10')))
    expect(await typing.getByLabel('Slatepack from your wallet').inputValue()).toBe('BEGINSLATEPACK. half')
    expect(await reply.getByLabel('Slatepack for your wallet').inputValue()).toBe(REPLY)
    // Nothing in the frame leads into the document between: the link stands on the page.
    own.put({ id: open.id, status: 'confirmed', confirmations: 10 })
    await shown(typed, 'The payment is settled')
    await typing.getByRole('link', { name: 'Show the payment' }).click({ noWaitAfter: true })
    await typing.getByRole('heading', { name: 'Paid' }).waitFor()
    line.cut()
    embedded.server.closeAllConnections()
    await Promise.all([embedded.close(), shop.close()])
  }, 240_000)

  test('a payer sees the reply again without pasting again, and reads that something is to be done', async () => {
    const { token } = paidBy('replied')
    const page = await open(token)
    const card = inside(page)
    await card.getByRole('link', { name: 'Show our reply again' }).waitFor()
    expect(await card.getByText('You may close this page').count()).toBe(0)
    expect(await card.locator('.sign').textContent()).not.toBe('')
    await card.getByRole('link', { name: 'Show our reply again' }).click({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Almost done: finish in your wallet' }).waitFor()
    expect(await page.getByLabel('Slatepack for your wallet').inputValue()).toBe(REPLY)
  })
})
