// Parses a control connection (torspec, control-spec 2.3): lines, data blocks, replies, events.

/** One line of a reply, with its data block where it has one. Characters are bytes (latin1). */
interface ReplyLine {
  readonly text: string
  readonly data?: string
}

/** A whole reply; status 6xx is an event, not an answer. */
export interface Reply {
  readonly status: number
  readonly lines: readonly ReplyLine[]
}

/** Maximum bytes of a line, and of a reply; real replies are much shorter. */
export const MAX_LINE = 16_384
export const MAX_REPLY = 262_144

interface Open {
  status: number
  size: number
  readonly lines: ReplyLine[]
  /** Lines of the data block being read. */
  data: string[] | undefined
}

const none = (): Open => ({ status: 0, size: 0, lines: [], data: undefined })

/** Turns bytes into complete replies. `push` throws RangeError for protocol violations and excessive lengths. */
export function createReplyReader() {
  let rest = ''
  let open = none()

  function endOf(line: string): Reply | undefined {
    open.size += line.length + 2
    if (open.size > MAX_REPLY) throw new RangeError(`a reply of more than ${MAX_REPLY} bytes`)
    if (open.data) return void takeData(open, open.data, line)
    const [, digits, separator, text = ''] = /^([2-6]\d\d)([-+ ])(.*)$/s.exec(line) ?? []
    if (digits === undefined) throw new RangeError('a line without a status')
    if (open.lines.length === 0) open.status = Number(digits)
    if (Math.floor(open.status / 100) !== Math.floor(Number(digits) / 100)) throw new RangeError('two replies in one')
    open.lines.push({ text })
    if (separator === '+') open.data = []
    if (separator !== ' ') return undefined
    const { status, lines } = open
    open = none()
    return { status, lines }
  }

  return {
    push(bytes: Uint8Array): readonly Reply[] {
      rest += Buffer.from(bytes).toString('latin1')
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      if (rest.length > MAX_LINE || lines.some((line) => line.length > MAX_LINE))
        throw new RangeError(`a line of more than ${MAX_LINE} bytes`)
      return lines.flatMap((line) => endOf(line) ?? [])
    },
  }
}

/** A lone dot ends the block; a leading dot of a line is doubled. */
function takeData(open: Open, data: string[], line: string): void {
  if (line !== '.') return void data.push(line.startsWith('.') ? line.slice(1) : line)
  const last = open.lines.pop()
  if (last) open.lines.push({ text: last.text, data: data.join('\n') })
  open.data = undefined
}

// Parses the words of a reply line: plain ones, NAME=value and NAME="quoted value".
/** The words of a line by name, case-sensitive; a plain word is a name without value. */
export type ReplyWords = ReadonlyMap<string, string>

const WORD = /([^\s="]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?(?:\s+|$)/sy

/** Parses a line of words. Throws RangeError for anything else. The first of two equal names counts. */
export function parseWords(line: string): ReplyWords {
  const words = new Map<string, string>()
  const text = line.trimStart()
  WORD.lastIndex = 0
  while (WORD.lastIndex < text.length) {
    const [, name = '', value = ''] = WORD.exec(text) ?? refuse()
    if (!words.has(name)) words.set(name, value.startsWith('"') ? unquote(value) : value)
  }
  return words
}

const refuse = (): never => {
  throw new RangeError('a line that is not made of words')
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** Decodes C escapes: tor writes non-ASCII bytes as octal, so the result is UTF-8. */
function unquote(quoted: string): string {
  const bytes = quoted
    .slice(1, -1)
    .replace(/\\([0-3]?[0-7]{1,2}|.)/gs, (_, escaped: string) =>
      /^[0-7]/.test(escaped) ? String.fromCharCode(Number.parseInt(escaped, 8)) : (ESCAPES[escaped] ?? escaped),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
