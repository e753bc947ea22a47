// Help that fits into narrow terminals. oclif calls it for every --help.
import { stripVTControlCharacters } from 'node:util'
import { type Command, CommandHelp, Help } from '@oclif/core'
import { wrapText } from '../lib/wrap-text.js'

type ListOptions = Parameters<CommandHelp['renderList']>[1]

/** What is below its flag is indented by two columns more than oclif counts. */
const UNCOUNTED = 2
/** Of examples, below their headline. */
const INDENT = 2
const USUAL_WIDTH = 80

/** In the words of our own flags; oclif has a sentence of its own. */
const JSON_SUMMARY = 'print one JSON document'

class FittingCommandHelp extends CommandHelp {
  protected override flags(flags: Command.Flag.Any[]) {
    return super.flags(
      flags.map((flag) =>
        flag.helpGroup === 'GLOBAL' && flag.name === 'json' ? { ...flag, description: JSON_SUMMARY } : flag,
      ),
    )
  }

  override renderList(input: (string | undefined)[][], opts: ListOptions): string {
    return super.renderList(input, { ...opts, indentation: opts.indentation + UNCOUNTED })
  }

  /** What there is to say beyond the summary, which stands above; oclif would repeat it. */
  protected override description(): string | undefined {
    const { description, summary } = this.command
    return description === undefined || description === summary ? undefined : this.wrap(description)
  }

  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    return super
      .examples(examples)
      ?.split('\n')
      .map((line) => brokenLine(line, this.opts.maxWidth - INDENT))
      .join('\n')
  }
}

export default class FittingHelp extends Help {
  protected override CommandHelpClass = FittingCommandHelp

  /** oclif breaks everything but headlines. */
  protected override log(...texts: string[]): void {
    const width = this.opts.maxWidth ?? USUAL_WIDTH
    const fitting = (line: string) => (stripVTControlCharacters(line).length > width ? wrapText(line, width) : line)
    super.log(...texts.map((text) => text.split('\n').map(fitting).join('\n')))
  }
}

const CONTINUED = '    '

/** A line of sh in several that mean the same, so that it can be copied whole. A word that is longer than a line stays whole. */
export function brokenLine(line: string, width: number): string {
  if (line.length <= width) return line
  const lines = ['']
  for (const word of wordsOf(line, width - CONTINUED.length)) {
    const last = lines.at(-1) ?? ''
    const longer = last.trim() === '' ? `${last}${word}` : `${last} ${word}`
    // Every line but the last ends with a blank and a backslash.
    if (longer.length + 2 <= width || last.trim() === '') lines.splice(-1, 1, longer)
    else lines.push(`${CONTINUED}${word}`)
  }
  return lines.join(' \\\n')
}

/** A flag stays with its value when both fit into a line. */
function wordsOf(line: string, width: number): readonly string[] {
  const words: string[] = []
  for (const word of line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    const last = words.at(-1) ?? ''
    const isValue = /^-[^= ]+$/.test(last) && !word.startsWith('-') && `${last} ${word}`.length + 2 <= width
    if (isValue) words.splice(-1, 1, `${last} ${word}`)
    else words.push(word)
  }
  return words
}
