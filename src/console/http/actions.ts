// Mounting an action: guard, token of the form, fields, second step, audit entry before and after, redirect.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GrinpayError } from '../../lib/errors.js'
import type { ActionOutcome, ActionRequest, Confirmation, ConsoleAction } from '../area.js'
import { foreignForm } from '../errors.js'
import type { SignedIn } from '../sign-in/sign-in.js'
import { isSeal, sealOf } from '../sign-in/tokens.js'
import { type ConsoleContext, pageRequest, pathOf } from './context.js'
import { withFlash } from './flash.js'
import { FACTS_FIELD, rawForm, readForm } from './form.js'
import { auditRefusal, guard, signedInOf } from './guard.js'
import { personFor } from './person.js'
import { TOKEN_FIELD } from './ui.js'

export function mountAction(app: FastifyInstance, context: ConsoleContext, action: ConsoleAction): void {
  app.post(action.path, { onRequest: guard(context, action.least, action.id) }, async (request, reply) => {
    const signedIn = signedInOf(request, context)
    const body = rawForm(request.body)
    await requireToken(request, context, { signedIn, given: body[TOKEN_FIELD] ?? '', action: action.id })
    const form = readForm(body, action.fields)
    const { query: _, ...asked } = pageRequest(request, reply, context, signedIn)
    const asking: ActionRequest = { ...asked, form }
    if (action.confirm) {
      const confirmation = await action.confirm(asking)
      const facts = sealOf(signedIn.cookie, 'facts', JSON.stringify([pathOf(request), form, confirmation]))
      const given = body[FACTS_FIELD]
      if (given === undefined || !isSeal(given, facts)) {
        const changed = given !== undefined
        return askAgain(reply, context, { signedIn, action, confirmation, form, facts, changed, path: pathOf(request) })
      }
    }
    const outcome = await audited(context, signedIn, action, asking)
    return leave(reply, action, signedIn, outcome)
  })
}

interface TokenCheck {
  readonly signedIn: SignedIn
  readonly given: string
  readonly action: string
}

async function requireToken(request: FastifyRequest, context: ConsoleContext, check: TokenCheck): Promise<void> {
  const { signedIn, given, action } = check
  if (isSeal(given, sealOf(signedIn.cookie, 'form', pathOf(request)))) return
  const refusal = foreignForm()
  await auditRefusal(context, signedIn, { action, object: pathOf(request), code: refusal.code })
  throw refusal
}

interface SecondStep {
  readonly signedIn: SignedIn
  readonly action: ConsoleAction
  readonly confirmation: Confirmation
  readonly form: Readonly<Record<string, string>>
  /** The seal of these facts. */
  readonly facts: string
  /** The answer was given to other facts. */
  readonly changed: boolean
  readonly path: string
}

function askAgain(reply: FastifyReply, { frame }: ConsoleContext, step: SecondStep): FastifyReply {
  const { signedIn, confirmation, form, facts, changed, path } = step
  const fields = [
    ...Object.entries(form).filter(([, value]) => value !== ''),
    [TOKEN_FIELD, sealOf(signedIn.cookie, 'form', path)],
    [FACTS_FIELD, facts],
  ]
  const body = frame.view('parts/confirm', { ...confirmation, changed, path, fields })
  const page = { path, title: confirmation.question }
  return frame.send(reply, { content: { body }, page, person: personFor(signedIn) })
}

/** The entry stands before the action begins. An entry without an end is one whose daemon was stopped meanwhile. */
async function audited(
  { store, clock }: ConsoleContext,
  { session }: SignedIn,
  action: ConsoleAction,
  asking: ActionRequest,
): Promise<ActionOutcome> {
  const { name: person, role, id } = session
  const kept = (action.audited ?? []).map((field) => [field, asking.form[field] ?? ''] as const)
  const entry = await store.beginAudit({
    at: clock.now(),
    person,
    role,
    session: id,
    action: action.id,
    object: action.object(asking).slice(0, 200),
    values: Object.fromEntries(kept.filter(([, value]) => value !== '')),
  })
  const end = (outcome: string): Promise<void> => store.endAudit(entry, { at: clock.now(), outcome })
  const outcome = await action.perform(asking).catch(async (thrown: unknown) => {
    await end(thrown instanceof GrinpayError ? `refused: ${thrown.code}` : 'failed: INTERNAL')
    throw thrown
  })
  // Outside of the catch: what was done and could not be noted stays without an end, and is never called refused.
  await end(outcome.refused === undefined ? 'done' : `refused: ${outcome.refused}`)
  return outcome
}

function leave(
  reply: FastifyReply,
  { path }: ConsoleAction,
  { cookie }: SignedIn,
  { to, flash }: ActionOutcome,
): FastifyReply {
  if (!to.startsWith('/')) throw new RangeError(`${path} leads to no path of the console: ${to}`)
  return reply.redirect(`/console${withFlash(to, flash, cookie)}`, 303)
}
