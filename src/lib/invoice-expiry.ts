// How long an invoice may be open (specification: invoicing, 2.3): the till, its schema and the command that asks it use these limits.

/** `expiry_secs`, in seconds: one minute to one year of 365 days, both included. */
export const INVOICE_EXPIRY = { least: 60, most: 31_536_000 } as const
