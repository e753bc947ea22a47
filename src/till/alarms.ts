// Things an operator must look at, until they are over. In memory: what still holds is found again by the next pass.
import { z } from 'zod'
import { parseJson } from '../lib/parse-json.js'
import type { Bell } from './parts.js'

export interface Alarms {
  raise(subject: string, text: string): boolean
  /** False when there was none. */
  clear(subject: string): boolean
  /** Text by subject. */
  entries(): ReadonlyMap<string, string>
}

/** As an operator reads them. */
export const alarmTexts = (alarms: Alarms): readonly string[] =>
  [...alarms.entries()].map(([subject, text]) => `${subject}: ${text}`)

/** An alarm about a payment goes by this name. */
export const alarmSubject = (paymentId: string): string => `payment ${paymentId}`

/** More than this many would say nothing more. */
const MAX_ALARMS = 100

/** `raise` answers whether the alarm is new. */
export function createAlarms(): Alarms {
  const texts = new Map<string, string>()
  return {
    raise(subject, text) {
      const isNew = texts.get(subject) !== text
      if (texts.has(subject) || texts.size < MAX_ALARMS) texts.set(subject, text)
      return isNew
    },
    clear: (subject) => texts.delete(subject),
    entries: () => texts,
  }
}

// Alarms of several instances on one database. Any of them may look at a payment next: each shows what all have raised, and the one that finds
// a cause gone clears the alarm of the one that raised it.

/** Milliseconds between two repetitions of what an instance has raised. */
export const REPEAT_ALARMS_MS = 10_000
/** An alarm that another instance repeats no longer has ended with that instance, or the message of its end was lost. */
const SILENT_MS = 3.5 * REPEAT_ALARMS_MS
const RAISED = 'alarm:'
const CLEARED = 'alarm-over:'
/** Characters of a text, so that a message stays small. */
const MOST_TEXT = 400
/** Alarms of other instances; an instance has at most 100. */
const MOST_OTHERS = 400
const MESSAGE = z.tuple([z.string(), z.string()])

export interface SharedAlarms extends Alarms {
  /** Says again to the other instances what this one has raised. */
  repeat(): void
}

/** `own` stays what this process has raised itself. */
export function shareAlarms(own: Alarms, bell: Bell, now: () => number): SharedAlarms {
  const others = new Map<string, { readonly text: string; readonly heardAt: number }>()

  const say = (subject: string, text: string) =>
    bell.ring(`${RAISED}${JSON.stringify([subject, text.slice(0, MOST_TEXT)])}`)

  function hear(message: string): void {
    const { data } = MESSAGE.safeParse(parseJson(message))
    if (!data) return
    const [subject, text] = data
    if (others.has(subject) || others.size < MOST_OTHERS) others.set(subject, { text, heardAt: now() })
  }

  bell.listen((topic) => {
    if (topic?.startsWith(RAISED)) hear(topic.slice(RAISED.length))
    if (topic?.startsWith(CLEARED)) forget(topic.slice(CLEARED.length))
  })

  function forget(subject: string): boolean {
    const wasOther = others.delete(subject)
    return own.clear(subject) || wasOther
  }

  function dropSilent(): void {
    for (const [subject, { heardAt }] of others) if (Math.abs(now() - heardAt) > SILENT_MS) others.delete(subject)
  }

  return {
    raise(subject, text) {
      dropSilent()
      const isKnown = others.get(subject)?.text === text.slice(0, MOST_TEXT)
      const isNew = own.raise(subject, text)
      if (isNew) say(subject, text)
      return isNew && !isKnown
    },
    clear(subject) {
      const wasThere = forget(subject)
      if (wasThere) bell.ring(`${CLEARED}${subject}`)
      return wasThere
    },
    entries() {
      dropSilent()
      return new Map([...[...others].map(([subject, { text }]) => [subject, text] as const), ...own.entries()])
    },
    repeat() {
      for (const [subject, text] of own.entries()) say(subject, text)
    },
  }
}
