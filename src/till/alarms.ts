// Things an operator must look at, until they are over. In memory: what still holds is found again by the next pass.
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
