// What every command shares: global flags, failures with exit codes, answers for people and for programs.
import { Command, Errors, Flags } from '@oclif/core'
import type { InvoicingClient } from '../client/index.js'
import type { Environment } from '../config/index.js'
import { GrinpayError, messageOf } from '../lib/errors.js'
import { wrapText } from '../lib/wrap-text.js'
import type { SessionFlags } from './api-session.js'
import { EXIT, failureLine, failureOf } from './exit-codes.js'
import { settingsFlag } from './flags.js'
import { openProgress, type ProgressLine } from './progress.js'
import { type Column, type Fact, facts, type ItemList, table } from './table.js'
import { terminalWidth } from './terminal.js'
import { chainNotice } from './values.js'

export abstract class BaseCommand extends Command {
  static override baseFlags = {
    'no-input': Flags.boolean({ description: 'never ask; a missing answer is wrong usage', helpGroup: 'GLOBAL' }),
    quiet: Flags.boolean({ char: 'q', description: 'print only the primary id', helpGroup: 'GLOBAL' }),
    verbose: Flags.boolean({ description: 'print the stack of a failure', helpGroup: 'GLOBAL' }),
  }

  private progress: ProgressLine | undefined
  /** The chain of the amounts in the answer; undefined without amounts, or while it is unknown. */
  protected chain: string | undefined

  /** Prints a message for people on stderr; stdout carries only the answer. */
  protected say(text: string): void {
    if (!this.isQuiet()) this.logToStderr(text)
  }

  /** Prints a notice, such as one about a questionable setting. */
  protected note(text: string): void {
    this.say(wrapText(`note: ${text}`, terminalWidth()))
  }

  /** Runs `work` and shows `what`, or the text that `work` reports, while it runs. `work` must not prompt. */
  protected async waiting<T>(what: string, work: (tell: (text: string) => void) => Promise<T>): Promise<T> {
    this.progress ??= await openProgress(!this.jsonEnabled() && !this.isQuiet())
    return this.progress.during(what, work)
  }

  private isQuiet(): boolean {
    return this.argv.includes('--quiet') || this.argv.includes('-q')
  }

  /** Prints a list: a table on a terminal, tab separated lines in a pipe. An empty list is mentioned only on a terminal. */
  protected logTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const width = terminalWidth()
    const text = table(rows, columns, width)
    if (text !== '') this.log(text)
    else if (width !== undefined) this.say('none')
  }

  /** Prints a whole list, with --quiet the ids alone. Answers the `--json` document. */
  protected logItems<Item>(
    items: readonly Item[],
    { quiet }: Pick<ListFlags, 'quiet'>,
    columns: readonly Column<Item>[],
    idOf = idIn(columns),
  ): ItemList<Item> {
    if (quiet) for (const item of items) this.log(idOf(item))
    else this.logTable(items, columns)
    return { items, next: null }
  }

  /** Prints one page, or with `all` every page as it comes. Answers the `--json` document. */
  protected async logPages<Item>(
    page: (query: PageQuery) => Promise<ItemList<Item>>,
    flags: ListFlags,
    columns: readonly Column<Item>[],
    idOf = idIn(columns),
  ): Promise<ItemList<Item>> {
    const items: Item[] = []
    let { cursor } = flags
    for (;;) {
      const found = await page({ limit: flags.all ? LARGEST_PAGE : flags.limit, cursor })
      this.logItems(found.items, flags, columns, idOf)
      if (!flags.all && found.next !== null) this.say(`more: --cursor ${found.next}`)
      if (!flags.all) return found
      if (this.jsonEnabled()) items.push(...found.items)
      if (found.next === null) return { items, next: null }
      cursor = found.next
    }
  }

  /** Prints one thing member by member, with --quiet its id alone. */
  protected logFacts({ quiet }: Pick<ListFlags, 'quiet'>, id: string, list: readonly Fact[]): void {
    this.log(quiet ? id : facts(list))
  }

  /** Prints what an import took over, or each conflict that kept it from taking anything. Answers the `--json` document. */
  protected endImport<Done extends ImportOutcome>(done: Done, remarks: readonly string[], next: string): Done {
    if (done.conflicts.length > 0) {
      this.logTable(done.conflicts, CONFLICTS)
      this.say(`conflicts: ${done.conflicts.length}; nothing was changed`)
      return this.endNegative(done)
    }
    this.logTable(done.rows, IMPORTED_ROWS)
    for (const remark of remarks) this.say(remark)
    this.say(done.dry_run ? 'nothing was changed; repeat it without --dry-run' : `next: ${next}`)
    return done
  }

  /** Ends with the exit code of a negative outcome; with --json the document comes first. */
  protected endNegative(document: unknown): never {
    if (this.jsonEnabled()) this.logJson(document)
    return this.exit(EXIT.negative)
  }

  /** After the answer, on stderr: amounts of another chain than the main one are named so, whatever the command printed. */
  protected override async finally(thrown: Error | undefined): Promise<void> {
    const notice = thrown === undefined && this.chain !== undefined ? chainNotice(this.chain) : null
    if (notice !== null) this.say(notice)
    await super.finally(thrown)
  }

  /** With `--json` the answer gets the member `chain`. */
  protected override toSuccessJson(result: unknown): unknown {
    const isObject = typeof result === 'object' && result !== null && !Array.isArray(result)
    return isObject && this.chain !== undefined ? { ...result, chain: this.chain } : result
  }

  /**
   * One line on stderr, or one document on stdout with --json; then the exit code. oclif's own way loses the code
   * under --json and prints the whole parser input, tokens from the environment included.
   */
  protected override async catch(thrown: Error): Promise<never> {
    if (thrown instanceof Errors.ExitError) throw thrown
    const failure = failureOf(thrown)
    // --json asks for JSON output even where a command has no such flag, or one of its own.
    if (this.jsonEnabled() || this.argv.includes('--json')) this.logJson({ error: failure })
    else process.stderr.write(`${failureLine(failure)}\n`)
    if (this.argv.includes('--verbose')) process.stderr.write(stacksOf(thrown))
    throw new Errors.ExitError(failure.exit)
  }

  /** Exactly the text: oclif would read a percent sign of a memo as a format. */
  override log(message = ''): void {
    this.progress?.clear()
    if (!this.jsonEnabled()) process.stdout.write(`${message}\n`)
  }

  override logToStderr(message = ''): void {
    this.progress?.clear()
    if (!this.jsonEnabled()) process.stderr.write(`${message}\n`)
  }

  /** JSON is never coloured, so that it can be copied from a terminal. */
  override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`)
  }
}

const LARGEST_PAGE = 200

/** What the documents of all imports have. */
interface ImportOutcome {
  readonly dry_run: boolean
  readonly rows: readonly { readonly kind: string; readonly added: number; readonly known: number }[]
  readonly conflicts: readonly { readonly place: string; readonly what: string }[]
}

const IMPORTED_ROWS: readonly Column<ImportOutcome['rows'][number]>[] = [
  { title: 'ROWS OF', value: ({ kind }) => kind },
  { title: 'NEW', value: ({ added }) => added },
  { title: 'KNOWN', value: ({ known }) => known },
]
const CONFLICTS: readonly Column<ImportOutcome['conflicts'][number]>[] = [
  { title: 'AT', value: ({ place }) => place },
  { title: 'CONFLICT', value: ({ what }) => what, shrinks: true },
]

interface PageQuery {
  readonly limit: number
  readonly cursor: string | undefined
}

interface ListFlags {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly all: boolean
  readonly quiet: boolean
}

/** What --quiet prints of a row: the column with its id. */
const idIn =
  <Item>(columns: readonly Column<Item>[]) =>
  (item: Item): string =>
    String(columns.find(({ id }) => id)?.value(item) ?? '')

/** Of a failure, and of what led to it. */
function stacksOf(thrown: unknown, lead = ''): string {
  if (!(thrown instanceof Error)) return ''
  return `${lead}${thrown.stack ?? thrown.message}\n${stacksOf(thrown.cause, 'because of ')}`
}

/** Without the admin token, and of a till that is older than short ids. */
const isNotSearched = ({ status, code }: GrinpayError): boolean =>
  status === 401 || status === 404 || code === 'TOKEN_NOT_CONFIGURED'

/** A command that asks the running daemon. */
export abstract class ApiCommand extends BaseCommand {
  static override enableJsonFlag = true
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    till: Flags.string({
      description: 'a saved till (grinpay till add)',
      helpGroup: 'TILL',
      helpValue: 'NAME',
      exclusive: ['url', 'settings'],
    }),
    url: Flags.string({ description: 'address of the till (or GRINPAY_URL)', helpGroup: 'TILL', helpValue: 'URL' }),
    'token-file': Flags.string({
      description: 'file with the token, - for stdin (or GRINPAY_TOKEN_FILE)',
      helpGroup: 'TILL',
      helpValue: 'FILE',
    }),
    settings: settingsFlag('settings of the daemon, for its address and tokens (or GRINPAY_ENV_FILE)', {
      helpGroup: 'TILL',
    }),
  }

  protected async api(flags: SessionFlags): Promise<InvoicingClient> {
    const { openApiSession } = await import('./api-session.js')
    const { client, chosen } = await openApiSession(flags, {
      around: (work) => this.waiting('asking the till', work),
      onChain: (chain) => {
        this.chain = chain
      },
    })
    if (chosen !== undefined) this.say(`till ${chosen}: ${client.baseUrl}`)
    return client
  }

  /**
   * The whole id of one that may be shortened; as typed where no id begins with it, and where the till does not search, so that it is
   * "not found" as ever. Throws ID_AMBIGUOUS.
   */
  protected async wholeId(api: InvoicingClient, kind: 'invoice' | 'payment' | 'event', typed: string): Promise<string> {
    const { wholeId } = await import('../client/index.js')
    return wholeId(kind, typed, async (prefix) => {
      try {
        return await api.ids(kind, prefix)
      } catch (thrown) {
        if (!(thrown instanceof GrinpayError) || !isNotSearched(thrown)) throw thrown
        this.note(`"${typed}" is taken for a whole id: short ones need the admin token, and a till that knows them`)
        return []
      }
    })
  }

  /** Asks the daemon; when it does not run on this machine, `look` reads its files instead. */
  protected async askOrLook<T>(
    flags: SessionFlags,
    ask: (api: InvoicingClient) => Promise<T>,
    look: (environment: Environment) => Promise<T>,
  ): Promise<T> {
    try {
      return await ask(await this.api(flags))
    } catch (thrown) {
      const { chainOf, localSettings } = await import('./api-session.js')
      const isDown = thrown instanceof GrinpayError && ['DAEMON_UNREACHABLE', 'TOKEN_MISSING'].includes(thrown.code)
      const environment = isDown ? await localSettings(flags) : undefined
      if (!environment) throw thrown
      const answer = await look(environment)
      this.chain = chainOf(environment)
      this.say(`read from the files of the till, because: ${messageOf(thrown)}`)
      return answer
    }
  }
}
