// Relays and nodes as the till sees them, and what waits for them.
import { type ConsolePage, clip, REFRESH_SECONDS, type Tag } from '../../console/index.js'
import type { RelayState } from '../api.js'
import { OUTCOMES, span } from './labels.js'
import type { TillView } from './view.js'

const LONGEST_ERROR = 160

export const networkPage = (till: TillView): ConsolePage => ({
  path: '/network',
  title: 'Relays and nodes',
  least: 'viewer',
  navigation: { label: 'Relays and nodes', order: 50 },
  scripts: ['live.js'],
  async render({ view }) {
    const { node, tipTime, relays, inbox, messages, checks } = await till.health()
    const body = view('till/network', {
      setup: till.setup,
      node,
      tipTime: tipTime ?? null,
      relays: relays.map((relay) => ({
        ...relay,
        tag: relayTag(relay),
        roundTripMs: relay.roundTripMs && Math.round(relay.roundTripMs),
        lastError: clip(relay.lastError ?? '', LONGEST_ERROR),
      })),
      inbox,
      outcomes: Object.entries(inbox?.outcomes ?? {}).map(([outcome, count]) => ({
        label: OUTCOMES[outcome] ?? outcome,
        count,
      })),
      messages,
      oldestMessage: span(messages.oldestSeconds),
      checks,
    })
    return { body, refreshSeconds: REFRESH_SECONDS }
  },
})

const STATES: Readonly<Record<RelayState['state'], Tag>> = {
  connected: { text: 'connected', tone: 'warn' },
  connecting: { text: 'connecting', tone: 'warn' },
  waiting: { text: 'waiting', tone: 'bad' },
  shunned: { text: 'shunned', tone: 'bad' },
}

/** Only one that was asked for everything brings messages. */
const relayTag = ({ state, subscribed }: RelayState): Tag =>
  state === 'connected' && subscribed ? { text: 'listening', tone: 'good' } : STATES[state]
