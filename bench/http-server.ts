// The till's HTTP surface over a till that only pretends, in its own process: what routes and pages cost by themselves.
// Prints its address and the paths to measure as one line of JSON.
import { createFakeTill } from '../test/support/fake-till.js'
import { tillApp } from '../test/support/till-app.js'
import { grin } from '../test/support/till-builders.js'

const till = createFakeTill()
const { app } = await tillApp({ till })
// As large as a real one: the code of a pay link at level H is a path of about 8 KiB.
const { id, token } = till.put({
  amount: grin(1.5),
  memo: 'two coffees',
  qrSvg: `<svg><path d="${'M4 4h1'.repeat(1300)}"/></svg>`,
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url, paths: [`/invoice/${id}`, `/pay/${token}/status`, `/pay/${token}`] }))
