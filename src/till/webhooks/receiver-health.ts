// How each webhook receiver fares: which of them fails, when that makes the till unready, and what an operator must look at.
import { receiverSetting } from '../../lib/webhooks.js'
import type { ReceiverStatus, TillSettings } from '../api.js'
import type { ReceiverBacklog } from '../ports.js'

/** A receiver is failing when something waits for it and all attempts have failed for longer: an alarm from here on. */
const ALARM_AFTER_SECONDS = 300
/** When every receiver has failed for longer, the till is not ready. */
const UNREADY_AFTER_SECONDS = 3600

/** Configured ones, and those that something still waits for or was given up for; lowest number first. */
export function receiverStatuses(
  backlog: readonly ReceiverBacklog[],
  { webhooks }: Pick<TillSettings, 'webhooks'>,
  now: number,
): readonly ReceiverStatus[] {
  const numbers = new Set([...webhooks, ...backlog].map(({ receiver }) => receiver))
  return [...numbers]
    .sort((a, b) => a - b)
    .map((receiver) => {
      const url = webhooks.find((target) => target.receiver === receiver)?.url
      const {
        pending = 0,
        oldestCreatedAt = null,
        abandoned = 0,
        failingSince = null,
      } = backlog.find((one) => one.receiver === receiver) ?? {}
      const secondsSince = (moment: number | null): number | null =>
        moment === null ? null : Math.max(0, Math.floor((now - moment) / 1000))
      const oldestSeconds = secondsSince(oldestCreatedAt)
      const failingSeconds = pending === 0 ? null : secondsSince(failingSince)
      const host = url === undefined ? null : new URL(url).host
      return { receiver, host, pending, oldestSeconds, failingSeconds, abandoned }
    })
}

/** All of them together. */
export function totalOf(receivers: readonly ReceiverStatus[]) {
  const ages = receivers.flatMap(({ oldestSeconds }) => oldestSeconds ?? [])
  return {
    pending: receivers.reduce((sum, { pending }) => sum + pending, 0),
    abandoned: receivers.reduce((sum, { abandoned }) => sum + abandoned, 0),
    oldestSeconds: ages.length === 0 ? null : Math.max(...ages),
  }
}

const failsFor = ({ host, failingSeconds }: ReceiverStatus, seconds: number): boolean =>
  host !== null && (failingSeconds ?? 0) > seconds

/** Whether a configured receiver takes nothing for long enough to be an alarm. */
export const isAnyFailing = (receivers: readonly ReceiverStatus[]): boolean =>
  receivers.some((status) => failsFor(status, ALARM_AFTER_SECONDS))

/**
 * Whether every configured receiver fails for so long that the till is not ready: one that still takes deliveries keeps it ready, and so
 * does a till without receivers.
 */
export function areAllFailing(receivers: readonly ReceiverStatus[]): boolean {
  const configured = receivers.filter(({ host }) => host !== null)
  return configured.length > 0 && configured.every((status) => failsFor(status, UNREADY_AFTER_SECONDS))
}

/** Fixed texts while nothing changes but the time. */
export const receiverAlarms = (receivers: readonly ReceiverStatus[]): readonly string[] =>
  receivers.flatMap((status) => {
    const text = alarmOf(status)
    return text === undefined ? [] : [`webhook receiver ${status.receiver}: ${text}`]
  })

function alarmOf(status: ReceiverStatus): string | undefined {
  const { receiver, host, pending } = status
  if (host !== null)
    return failsFor(status, ALARM_AFTER_SECONDS)
      ? `${host} has taken no delivery for more than ${failsFor(status, UNREADY_AFTER_SECONDS) ? 'an hour' : '5 minutes'}, ${pending} ${pending === 1 ? 'waits' : 'wait'}; grinpay webhook list --receiver ${receiver} --failed tells why`
      : undefined
  if (pending === 0) return undefined
  const [waiting, sent] = pending === 1 ? ['1 delivery waits', 'it is'] : [`${pending} deliveries wait`, 'they are']
  return `${waiting} for it, but ${receiverSetting(receiver, 'URL')} is not set; ${sent} sent once that is set again`
}
