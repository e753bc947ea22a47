// What is said of a line of a settings file that other programs read differently, and what to write instead.
import type { EnvFault, EnvRemark, EnvSpelling } from './env-lines.js'
import type { SettingNotice } from './problem.js'

const FAULTS: Readonly<Record<EnvFault, string>> = {
  'byte-order-mark': 'begins with a byte order mark, with which systemd ignores the line',
  'no-setting': 'is no NAME=VALUE line, and is ignored',
  'open-comment': 'is a comment that ends in a backslash, after which systemd ignores the next line',
  export: 'has "export", with which systemd ignores the line',
  quotes: 'has quotes that are not one pair around the whole value; each program reads them differently',
  hash: 'has a # in its value; dotenv and compose end the value there, grinpay and systemd do not',
  backslash: 'has a backslash in its value; systemd and compose take it for an escape, grinpay does not',
  dollar: 'has a $ in its value; compose puts a variable there, grinpay does not',
  backtick: 'has a value in backticks; dotenv takes them away, grinpay and systemd do not',
  'hidden-character': 'has an invisible character or one that is not UTF-8; each program reads it differently',
  swallowed: 'is part of the value before it to dotenv, because of a quote that an earlier line opens',
}

/** Faults that have nothing to do with the value. */
const REMEDIES: Partial<Readonly<Record<EnvFault, string>>> = {
  'byte-order-mark': 'save the file as UTF-8 without a byte order mark',
  'no-setting': 'write NAME=VALUE, put # before a comment, or take the line out',
  swallowed: 'mend the earlier line first: one pair of quotes around the whole value, on one line',
  'open-comment': 'take the backslash at the end of the comment out',
}

const REMARK = ', and a comment on a line of its own'
const FORMS: Readonly<Record<EnvSpelling, (name: string) => string>> = {
  bare: (name) => `${name}=VALUE`,
  'double-quoted': (name) => `${name}="VALUE"`,
  'single-quoted': (name) => `${name}='VALUE'`,
  none: () => '',
}

function remedyFor({ name = 'NAME', fault, spelling }: EnvRemark): string {
  const own = REMEDIES[fault]
  if (own !== undefined) return own
  if (spelling === 'none')
    return `leave that character out; put a secret into a file of its own, and name the file as ${name}_FILE`
  return `write ${FORMS[spelling](name)}${fault === 'hash' ? REMARK : ''}`
}

/** Variables that Node and its libraries read at their start, before any settings file is open. */
const OF_THE_PROCESS = /^(?:NODE_[A-Z_]+|UV_[A-Z_]+|SSL_CERT_(?:FILE|DIR)|OPENSSL_[A-Z_]+|LD_[A-Z_]+|TZ)$/

/** One per line and fault. `path`: of the file. */
export function envFileNotices(
  path: string,
  { names, remarks }: { readonly names: Iterable<string>; readonly remarks: readonly EnvRemark[] },
): readonly SettingNotice[] {
  const lines = remarks.map((remark): SettingNotice => {
    const { line, name, fault } = remark
    const about = name === undefined ? '' : ` (${name})`
    return { setting: name ?? null, text: `${path} line ${line}${about} ${FAULTS[fault]}`, advice: remedyFor(remark) }
  })
  const misplaced = [...names]
    .filter((name) => OF_THE_PROCESS.test(name))
    .map(
      (name): SettingNotice => ({
        setting: name,
        text: `${path}: ${name} has no effect there: Node reads it from the environment, before it opens a settings file`,
        advice: `set it in a drop-in of the unit: systemctl edit, [Service], Environment=${name}=VALUE`,
      }),
    )
  return [...lines, ...misplaced]
}
