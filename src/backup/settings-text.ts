// Settings files as text: taking secrets out of one, and giving a restored one its new places. Everything else stays as it was written.

/** Names that are kept secret whatever settings there are: the file may serve other programs too. */
export const SECRET_NAME = /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|MNEMONIC|NSEC|NCRYPTSEC|PRIVATE_?KEY)$/i
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/

export interface Redacted {
  readonly text: string
  /** Names whose values are gone. */
  readonly names: readonly string[]
}

/**
 * The text without the values of those names, which stay as remarks. Undefined when one of `values` would still stand in it (a value over
 * several lines, an unknown name): then nothing of the file may be used.
 */
export function redactSettings(
  text: string,
  isSecret: (name: string) => boolean,
  values: readonly string[],
): Redacted | undefined {
  const names: string[] = []
  const lines = text.split('\n').map((line) => {
    const [, name = '', value = ''] = ASSIGNMENT.exec(line) ?? []
    if (!isSecret(name) || value.trim() === '') return line
    names.push(name)
    return `# ${name}: left out of the backup`
  })
  const redacted = lines.join('\n')
  return values.some((value) => value !== '' && redacted.includes(value)) ? undefined : { text: redacted, names }
}

/** Sets these in an env file: in the place of their first line, else at the end. Names in `gone` are set no more. */
export function placeInEnv(
  text: string,
  values: ReadonlyMap<string, string>,
  gone: ReadonlySet<string> = new Set(),
): string {
  const left = new Map(values)
  const lines = text.split('\n').flatMap((line) => {
    const [, name = ''] = ASSIGNMENT.exec(line) ?? []
    if (gone.has(name)) return []
    if (!values.has(name)) return [line]
    const value = left.get(name)
    left.delete(name)
    return value === undefined ? [] : [`${name}=${value}`]
  })
  const added = [...left].map(([name, value]) => `${name}=${value}`)
  return added.length === 0 ? lines.join('\n') : `${lines.join('\n').trimEnd()}\n${added.join('\n')}\n`
}

/** The same for one key of a TOML file. */
export function placeInToml(text: string, section: string, key: string, value: string): string {
  const line = `${key} = ${JSON.stringify(value)}`
  const lines = text.split('\n')
  const head = lines.findIndex((each) => each.trim().replace(/\s*#.*$/, '') === `[${section}]`)
  if (head < 0) return `${text.trimEnd()}\n\n[${section}]\n${line}\n`.trimStart()
  const end = lines.findIndex((each, at) => at > head && /^\s*\[/.test(each))
  const old = lines.findIndex(
    (each, at) => at > head && (end < 0 || at < end) && new RegExp(`^\\s*${key}\\s*=`).test(each),
  )
  const [from, count] = old < 0 ? [head + 1, 0] : [old, 1]
  return lines.toSpliced(from, count, line).join('\n')
}
