// Colours: for terminals that want them, and for nothing else.
import { expect, test } from 'vitest'
import { paint, statusTint } from '../../src/cli/terminal.js'

const end = (isTTY: boolean, colours: boolean) => ({ isTTY, hasColors: () => colours })

test('a terminal with colours gets them, a pipe and NO_COLOR do not', () => {
  expect(paint('open', statusTint('open'), end(true, true))).toBe('\u001b[33mopen\u001b[39m')
  expect(paint('open', statusTint('open'), end(true, false))).toBe('open')
  expect(paint('open', statusTint('open'), end(false, true))).toBe('open')
  expect(paint('strange', statusTint('strange'), end(true, true))).toBe('strange')
})
