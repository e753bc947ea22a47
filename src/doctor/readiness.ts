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
  const names = checks.map(membersOf).flatMap((part) => (part.status === 'ok' ? [] : [String(part.name)]))
  if (names.length === 0) return [pass('all parts are ready')]
  // The daemon does its work without a part that leaves it ready.
  const tell = status === 200 ? warn : fail
  return names.map((name) => ({
    ...tell('is not well', remedies[name] ?? `journalctl -u ${unit}`),
    about: name.slice(0, 40),
  }))
}
