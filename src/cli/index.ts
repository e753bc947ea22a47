export { SETTLEMENT_WORDS } from '../lib/payment-words.js'
export { ApiCommand, BaseCommand } from './base-command.js'
export {
  CONSOLE_ROLES,
  ConsoleCommand,
  consoleName,
  exactlyOne,
  hasRoomForKeys,
  NameCommand,
  nameArg,
  RelayCommand,
  reasonFlag,
  relayListFlags,
  relayListTable,
  rowsFlag,
  storeFlag,
  yesFlag,
} from './daemon-commands.js'
export { endedOtherwise, needsConfirmation, usage } from './errors.js'
export { EXIT } from './exit-codes.js'
export { fishCompletion } from './fish-completion.js'
export {
  answerFlags,
  createdFlags,
  daemonFlag,
  examplesOf,
  idArg,
  outputFile,
  receiverFlag,
  sandboxFlags,
  serveFlags,
  settingsFlag,
} from './flags.js'
export { composeFlags, InstallCommand, PrintCommand, unitFlags } from './service-files.js'
export { answerFlagsOf, programOf, SetupCommand, setupFlags } from './setup-command.js'
export {
  allItems,
  type Column,
  type Fact,
  facts,
  findingLine,
  type ItemList,
  pageFlags,
  table,
  wholeList,
} from './table.js'
export { canAsk, confirm, statusTint, terminalWidth } from './terminal.js'
export {
  amountText,
  createdBetween,
  parseAmount,
  parseDuration,
  parseEpoch,
  parseMilliseconds,
  readableByOthers,
  readSecretFile,
  reasonOf,
  sinceMoment,
} from './values.js'
export {
  openClock,
  type Settlements,
  settlementsOf,
  statusWord,
  stopSignal,
  waitForInvoice,
  wordOfInvoice,
} from './wait.js'

// The parts that load the settings schema or a server, on demand.
export const openSettings = () => import('./settings.js')
export const openPartialSettings = () => import('./partial-settings.js')
/** Names of tills, and what is checked before one is kept. */
export const openProfiles = async () => ({
  ...(await import('./profiles.js')),
  tillUrl: (await import('./api-session.js')).tillUrl,
})
/** What `status` shows. */
export const openStatus = async () => ({
  collect: (await import('./status-daemons.js')).collect,
  isWell: (await import('./status-report.js')).isWell,
  statusText: (await import('./status-report.js')).statusText,
})
export const openListening = () => import('./listen.js')
