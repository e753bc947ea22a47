// Figures of a running relay, from its metrics page.

const METRICS = {
  heap: 'nodejs_heap_size_used_bytes',
  readerAnswers: 'grinpay_relay_reader_answers_total',
  readerWaiting: 'grinpay_relay_reader_waiting',
  readersReplaced: 'grinpay_relay_readers_replaced_total',
  connections: 'grinpay_relay_connections',
  storedEvents: 'grinpay_relay_stored_events',
} as const
export type RelayCounts = Readonly<Record<keyof typeof METRICS, number>>

/** Throws when the relay does not answer. */
export async function countsOf(address: string): Promise<RelayCounts> {
  const page = await (await fetch(`http://${address}/metrics`)).text()
  const numberOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN)
  return Object.fromEntries(Object.entries(METRICS).map(([key, name]) => [key, numberOf(name)])) as RelayCounts
}
