/** What the hammer prints: each was promised durable before the line was written. */
export type Acknowledged =
  | { readonly verb: 'open' }
  | { readonly verb: 'invoice'; readonly id: string }
  | { readonly verb: 'once'; readonly orderRef: string }
  | { readonly verb: 'key'; readonly index: number }
  | { readonly verb: 'paid'; readonly invoice: string; readonly payment: string; readonly keyIndex: number }
  | { readonly verb: 'unmatched'; readonly payment: string; readonly keyIndex: number }
  | { readonly verb: 'confirmed'; readonly payment: string }
  | { readonly verb: 'abandoned'; readonly payment: string }
  | { readonly verb: 'delivered'; readonly event: string }
  | { readonly verb: 'issued'; readonly slate: string }
  | { readonly verb: 'posted'; readonly payment: string }
  | { readonly verb: 'seen'; readonly id: string }

/** Whole lines only: the last one may have been cut by the kill. */
export const parseAcks = (printed: string): readonly Acknowledged[] =>
  printed
    .slice(0, printed.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Acknowledged)
