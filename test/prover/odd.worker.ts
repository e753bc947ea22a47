// A worker with a temper, for the pool's tests: answers, fails, hangs or dies as asked.
import { defineError } from '../../src/lib/errors.js'
import { serveRequests } from '../../src/prover/node.js'

export type OddRequest = { do: 'answer'; value: number } | { do: 'refuse' | 'break' | 'hang' | 'exit' }

const refused = defineError('ODD_REFUSAL', { status: 422, text: () => 'not today', hint: 'ask tomorrow' })

function hang(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function answer(request: OddRequest): number {
  if (request.do === 'refuse') throw refused()
  if (request.do === 'break') throw new TypeError('a bug')
  if (request.do === 'hang') hang()
  if (request.do === 'exit') process.exit(3)
  return request.do === 'answer' ? request.value * 2 : 0
}

serveRequests({ warm: () => {}, answer })
