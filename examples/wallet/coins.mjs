// Asks the running sandbox for play money: prints an S1 for the wallet, waits for the pasted S2, and completes the payment.
//
//   node coins.mjs 5 [--address tgrin1…] [--node http://127.0.0.1:8421]
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { address: { type: 'string' }, node: { type: 'string', default: 'http://127.0.0.1:8421' } },
})

async function ask(action, body) {
  const answer = await fetch(`${values.node}/sandbox/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const members = await answer.json()
  if (!answer.ok) throw new Error(members.error)
  return members
}

/** The lines up to the end of a slatepack. */
async function pasted() {
  let text = ''
  for await (const line of createInterface({ input: process.stdin })) {
    text += `${line}\n`
    if (text.includes('ENDSLATEPACK')) break
  }
  return text
}

try {
  const [grin = '5'] = positionals
  const { slatepack } = await ask('send', { grin, ...(values.address && { address: values.address }) })
  process.stdout.write(`Paste this under Receive:\n\n${slatepack}\n\nPaste the reply (S2) here:\n`)
  const { kernel_excess: excess } = await ask('finish', { slatepack: await pasted() })
  process.stdout.write(`Posted: ${grin} GRIN, kernel ${excess}\n`)
} catch (error) {
  process.stderr.write(`no play money: ${error.cause?.message ?? error.message}\n`)
  process.exitCode = 1
}
