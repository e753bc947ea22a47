// Clients that ask for more than anybody needs.
import { expect, test } from 'vitest'
import { relaySettings } from '../support/relay-parts.js'
import { aSession } from '../support/relay-session.js'

test('the values of all filters of a request count together', async () => {
  const session = aSession({ settings: relaySettings({ limits: { maxFilterValues: 10 } }) })
  const six = { kinds: [1, 2, 3, 4, 5, 6] }
  session.say(['REQ', 'one', six])
  session.say(['REQ', 'two', six, six])
  session.say(['COUNT', 'three', six, six])
  expect((await session.answered()).map(([verb, id]) => `${verb} ${id}`)).toEqual([
    'EOSE one',
    'CLOSED two',
    'CLOSED three',
  ])
})
