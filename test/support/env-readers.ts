// What other programs read in a settings file: systemd 252 (EnvironmentFile=), a compose file (env_file:) and dotenv. Undefined: the program
// refuses the file. Written from their manuals and watched behaviour; `env-lines.test.ts` holds the first against systemd itself.
import { parse } from 'dotenv'

export type EnvValues = Readonly<Record<string, string>>

const isNameForSystemd = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/** Values of one file as systemd would put them into the environment; assignments with a wrong name or text are left out. */
export function systemdReads(text: string): EnvValues {
  const values: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const comment = /^[ \t\n\r]*[#;](?:\\[\s\S]|[^\\\n\r])*(?:[\n\r]|\\?$)/.exec(rest)
    const junk = /^[ \t\n\r]*[^=\n\r]*(?:[\n\r]|$)/.exec(rest)
    const assignment = /^[ \t\n\r]*([^=\n\r]*)=/.exec(rest)
    if (comment) rest = rest.slice(comment[0].length)
    else if (assignment) {
      const { value, length } = systemdValue(rest.slice(assignment[0].length))
      rest = rest.slice(assignment[0].length + length)
      const name = (assignment[1] ?? '').replace(/[ \t]+$/, '')
      if (isNameForSystemd(name) && !/[\0\uFFFD]/.test(value)) values[name] = value
    } else rest = rest.slice(Math.max(junk?.[0].length ?? 1, 1))
  }
  return values
}

/** Pieces in quotes and bare ones, one behind the other, up to the end of the line. */
function systemdValue(text: string): { readonly value: string; readonly length: number } {
  let value = ''
  let at = 0
  let isBare = false
  while (at < text.length) {
    const char = text[at] ?? ''
    const piece = isBare ? undefined : quotedPiece(text.slice(at))
    if (/[\n\r]/.test(char)) return { value: isBare ? withoutEnd(value, text.slice(0, at)) : value, length: at + 1 }
    if (piece) {
      value += piece.value
      at += piece.length
    } else if (char === '\\') {
      const next = text[at + 1] ?? ''
      value += /[\n\r]/.test(next) ? '' : next
      isBare = true
      at += 2
    } else {
      if (isBare || !/[ \t]/.test(char)) {
        value += char
        isBare = true
      }
      at += 1
    }
  }
  return { value: isBare ? withoutEnd(value, text) : value, length: text.length }
}

/** Blanks at the end do not count, unless one is escaped. */
const withoutEnd = (value: string, written: string): string => {
  const blanks = /[ \t]*$/.exec(written)?.[0].length ?? 0
  const isEscaped = written[written.length - blanks - 1] === '\\'
  return blanks === 0 || isEscaped ? value : value.slice(0, value.length - blanks)
}

function quotedPiece(text: string): { readonly value: string; readonly length: number } | undefined {
  const single = /^'([^']*)(?:'|$)/.exec(text)
  if (single) return { value: single[1] ?? '', length: single[0].length }
  const double = /^"((?:\\[\s\S]|[^"\\])*)(?:"|\\?$)/.exec(text)
  if (!double) return undefined
  const value = (double[1] ?? '').replace(/\\([\s\S])/g, (both, char) => (/["\\`$\n]/.test(char) ? char.trim() : both))
  return { value, length: double[0].length }
}

/** Undefined where compose stops with an error. Variables stand for nothing: none is set. */
function composeReads(text: string): EnvValues | undefined {
  const values: Record<string, string> = {}
  let rest = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  for (;;) {
    rest = rest.replace(/^\s*/, '')
    if (rest === '') return values
    if (rest.startsWith('#')) {
      rest = rest.includes('\n') ? rest.slice(rest.indexOf('\n')) : ''
      continue
    }
    const [head, key = '', end] =
      /^(?:export\s+)?([\p{L}\p{N}_.\-[\]\t\v\f\r \u0085\u00A0]*)([=:\n]|$)/u.exec(rest) ?? []
    if (head === undefined || key.trim().includes(' ')) return undefined
    rest = rest.slice(head.length)
    if (end !== '=' && end !== ':') continue
    const read = composeValue(rest.replace(/^[\t\v\f\r \u0085\u00A0]*/, ''))
    if (read === undefined) return undefined
    values[key.trim()] = read.value
    rest = read.rest
  }
}

function composeValue(text: string): { readonly value: string; readonly rest: string } | undefined {
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : undefined
  if (quote === undefined) {
    const line = text.split('\n', 1)[0] ?? ''
    return { value: expanded((line.split(' #', 1)[0] ?? '').trimEnd()), rest: text.slice(line.length) }
  }
  const whole = new RegExp(`^${quote}((?:\\\\[\\s\\S]|[^\\\\${quote}])*)${quote}`).exec(text)
  if (!whole) return undefined
  const inner = (whole[1] ?? '').replaceAll(`\\${quote}`, quote)
  const value = quote === '"' ? expanded(inner.replace(/\\([abcfnrtv$"\\]|0\d{0,3})/g, '<$1>')) : inner
  return { value, rest: text.slice(whole[0].length) }
}

const expanded = (text: string): string => text.replace(/\$\{?\w*\}?/g, '')

/** All of them, by name. */
export const ENV_READERS: Readonly<Record<'dotenv' | 'systemd' | 'compose', (text: string) => EnvValues | undefined>> =
  {
    dotenv: parse,
    systemd: systemdReads,
    compose: composeReads,
  }
