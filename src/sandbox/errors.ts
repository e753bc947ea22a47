// Expected failures of the sandbox.
import { defineError } from '../lib/errors.js'

export const reorgTooDeep = defineError('REORG_TOO_DEEP', {
  status: 400,
  text: (depth: number, height: number) => `cannot replace ${depth} blocks: the sandbox chain has ${height}`,
  hint: 'ask for a depth between 1 and the height of the chain',
})

export const controlRefused = defineError('CONTROL_REFUSED', {
  status: 400,
  text: (reason: string) => `the sandbox node refuses: ${reason}`,
  hint: 'see grinpay sandbox --help',
})

export const bodyTooLarge = defineError('BODY_TOO_LARGE', {
  status: 413,
  text: (most: number) => `the body is larger than ${most} bytes`,
  hint: 'send less',
})

export const noCoins = defineError('SANDBOX_NO_COINS', {
  status: 409,
  text: (amount: bigint, free: bigint) =>
    `the sandbox payer has ${free} nanogrin free and needs more than ${amount} with the fee`,
  hint: 'ask for a smaller amount, or wait until other payments are pushed',
})

export const checkoutRefused = defineError('SANDBOX_CHECKOUT_REFUSED', {
  status: 422,
  text: (reason: string) => `the checkout refused the sandbox payment: ${reason}`,
  hint: 'create a new invoice',
})

export const pushRefused = defineError('SANDBOX_PUSH_REFUSED', {
  status: 422,
  text: (reason: string) => `the sandbox node refused: ${reason}`,
  hint: 'create a new invoice and pay that one',
})

export const sandboxNodeUnreachable = defineError('SANDBOX_NODE_UNREACHABLE', {
  status: 503,
  text: (url: string, reason: string) => `no answer from the sandbox node at ${url} (${reason})`,
  hint: 'start it with "grinpay sandbox"',
})

export const storyStuck = defineError('SANDBOX_STUCK', {
  status: 504,
  text: (invoice: string, state: string) => `invoice ${invoice} is still ${state} after two minutes`,
  hint: 'grinpay sandbox --block-every 1s',
})

export const notASandboxFolder = defineError('NOT_A_SANDBOX_FOLDER', {
  status: 409,
  text: (directory: string) => `${directory} is not a sandbox folder`,
  hint: 'name an empty or a new folder with --data-dir',
})

export const badTarget = defineError('SANDBOX_BAD_TARGET', {
  status: 400,
  text: (target: string) => `not an invoice of this sandbox: ${target}`,
  hint: 'give the checkout address (pay_url) or the 32 hex digits of the invoice id',
})

export const tillTakesRealGrin = defineError('SANDBOX_REAL_TILL', {
  status: 400,
  text: (payUrl: string) => `the till of ${payUrl} takes real Grin`,
  hint: 'play money is for tills of a test network: grinpay setup pay --chain testnet --node-url http://127.0.0.1:8421',
})

export const badRail = defineError('SANDBOX_BAD_RAIL', {
  status: 400,
  text: (rail: string) => `unknown payment rail: ${rail}`,
  hint: 'use --rail nostr, slatepack or grin1',
})

export const forwardFailed = defineError('SANDBOX_FORWARD_FAILED', {
  status: 502,
  text: (url: string, reason: string) => `${url} did not accept the event (${reason})`,
  hint: 'start your receiver, then: grinpay webhook replay EVENT_ID',
})

export const payLinkInvalid = defineError('SANDBOX_PAY_LINK', {
  status: 400,
  text: (reason: string) => `the pay link cannot be used: ${reason}`,
  hint: 'create a new invoice; PAY_RELAYS must name a relay that this machine reaches',
})

export const relayRefused = defineError('SANDBOX_RELAY_REFUSED', {
  status: 502,
  text: (url: string, reason: string) => `the relay ${url} failed: ${reason}`,
  hint: 'start the sandbox anew, or pay with --rail slatepack',
})

export const replyMissing = defineError('SANDBOX_NO_REPLY', {
  status: 422,
  text: (said: string) => `the till returned no slatepack: ${said}`,
  hint: 'create a new invoice',
})

export const foreignRefused = defineError('SANDBOX_FOREIGN_REFUSED', {
  status: 422,
  text: (reason: string) => `the till's Foreign API refused the sandbox payment: ${reason}`,
  hint: 'create a new invoice',
})

export const nameRefused = defineError('SANDBOX_NAME_REFUSED', {
  status: 422,
  text: (name: string, reason: string) => `the name authority of the sandbox refuses the name ${name}: ${reason}`,
  hint: 'start a new sandbox',
})
