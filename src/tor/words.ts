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
