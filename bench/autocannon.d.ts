// The parts of autocannon that the benches use; it ships no types.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections?: number
    /** Seconds. */
    readonly duration?: number
    readonly overallRate?: number
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** One after the other, instead of the address alone. */
    readonly requests?: readonly { readonly path: string; readonly headers?: Readonly<Record<string, string>> }[]
  }
  interface Result {
    readonly duration: number
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
    readonly statusCodeStats?: Readonly<Record<string, { readonly count: number }>>
    readonly requests: { readonly total: number }
    readonly latency: { readonly p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
