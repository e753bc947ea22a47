// The write policy as a plugin of another relay: one question per line in, one answer per line out (specification: relay, 7).
import { objectOf, parseJson } from '../../lib/parse-json.js'
import type { Decision, WritePolicy, WriteRequest } from '../ports.js'
import { createLines } from './plugin/lines.js'
import { POLICY_ERROR } from './policy.js'
import type { PolicyRequest } from './rules.js'

/** Bytes of a question. Longer lines are refused unread; events have at most 128 KiB. */
const MOST_QUESTION = 1024 * 1024

interface Answer {
  readonly id: string
  readonly action: Decision['action']
  readonly msg: string
}

const UNREADABLE: Answer = { id: '', action: 'reject', msg: POLICY_ERROR }

export interface ProgramParts {
  /** The rules of this policy check the type of every member of an event. */
  readonly policy: Pick<WritePolicy, 'refusalFor' | 'ask'>
  readonly input: AsyncIterable<Buffer>
  /** Called with one whole line, to be flushed at once. */
  readonly write: (line: string) => void
}

/** Answers one question after the other until the input ends. */
export async function runPolicyProgram({ policy, input, write }: ProgramParts): Promise<void> {
  const read: (string | undefined)[] = []
  const lines = createLines({
    most: MOST_QUESTION,
    line: (text) => void read.push(text),
    tooLong: () => void read.push(undefined),
  })

  async function answerAll(): Promise<void> {
    for (const text of read.splice(0)) {
      if (text?.trim() === '') continue
      const answer = text === undefined ? UNREADABLE : await answerTo(policy, text)
      write(`${JSON.stringify(answer)}\n`)
    }
  }

  for await (const chunk of input) {
    lines.take(chunk)
    await answerAll()
  }
  lines.end()
  await answerAll()
}

/** Never rejects. */
async function answerTo(policy: ProgramParts['policy'], text: string): Promise<Answer> {
  const question = parseJson(text)
  if (typeof question !== 'object' || question === null || Array.isArray(question)) return UNREADABLE
  const { event } = objectOf(question)
  const { id } = objectOf(event)
  const decision = await decide(policy, writingOf(question))
  const msg = decision.action === 'reject' ? decision.message : ''
  return { id: typeof id === 'string' ? id : '', action: decision.action, msg }
}

async function decide(policy: ProgramParts['policy'], writing: PolicyRequest): Promise<Decision> {
  // The policy checks the type of each member before it reads it.
  const request = writing as WriteRequest
  const message = policy.refusalFor(request)
  if (message !== undefined) return { action: 'reject', message }
  return policy.ask ? policy.ask(request) : { action: 'accept' }
}

function writingOf(question: object): PolicyRequest {
  const { event, authed, sourceInfo } = objectOf(question)
  return {
    event: event as PolicyRequest['event'], // rule 0 looks whether it is one
    authed: typeof authed === 'string' ? [authed] : [],
    source: { info: typeof sourceInfo === 'string' ? sourceInfo : '' },
  }
}
