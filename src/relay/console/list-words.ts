// The operator's lists in words: what an entry is, what adding and removing does. The order is that of the page.
import type { ListName } from '../policy/index.js'

export interface ListWords {
  /** Of the choice and the heading. */
  readonly title: string
  /** One entry: "key". */
  readonly noun: string
  /** "Key" */
  readonly label: string
  readonly placeholder: string
  readonly meaning: string
  /** In questions, buttons and flashes. */
  readonly add: OperationWords
  readonly remove: OperationWords
}

interface OperationWords {
  /** "Ban this key" */
  readonly verb: string
  readonly consequence: string
  /** "is banned" */
  readonly state: string
}

const SOON = 'The relay follows within seconds.'
const KEY = 'npub1… or 64 hex digits'

export const LIST_WORDS: Readonly<Record<ListName, ListWords>> = {
  bannedKeys: {
    title: 'Banned keys',
    noun: 'key',
    label: 'Key',
    placeholder: KEY,
    meaning: 'Events of these keys are refused. What they published before stays.',
    add: {
      verb: 'Ban this key',
      consequence: `New events of this key are refused; stored ones stay. ${SOON} The ban can be lifted.`,
      state: 'is banned',
    },
    remove: {
      verb: 'Lift this ban',
      consequence: `The key may publish again, as the write policy allows. ${SOON}`,
      state: 'is no longer banned',
    },
  },
  bannedKinds: {
    title: 'Banned kinds',
    noun: 'kind',
    label: 'Kind',
    placeholder: '0 to 65535',
    meaning: 'Events of these kinds are refused, also where the settings accept them.',
    add: {
      verb: 'Ban this kind',
      consequence: `New events of this kind are refused from everyone; stored ones stay. ${SOON} The ban can be lifted.`,
      state: 'is banned',
    },
    remove: {
      verb: 'Lift this ban',
      consequence: `Events of this kind are accepted where the settings accept them. ${SOON}`,
      state: 'is no longer banned',
    },
  },
  blockedAddresses: {
    title: 'Blocked addresses',
    noun: 'address',
    label: 'Address',
    placeholder: '203.0.113.7 or 203.0.113.0/24',
    meaning: 'Clients of these addresses and networks may not connect. Users of Tor share addresses.',
    add: {
      verb: 'Block this address',
      consequence: `New connections from there are refused, and events of open ones. All clients behind a shared address are shut out, such as users of one Tor exit. ${SOON}`,
      state: 'is blocked',
    },
    remove: {
      verb: 'Unblock this address',
      consequence: `Clients from there may connect again. ${SOON}`,
      state: 'is no longer blocked',
    },
  },
  bannedEvents: {
    title: 'Banned events',
    noun: 'event',
    label: 'Event',
    placeholder: '64 hex digits',
    meaning: 'These events were deleted and are not accepted again.',
    add: {
      verb: 'Delete and ban this event',
      consequence:
        'The event is deleted from the database and not accepted again. Lifting the ban does not bring it back.',
      state: 'is banned',
    },
    remove: {
      verb: 'Lift this ban',
      consequence: 'The event is accepted when a client publishes it again. It does not come back by itself.',
      state: 'is no longer banned',
    },
  },
  allowedKeys: {
    title: 'Allowed keys',
    noun: 'key',
    label: 'Key',
    placeholder: KEY,
    meaning: 'These keys may publish where only listed keys may, public notes included.',
    add: {
      verb: 'Allow this key',
      consequence: `The key may publish where only listed keys may, public notes included. ${SOON}`,
      state: 'is allowed',
    },
    remove: {
      verb: 'Take this key off the list',
      consequence: `The key may publish only what the settings allow everyone or name it for. ${SOON}`,
      state: 'is off the list',
    },
  },
  allowedKinds: {
    title: 'Allowed kinds',
    noun: 'kind',
    label: 'Kind',
    placeholder: '0 to 65535',
    meaning: 'Events of these kinds are accepted beside those of the settings.',
    add: {
      verb: 'Allow this kind',
      consequence: `Events of this kind are accepted from everyone who may publish. ${SOON}`,
      state: 'is allowed',
    },
    remove: {
      verb: 'Take this kind off the list',
      consequence: `Events of this kind are refused unless the settings accept them; stored ones stay. ${SOON}`,
      state: 'is off the list',
    },
  },
  admins: {
    title: 'Managers',
    noun: 'key',
    label: 'Key',
    placeholder: KEY,
    meaning: 'These keys may manage the relay over HTTP (NIP-86), beside those of the settings.',
    add: {
      verb: 'Make this key a manager',
      consequence:
        'The holder of this key can ban and allow, and change name and description of the relay, from anywhere.',
      state: 'manages the relay',
    },
    remove: {
      verb: 'Remove this manager',
      consequence: `The key can no longer manage the relay, unless the settings name it. ${SOON}`,
      state: 'no longer manages the relay',
    },
  },
}

/** Undefined for anything else. */
export const listNamed = (text: string | undefined): ListName | undefined => LIST_NAMES.find((name) => name === text)

export const LIST_NAMES = Object.keys(LIST_WORDS) as readonly ListName[]
