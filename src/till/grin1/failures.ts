// What a payer's wallet shows when the till refuses: a JSON-RPC error with words for people. Stock senders cannot read
// `result.Err`, so there is none (specification: invoicing, 5.2).
import { GrinpayError } from '../../lib/errors.js'
import { badArgument, RpcFailure } from '../../lib/json-rpc.js'

const REFUSED = -32_000
const INTERNAL = -32_603

/** The slate is always the first parameter. */
const isUnreadable = ({ code }: GrinpayError): boolean =>
  code === 'SLATE_INVALID' || code === 'SLATE_VERSION_UNSUPPORTED'

/** The failure for anything a method threw. `report` gets what is a bug of ours; its text stays at home. */
export function failureFor(thrown: unknown, report: (thrown: unknown) => void): RpcFailure {
  if (!(thrown instanceof GrinpayError)) {
    report(thrown)
    return new RpcFailure(INTERNAL, 'internal error: try again in a minute')
  }
  if (isUnreadable(thrown)) return badArgument('slate', 0, thrown.message)
  const text = thrown.hint === undefined ? thrown.message : `${thrown.message}; ${thrown.hint}`
  return new RpcFailure(thrown.status >= 500 ? INTERNAL : REFUSED, text)
}

/** The slate was taken and is still being worked on; the same request later is answered from the store. */
export const stillWorking = (): RpcFailure =>
  new RpcFailure(INTERNAL, 'this takes longer than a wallet waits: send the same again in a minute')

/** The answer to somebody who asks too often. */
export const tooOften = (perMinute: number, seconds: number): string =>
  `too many requests: at most ${perMinute} a minute are taken; try again in ${seconds} s`

export const RATE_LIMITED = REFUSED
