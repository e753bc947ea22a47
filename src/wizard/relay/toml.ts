// The relay's configuration file: every setting in reading order; unset ones are commented out with their default.
import { settingGroups } from '../../config/index.js'
import { renderTemplate } from '../templates.js'

type Form = NonNullable<ReturnType<typeof settingGroups>[number]['settings'][number]['form']>

/** TOML takes JSON's texts, but for one control character that JSON leaves as it is. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

const wordsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Values that stand for a whole list. */
const WORDS: ReadonlySet<string> = new Set(['all', 'everyone'])

const PRINT: Readonly<Record<Form, (text: string) => string>> = {
  text: quoted,
  amount: quoted,
  whole: (text) => text,
  switch: (text) => text,
  texts: (text) => (WORDS.has(text) ? quoted(text) : `[${wordsOf(text).map(quoted).join(', ')}]`),
  kinds: (text) =>
    WORDS.has(text)
      ? quoted(text)
      : `[${wordsOf(text)
          .map((word) => (/^\d+$/.test(word) ? word : quoted(word)))
          .join(', ')}]`,
  wholes: (text) => `[${wordsOf(text).join(', ')}]`,
}

/**
 * The whole file. `values`: texts by key (`limits.max_limit`), as a variable would hold them; of a secret the path of its file, by the
 * key with `_file` behind it.
 */
export function renderRelayToml(values: ReadonlyMap<string, string>): string {
  const sections = settingGroups('relay').map(({ group: section, settings }) => ({
    section,
    lines: settings.map(({ key = '', form = 'text', about, initial, secret }) => {
      const path = secret ? `${key}_file` : key
      const name = path.slice(path.indexOf('.') + 1)
      const set = values.get(path)
      if (set !== undefined) return { about, line: `${name} = ${PRINT[form](set)}` }
      return { about, line: `#${name} =${initial === undefined ? '' : ` ${PRINT[form](initial)}`}` }
    }),
  }))
  return renderTemplate('env/relay.toml', { sections })
}
