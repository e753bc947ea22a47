// Long lines for a terminal: broken between words, never inside one, so that paths and addresses stay whole.

/** Lines of at most `width` columns where words allow it; from the second on they begin with `indent`. Text that fits stays as it is. */
export function wrapText(text: string, width = Number.POSITIVE_INFINITY, indent = ''): string {
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : wrapLine(line, width, indent)))
    .join('\n')
}

function wrapLine(line: string, width: number, indent: string): string {
  const lead = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = lead
  for (const word of line.trim().split(' ')) {
    const isEmpty = current.trim() === ''
    if (isEmpty || current.length + 1 + word.length <= width) current += isEmpty ? word : ` ${word}`
    else {
      lines.push(current)
      current = `${indent}${word}`
    }
  }
  return [...lines, current].join('\n')
}
