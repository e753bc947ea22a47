// The plain form of env files, as systemd and the original authority read them (specification: names, 11).

const LINE = /^([^=\s][^=]*?)\s*=(.*)$/s

/** `KEY=VALUE` lines: no escapes, no remarks behind a value. Lines that are none are skipped; of repeated keys the last counts. */
export function parsePlain(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\n').flatMap((raw): readonly (readonly [string, string])[] => {
    const line = raw.trim().replace(/^export\s+/, '')
    const [, key, value = ''] = line.startsWith('#') ? [] : (LINE.exec(line) ?? [])
    return key === undefined ? [] : [[key, unquoted(value.trim())]]
  })
  return Object.fromEntries(pairs)
}

/** Without one pair of matching quotes. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(value) ?? []
  return inner ?? value
}
