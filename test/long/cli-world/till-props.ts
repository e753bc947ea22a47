// Invoices, payments and events of the sandbox's till.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { httpTransport } from '../../../src/client/index.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { once, type Props } from './prop.js'
import type { CliWorld } from './world.js'

export function tillProps(world: CliWorld): Props {
  const { sandbox, home } = world
  const { invoice = '', slate = '' } = sandbox
  const ask = askingTill(sandbox)
  const openInvoice = async (amount = 100_000_000 + randomBytes(3).readUIntBE(0, 3)): Promise<string> =>
    (await ask('/invoice', { amount_grin: amount, memo: 'two coffees', order_ref: 'order-1001' })).invoice_id
  let unmatched = { id: '', amount: 0 }
  const invited = async (name: string) => {
    await world.answer('console', 'invite', name, '--role', 'viewer')
    return name
  }
  return {
    consolePerson: () => invited('anna'),
    otherConsolePerson: () => invited('ben'),
    paidInvoice: async () => invoice,
    payment: async () => slate,
    openInvoice: () => openInvoice(),
    openPage: async () => (await ask(`/invoice/${await openInvoice()}`)).pay_url,
    /** Of the relay; any id will do. */
    relayEvent: async () => randomBytes(32).toString('hex'),
    event: once(async () => (await ask('/admin/webhooks?state=delivered&limit=1')).deliveries[0].event_id),
    unmatched: async () => {
      const target = await openInvoice()
      const { slate_id: id } = JSON.parse(
        await world.answer('sandbox', 'pay', target, '--node-port', world.nodePort, '--json'),
      )
      const db = openSqlite(join(home, 'sandbox/pay.db'), 'durable')
      unmatched = { id, amount: Number(db.get('SELECT amount FROM payment WHERE id = ?', [id])?.[0]) }
      // No customer of the sandbox pays without an invoice.
      db.run('UPDATE payment SET invoice_id = NULL WHERE id = ?', [id])
      db.close()
      return id
    },
    /** Open, of the amount of the payment above. */
    itsInvoice: () => openInvoice(unmatched.amount),
  }
}

/** Not with fetch: its connections do not outlive the commands that block this process meanwhile. */
function askingTill(sandbox: CliWorld['sandbox']) {
  const send = httpTransport(10_000)
  return async (path: string, body?: object) => {
    const token = sandbox[path.startsWith('/admin') ? 'admin token' : 'API token']
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body ? { method: 'POST' as const, body: JSON.stringify(body) } : { method: 'GET' as const }
    return JSON.parse((await send({ ...sent, headers, url: `${sandbox.till}${path}` })).text)
  }
}
