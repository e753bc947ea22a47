// A payment by paste on `grinpay sandbox`, moment by moment, while no block comes: signed, on the network, confirmed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSandbox, startBuiltSandbox } from '../support/built-sandbox.js'

/** From the moment the node has the transaction in its pool. */
const SOON_MS = 6000
const LONGEST_MS = 60_000

let sandbox: BuiltSandbox
beforeAll(async () => {
  sandbox = await startBuiltSandbox(undefined, '1h')
})
afterAll(() => sandbox?.close())

const authorized = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function makeInvoice(): Promise<{ readonly invoice_id: string; readonly pay_url: string }> {
  const body = JSON.stringify({ amount_grin: 1_500_000_000 })
  const answer = await fetch(`${sandbox.url}/invoice`, { method: 'POST', headers: authorized(sandbox.apiToken), body })
  return (await answer.json()) as { invoice_id: string; pay_url: string }
}

/** Pastes an S1 of this amount on the page; answers the S2. The customer has not sent anything yet. */
async function sign(payUrl: string, grin: string): Promise<string> {
  const { slatepack } = await sandbox.control('send', { grin })
  const body = new URLSearchParams({ slatepack: String(slatepack) })
  const page = await (await fetch(`${payUrl}/slatepack`, { method: 'POST', body })).text()
  const reply = /BEGINSLATEPACK[^<]*ENDSLATEPACK\./.exec(page)?.[0]
  if (reply === undefined) throw new Error(page)
  return reply
}

async function settlement(): Promise<string | undefined> {
  const answer = await fetch(`${sandbox.url}/admin/payments?limit=1`, { headers: authorized(sandbox.adminToken) })
  const { payments } = (await answer.json()) as { payments: readonly { readonly status: string }[] }
  return payments[0]?.status
}

/** Milliseconds until the payment is so far. */
async function until(wanted: string): Promise<number> {
  const from = Date.now()
  for (let now = await settlement(); now !== wanted; now = await settlement()) {
    if (Date.now() - from > LONGEST_MS) throw new Error(`still ${now}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return Date.now() - from
}

describe('with the settings of every till', () => {
  test('a transaction in the pool of the node is seen within seconds, a block too', async () => {
    const { pay_url } = await makeInvoice()
    const reply = await sign(pay_url, '1.5')
    // Between two passes of the usual interval.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(await settlement()).toBe('replied')
    await sandbox.control('finish', { slatepack: reply })
    expect(await until('seen')).toBeLessThan(SOON_MS)
    await sandbox.control('mine', { blocks: 1 })
    expect(await until('mined')).toBeLessThan(SOON_MS)
    await sandbox.control('mine', { blocks: 2 })
    expect(await until('confirmed')).toBeLessThan(SOON_MS)
  })
})
