// Whether systemd passes a secret to the till. The till then holds the copy of its start and sees a changed file only after a restart.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const UNIT = 'grinpay-pay.service'
/** As systemd looks for them; the last is the one of a setup with a prefix. */
const foldersFor = (settingsFile: string): readonly string[] => [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  join(dirname(settingsFile), 'systemd'),
]

/** How a unit names the settings: handed over, or in older units read by systemd. */
const SETTINGS = [/^LoadCredential=[^:]+:(.+)$/, /^EnvironmentFile=-?(.+)$/]

/** Whether a unit of the till with these settings loads that setting as a credential. What cannot be read counts as absent. */
export const isHandedOver = (settingsFile: string, setting: string, folders = foldersFor(settingsFile)): boolean =>
  folders.some((folder) => {
    const unit = textOf(join(folder, UNIT))
    if (!SETTINGS.some((form) => hasLine(unit, form, settingsFile))) return false
    const credential = new RegExp(`^LoadCredential(?:Encrypted)?=(${setting.toLowerCase()}):`)
    return [unit, ...dropInsOf(join(folder, `${UNIT}.d`))].some((text) =>
      hasLine(text, credential, setting.toLowerCase()),
    )
  })

const hasLine = (text: string, form: RegExp, wanted: string): boolean =>
  text.split('\n').some((line) => form.exec(line.trim())?.[1] === wanted)

const dropInsOf = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.conf'))
        .map((name) => textOf(join(folder, name)))
    : []

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not there, or not ours to read: then it is not ours to rotate either
  }
}
