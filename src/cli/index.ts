export { SETTLEMENT_WORDS } from '../lib/payment-words.js'
export { ApiCommand, BaseCommand } from './base-command.js'
export { ConsoleCommand, consoleName } from './console-command.js'
export { endedOtherwise, needsConfirmation, usage } from './errors.js'
export { EXIT } from './exit-codes.js'
export { type Fact, facts, findingLine } from './facts.js'
export { fishCompletion } from './fish-completion.js'
export {
  answerFlags,
  createdFlags,
  daemonFlag,
  outputFile,
  receiverFlag,
  sandboxFlags,
  serveFlags,
  settingsFlag,
} from './flags.js'
export { hasRoomForKeys, NameCommand, reasonFlag, rowsFlag, storeFlag, yesFlag } from './name-command.js'
export { allItems, type ItemList, pageFlags, wholeList } from './paging.js'
export { statusTint } from './paint.js'
export { exactlyOne, RelayCommand, relayListFlags, relayListTable } from './relay-command.js'
export { composeFlags, InstallCommand, printedFiles, unitFlags } from './service-files.js'
export { type Settlements, settlementsOf, wordOfInvoice } from './settlements.js'
export { answerFlagsOf, programOf, SetupCommand, setupFlags } from './setup-command.js'
export { type Column, table } from './table.js'
export { canAsk, confirm, terminalWidth } from './terminal.js'
export {
  createdBetween,
  grinText,
  parseAmount,
  parseDuration,
  parseEpoch,
  parseMilliseconds,
  reasonOf,
  sinceMoment,
} from './values.js'
export { openClock, stopSignal, waitForInvoice, wordOf } from './wait.js'

// The parts that load the settings schema or a server, on demand.
export const openSettings = () => import('./settings.js')
export const openPartialSettings = () => import('./partial-settings.js')
/** Names of tills, and what is checked before one is kept. */
export const openProfiles = async () => ({
  ...(await import('./profiles.js')),
  checkedUrl: (await import('./api-session.js')).checkedUrl,
  ...(await import('./secret-file.js')),
})
/** What `status` shows. */
export const openStatus = async () => ({
  collect: (await import('./status-daemons.js')).collect,
  isWell: (await import('./status-report.js')).isWell,
  statusText: (await import('./status-text.js')).statusText,
})
export const openListening = () => import('./listen.js')
