// Completion for fish, written from what oclif knows of the commands: topics, commands, flags and the values that flags take.

/** What is read of a command. */
export interface CompletedCommand {
  /** `invoice:create`. */
  readonly id: string
  readonly summary?: string | undefined
  readonly hidden?: boolean | undefined
  readonly description?: string | undefined
  readonly flags: Readonly<Record<string, CompletedFlag>>
  readonly args?: Readonly<Record<string, CompletedArgument>> | undefined
}

interface CompletedArgument {
  readonly options?: readonly string[] | undefined
}

interface CompletedFlag {
  readonly name: string
  readonly char?: string | undefined
  readonly description?: string | undefined
  readonly hidden?: boolean | undefined
  readonly type: string
  readonly options?: readonly string[] | undefined
}

export interface CompletedTopic {
  readonly name: string
  readonly description?: string | undefined
}

/** The words before the one that is being typed, without flags: whether they begin with these words, and whether they are just these. */
const HELPERS = `function __grinpay_at
    set -l words (string match -v -- '-*' (commandline -opc))[2..]
    test "$words" = "$argv"
end
function __grinpay_in
    set -l words (string match -v -- '-*' (commandline -opc))[2..]
    string match -q -- "$argv *" "$words "
end`

/** A file for ~/.config/fish/completions. No text of a command is read by fish as anything but text. */
export function fishCompletion(topics: readonly CompletedTopic[], commands: readonly CompletedCommand[]): string {
  const shown = commands.filter(({ hidden }) => hidden !== true)
  const groups = topics.filter(({ name }) => shown.some(({ id }) => id.startsWith(`${name}:`)) && !name.includes(':'))
  const isCommand = (name: string) => shown.some(({ id }) => id === name)
  return [
    '# Completion of grinpay for fish; made by "grinpay completion fish".',
    HELPERS,
    'complete -c grinpay -f',
    ...groups.filter(({ name }) => !isCommand(name)).map(({ name, description }) => wordLine([], name, description)),
    ...shown.map(({ id, summary, description }) =>
      wordLine(before(id), wordsOf(id).at(-1) ?? '', summary ?? description),
    ),
    ...shown.flatMap(({ id, args = {} }) => argumentLines(wordsOf(id), args)),
    HELP_LINE,
    ...shown.flatMap(({ id, flags }) => {
      const where = conditionOf(id, shown)
      return Object.values(flags).flatMap((flag) => flagLines(where, flag))
    }),
    '',
  ].join('\n')
}

const wordsOf = (id: string): readonly string[] => id.split(':')
const before = (id: string): readonly string[] => wordsOf(id).slice(0, -1)

const HELP_LINE = `complete -c grinpay -s h -l help -d 'show help'`

/** In this command, and in none below it: `sandbox pay` does not take the flags of `sandbox`. */
const conditionOf = (id: string, commands: readonly CompletedCommand[]): string =>
  [id, ...commands.map((other) => other.id).filter((other) => other.startsWith(`${id}:`))]
    .map((each, at) => `${at === 0 ? '' : '; and not '}__grinpay_in ${wordsOf(each).join(' ')}`)
    .join('')

/** Words that a command takes from a list, in its first place. */
function argumentLines(command: readonly string[], args: NonNullable<CompletedCommand['args']>): readonly string[] {
  const [first] = Object.values(args)
  return (first?.options ?? []).map((word) => wordLine(command, word))
}

const wordLine = (before: readonly string[], word: string, text = ''): string =>
  `complete -c grinpay -n ${quoted(['__grinpay_at', ...before].join(' '))} -a ${quoted(word)} -d ${quoted(text)}`

function flagLines(
  where: string,
  { name, char, description = '', hidden, type, options }: CompletedFlag,
): readonly string[] {
  if (hidden === true) return []
  const short = char === undefined ? '' : ` -s ${char}`
  // A value without a list may be a file.
  const value = type !== 'option' ? '' : options === undefined ? ' -r -F' : ` -x -a ${quoted(options.join(' '))}`
  return [`complete -c grinpay -n ${quoted(where)} -l ${name}${short}${value} -d ${quoted(description)}`]
}

/** One word of fish: between single quotes only backslash and quote mean something. */
const quoted = (text: string): string => `'${text.replaceAll(/\s+/g, ' ').replaceAll(/[\\']/g, '\\$&')}'`
