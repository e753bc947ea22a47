// What the parts of a till say of themselves, for `/ready` and the figures.
import { areAllFailing, isAnyFailing, type ReceiverStatus, type Till, type Wallet } from '../../../till/index.js'
import type { Check } from '../../runtime.js'

/** Unready once the wallet has stopped itself. */
export function walletCheck(wallet: Pick<Wallet, 'fault'>): Check {
  const fault = wallet.fault()
  return fault === undefined ? { ok: true, detail: 'open' } : { ok: false, detail: fault }
}

/** Unready while no node is usable. */
export async function nodeCheck(till: Pick<Till, 'status'>): Promise<Check> {
  const { node } = await till.status()
  return { ok: node.ok, detail: node.detail }
}

/** Unready while every receiver fails for an hour. One that fails for five minutes is an alarm, and shows here without that. */
export async function webhooksCheck(till: Pick<Till, 'status'>): Promise<Check> {
  const { receivers } = (await till.status()).webhooks
  const details = receivers.map((status) =>
    receivers.length === 1 ? queueOf(status) : `receiver ${status.receiver}: ${queueOf(status)}`,
  )
  const detail = details.join('; ') || 'no receiver'
  if (areAllFailing(receivers)) return { ok: false, detail }
  return isAnyFailing(receivers) ? { ok: false, detail, informative: true } : { ok: true, detail }
}

const queueOf = ({ pending, oldestSeconds }: ReceiverStatus): string =>
  `${pending} waiting, the oldest for ${oldestSeconds ?? 0} s`
