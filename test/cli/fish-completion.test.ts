// The file that fish reads: every command and flag, and no text that fish would run.
import { expect, test } from 'vitest'
import { fishCompletion } from '../../src/cli/fish-completion.js'

const flag = (over: object) => ({ name: 'json', type: 'boolean', ...over })
const text = fishCompletion(
  [{ name: 'invoice', description: "the shop's" }],
  [
    { id: 'status', summary: 'show', flags: { json: flag({}), secret: flag({ name: 'secret', hidden: true }) } },
    {
      id: 'invoice:list',
      summary: "it's $(touch x) \\ all",
      flags: {
        status: flag({ name: 'status', type: 'option', options: ['open', 'paid'] }),
        settings: flag({ name: 'settings', type: 'option', description: 'a file' }),
        quiet: flag({ name: 'quiet', char: 'q' }),
      },
    },
    { id: 'hidden', hidden: true, flags: {} },
  ],
)

test('topics and commands are words of their place', () => {
  expect(text).toContain("complete -c grinpay -n '__grinpay_at' -a 'invoice' -d 'the shop\\'s'\n")
  expect(text).toContain("complete -c grinpay -n '__grinpay_at' -a 'status' -d 'show'\n")
  expect(text).toContain("complete -c grinpay -n '__grinpay_at invoice' -a 'list'")
  expect(text).not.toContain('hidden')
  expect(text).not.toContain('secret')
})

test('flags come with their command, with their values or with files', () => {
  expect(text).toContain("-n '__grinpay_in invoice list' -l status -x -a 'open paid'")
  expect(text).toContain("-n '__grinpay_in invoice list' -l settings -r -F -d 'a file'")
  expect(text).toContain("-n '__grinpay_in invoice list' -l quiet -s q -d ''")
})

test('what stands in a text stays text', () => {
  expect(text).toContain("-d 'it\\'s $(touch x) \\\\ all'")
})

test('words of a list are offered in the place of the argument, and flags of a command not below it', () => {
  const some = fishCompletion(
    [],
    [
      { id: 'sandbox', flags: { once: flag({ name: 'once' }) } },
      { id: 'sandbox:pay', flags: {} },
      { id: 'completion', flags: {}, args: { shell: { options: ['fish'] } } },
      { id: 'help', description: 'display help', flags: {} },
    ],
  )
  expect(some).toContain("-n '__grinpay_in sandbox; and not __grinpay_in sandbox pay' -l once")
  expect(some).toContain("complete -c grinpay -n '__grinpay_at completion' -a 'fish'")
  expect(some).toContain("-a 'help' -d 'display help'")
})
