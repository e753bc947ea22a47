// Other instances of this till on one database, and how they tell each other of changes. A message may be lost: who waits also looks.
import type { Changes } from './invoices/waiting.js'

/** Short words to all instances, this one included; without line breaks, at most some hundred bytes. */
export interface Bell {
  ring(topic: string): void
  /** `heard` gets undefined when some may have been missed. Answers what ends the listening. */
  listen(heard: (topic: string | undefined) => void): () => void
}

const INVOICE = 'invoice:'

/** Announcements of every instance wake the waiters of this one. */
export function shareChanges(changes: Changes, bell: Bell): Changes {
  bell.listen((topic) => {
    if (topic?.startsWith(INVOICE)) changes.announce(topic.slice(INVOICE.length))
  })
  return {
    listen: changes.listen,
    announce(invoiceId) {
      changes.announce(invoiceId)
      bell.ring(`${INVOICE}${invoiceId}`)
    },
  }
}
