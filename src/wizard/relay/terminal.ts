// The person at the terminal, for the questions of the relay.
import { confirm } from '@inquirer/prompts'
import { orEnd } from '../end-of-input.js'
import { askForm } from '../form.js'
import type { RelayTerminal } from './setup.js'

export const createRelayTerminal = (): RelayTerminal => ({
  ask: askForm,
  goOn: async (message) => (await orEnd((context) => confirm({ message, default: true }, context))) ?? true,
})
