// What a developer needs to point a shop at the sandbox, printed before the story begins.
import type { SandboxHome } from './home.js'
import type { Print } from './printer.js'
import { SANDBOX_CONFIRMATIONS, SANDBOX_DOMAIN, SANDBOX_NAME_PRICE } from './settings.js'

export interface Introduction {
  readonly print: Print
  /** Prints a line that is copied into a shell: nothing stands before it. */
  readonly printBare: Print
  readonly url: string
  readonly namesUrl: string
  readonly salesUrl: string
  readonly nodeUrl: string
  readonly relayUrl: string
  /** Signs in to the till's console, once. */
  readonly consoleLink: string
  readonly home: SandboxHome
  readonly blockEveryMs: number
  /** Commands need `--node` when the node listens elsewhere. */
  readonly usualNodePort: number
  /** How a shell finds this program. */
  readonly command: 'grinpay' | 'npx grinpay'
}

/** What commands need besides when the node listens elsewhere. */
export function nodePortFlag(nodeUrl: string, usualNodePort: number): string {
  const port = Number(new URL(nodeUrl).port)
  return port === usualNodePort ? '' : ` --node-port ${port}`
}

/** Prints addresses, tokens (they open this sandbox only) and the lines to copy. */
export function introduce(introduction: Introduction): void {
  const {
    print,
    printBare,
    url,
    consoleLink,
    namesUrl,
    salesUrl,
    nodeUrl,
    relayUrl,
    home,
    blockEveryMs,
    usualNodePort,
    command,
  } = introduction
  const flag = nodePortFlag(nodeUrl, usualNodePort)
  const token = home.secrets.apiToken.reveal()
  print('running on this machine only; nothing here is worth anything')
  print()
  print(`console         ${consoleLink}  opens once, within 10 minutes`)
  print(`till            ${url}`)
  print(
    `node            ${nodeUrl}/v2/foreign  a block every ${blockEveryMs / 1000} s, ${SANDBOX_CONFIRMATIONS} confirm`,
  )
  print(`relay           ${relayUrl}  for gift-wrapped slatepacks`)
  print(`names           ${namesUrl}  ${SANDBOX_DOMAIN}, ${SANDBOX_NAME_PRICE} GRIN each, on the relay's port`)
  print(`sales           ${salesUrl}  the same names, to be sold on`)
  print(`folder          ${home.directory}`)
  print(`API token       ${token}`)
  print(`admin token     ${home.secrets.adminToken.reveal()}`)
  print(`webhook secret  ${home.secrets.webhookSecret.reveal()}`)
  print()
  print('create an invoice from your shop, or with')
  printBare(`  curl -s -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\`)
  printBare(`    -d '{"amount_grin":1500000000,"order_ref":"order-1"}' ${url}/invoice | grep -o '"pay_url":"[^"]*"'`)
  print('then pay it, let the chain run, or turn it back')
  printBare(`  ${command} sandbox pay <pay_url or invoice id>${flag}   (--rail nostr, slatepack or grin1)`)
  printBare(`  ${command} sandbox mine 3${flag}`)
  printBare(`  ${command} sandbox reorg 2${flag}`)
  print('another link to the console, good for a minute')
  printBare(`  ${command} sandbox console${flag}`)
  print('a name of the sandbox, and who holds it')
  printBare(`  curl ${namesUrl}/api/v1/name/alice`)
  printBare(`  curl '${namesUrl}/.well-known/nostr.json?name=alice'`)
  print('Ctrl-C ends the sandbox')
  print()
}
