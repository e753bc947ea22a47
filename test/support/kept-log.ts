// A log that keeps its entries for assertions.
interface KeptLine {
  readonly level: string
  readonly fields: object
  readonly text: string
}

export function createKeptLog() {
  const lines: KeptLine[] = []
  const at = (level: string) => (fields: object, text: string) => void lines.push({ level, fields, text })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
