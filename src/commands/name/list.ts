import { Flags } from '@oclif/core'
import type { NameView, ReservedView } from '../../authority/admin/index.js'
import { type Column, examplesOf, hasRoomForKeys, type ItemList, NameCommand, pageFlags } from '../../cli/index.js'

export const COLUMNS: readonly Column<NameView>[] = [
  { title: 'NAME', id: true, value: ({ name }) => name },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'SINCE', value: ({ created_at }) => created_at, spare: 1 },
  { title: 'NPUB', value: ({ npub }) => npub, shrinks: true, spare: 0 },
]
const KEY: Column<NameView> = { title: 'PUBKEY', value: ({ pubkey }) => pubkey }

export const KEPT_BACK: readonly Column<ReservedView>[] = [
  { title: 'NAME', id: true, value: ({ name }) => name },
  { title: 'SINCE', value: ({ created_at }) => created_at, spare: 1 },
  { title: 'REASON', value: ({ reason }) => reason, shrinks: true },
]

export default class NameList extends NameCommand {
  static override summary = 'list names and their holders'
  static override description =
    'In alphabetical order. --status active includes suspended names. --reserved lists what "name reserve" reserved, not the built-in list nor NAMEAUTH_RESERVED_FILE.'
  static override examples = examplesOf(
    '--prefix shop',
    '--pubkey npub1… --json',
    '--status suspended --all',
    '--reserved',
  )
  static override flags = {
    ...pageFlags,
    status: Flags.option({ options: ['active', 'released', 'suspended'] as const, description: 'only this status' })(),
    pubkey: Flags.string({ description: 'only this key (npub or 64 hex)', helpValue: 'KEY' }),
    prefix: Flags.string({ description: 'only names with this prefix', helpValue: 'TEXT' }),
    reserved: Flags.boolean({
      description: 'list reserved names instead',
      exclusive: ['status', 'pubkey', 'prefix'],
    }),
  }

  async run() {
    const { flags } = await this.parse(NameList)
    const { status, pubkey, prefix } = flags
    const { readNames } = await import('../../daemons/name-admin.js')
    const columns = hasRoomForKeys() ? [...COLUMNS, KEY] : COLUMNS
    return readNames(await this.nameSettings(flags), async (admin): Promise<ItemList<NameView | ReservedView>> => {
      if (flags.reserved) return this.logPages((page) => admin.reserved(page), flags, KEPT_BACK)
      return this.logPages((page) => admin.names({ status, pubkey, prefix }, page), flags, columns)
    })
  }
}
