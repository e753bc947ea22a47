// The person at the terminal, for the questions of the name authority.
import { confirm } from '@inquirer/prompts'
import { orEnd } from '../end-of-input.js'
import { askForm } from '../form.js'
import type { NameauthTerminal } from './setup.js'

export const createNameauthTerminal = (): NameauthTerminal => ({
  ask: askForm,
  goOn: async (message) => (await orEnd((context) => confirm({ message, default: true }, context))) ?? true,
})
