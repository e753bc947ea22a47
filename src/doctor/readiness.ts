// What a running daemon says of its parts at /ready, as lines of the doctor.
import { membersOf, parseJson } from '../lib/parse-json.js'
import { type Finding, fail, pass, warn } from './finding.js'

export interface ReadinessHelp {
  readonly start: string
  /** Where to look for each part that is not well. */
  readonly remedies: Readonly<Record<string, string>>
  /** Of systemd. */
  readonly unit: string
}

/** `ready`: undefined when nothing answered. */
export function readinessOf(
  ready: { readonly status: number; readonly text: string } | undefined,
  { start, remedies, unit }: ReadinessHelp,
): readonly Finding[] {
  if (!ready) return [fail('/ready does not answer', start)]
  const { status, text } = ready
  const { checks } = membersOf(parseJson(text))
  if (!Array.isArray(checks)) return [fail(`/ready answers ${status} without checks`, start)]
  const failed = checks.map(membersOf).filter((part) => part.status !== 'ok')
  if (failed.length === 0) return [pass('all parts are ready')]
  // The daemon does its work without a part that leaves it ready.
  const tell = status === 200 ? warn : fail
  return failed.map((part) => {
    const name = String(part.name)
    const reason = typeof part.reason === 'string' ? `is not well: ${part.reason.slice(0, 200)}` : 'is not well'
    return { ...tell(reason, remedies[name] ?? `journalctl -u ${unit}`), about: name.slice(0, 40) }
  })
}
