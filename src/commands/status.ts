import { Flags } from '@oclif/core'
import {
  ApiCommand,
  daemonFlag,
  EXIT,
  examplesOf,
  openClock,
  openStatus,
  parseMilliseconds,
  stopSignal,
  terminalWidth,
  usage,
} from '../cli/index.js'

/** Moves to the first line and clears what is below: a screen that is drawn again does not flicker. */
const REDRAW = '\u001b[H\u001b[J'

interface Watching<Daemon> {
  readonly textOf: (daemons: readonly Daemon[]) => string
  readonly isWell: (daemon: Daemon) => boolean
  readonly everyMs: number
}

export default class Status extends ApiCommand {
  static override summary = 'show the state of the daemons on this machine'
  static override description =
    `Per daemon: whether it runs and is ready. Till: alarms, node, relays, today's sums (UTC), open invoices, unmatched payments, webhooks. Name authority: names and offers. Relay: connections, events and queue (with metrics.bind). With --url or --till only that till; without a local daemon, or with --daemon pay, the till chosen by "till use". Exits 6 if a daemon is not ready, stopped or misconfigured.`
  static override examples = examplesOf('', '--watch', '--daemon relay --json')
  static override flags = {
    daemon: daemonFlag({
      description: 'the daemon; default: every daemon with settings here',
    }),
    watch: Flags.boolean({ description: 'refresh until Ctrl-C; with --json one document per line' }),
    every: Flags.string({
      description: 'interval of --watch (default 2s)',
      helpValue: 'DURATION',
      dependsOn: ['watch'],
    }),
  }

  async run() {
    const { flags } = await this.parse(Status)
    const everyMs = flags.every === undefined ? 2000 : parseMilliseconds(flags.every)
    if (everyMs < 500) throw usage(`--every ${flags.every} is too short: it takes 500ms and more`)
    const { collect, isWell, statusText } = await openStatus()
    if (flags.watch && flags['token-file'] === '-')
      throw usage('--watch reads the token again and again: name a file with --token-file, not -')
    let isToldOf = false
    const look = () =>
      collect(flags, flags.daemon, (name, address) => {
        if (!isToldOf) this.say(`till ${name}: ${address}`)
        isToldOf = true
      })
    if (flags.watch)
      return this.watch(look, { textOf: (daemons) => statusText(daemons, terminalWidth()), isWell, everyMs })
    const daemons = await this.waiting('asking the daemons', look)
    this.log(
      flags.quiet
        ? daemons
            .filter((daemon) => !isWell(daemon))
            .map(({ daemon }) => daemon)
            .join('\n')
        : statusText(daemons, terminalWidth()),
    )
    if (daemons.every(isWell)) return { items: daemons, next: null }
    return this.endNegative({ items: daemons, next: null })
  }

  /** Until Ctrl-C, which ends it with the exit code of the last look. */
  private async watch<Daemon>(
    look: () => Promise<readonly Daemon[]>,
    { textOf, isWell, everyMs }: Watching<Daemon>,
  ): Promise<never> {
    const { done, stop } = stopSignal()
    const clock = openClock()
    const over = new AbortController()
    void done.then(() => over.abort())
    const redraw = terminalWidth() === undefined ? '' : REDRAW
    let daemons: readonly Daemon[] = []
    try {
      while (!over.signal.aborted) {
        daemons = await look()
        if (over.signal.aborted) break
        if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify({ items: daemons, next: null })}\n`)
        else this.log(`${redraw}${textOf(daemons)}\n`)
        await clock.sleep(everyMs, over.signal).catch(() => undefined)
      }
    } finally {
      stop()
    }
    return this.exit(daemons.every(isWell) ? EXIT.ok : EXIT.negative)
  }
}
