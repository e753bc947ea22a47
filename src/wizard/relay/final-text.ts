// The last screen: what to type next, what the proxy needs, and how to see that it works.
import { indented, type ProxyHere, proxyCommands, startLines } from '../last-screen.js'
import type { RelayTarget } from './places.js'
import type { PlannedProxy } from './proxy-file.js'
import { hostOfRelay, type RelayAnswers } from './questions.js'

export interface RelayFinalParts {
  readonly target: RelayTarget
  readonly answers: RelayAnswers
  /** What others have to do. */
  readonly needs: readonly string[]
  readonly proxy: PlannedProxy | undefined
  readonly proxyHere: ProxyHere
  /** It ran already before these settings. */
  readonly isChange: boolean
}

export function relayFinalText(parts: RelayFinalParts): string {
  const { places, machineWide } = parts.target
  const first = parts.needs.length > 0 ? ['First:', ...parts.needs.flatMap(indented), ''] : []
  return [
    ...first,
    ...startLines({ daemon: 'relay', settingsFile: places.envFile, machineWide, isChange: parts.isChange }),
    '',
    ...proxyLines(parts),
    '',
    ...checkLines(parts),
  ].join('\n')
}

/** How commands find the settings. */
const flagOf = ({ places, machineWide }: RelayTarget, name: 'config' | 'settings'): string =>
  machineWide ? '' : ` --${name} ${places.envFile}`

function proxyLines({ target, proxy, proxyHere }: RelayFinalParts): readonly string[] {
  const flag = flagOf(target, 'config')
  if (proxy === undefined)
    return ['Proxy in front:', ...proxyCommands('relay', flag, proxyHere).map((command) => `  ${command}`)]
  return [`Proxy (${proxy.program}):`, ...proxy.commands.map((line) => `  ${line}`)]
}

const SPAM = [
  'Open to everybody. Against spam, set in the settings file:',
  '  limits.events_per_min_per_connection',
  '  retention.max_events or retention.persist_days',
]

function checkLines({ target, answers }: RelayFinalParts): readonly string[] {
  const host = hostOfRelay(answers)
  const spam = answers.profile === 'everybody' ? [...SPAM, ''] : []
  return [
    ...spam,
    'Then:',
    `  grinpay doctor --daemon relay${flagOf(target, 'settings')}`,
    '      settings, database, proxy, names: each with a remedy',
    ...(host === undefined ? [] : [`  host ${host}`, '      this machine or its proxy']),
  ]
}
