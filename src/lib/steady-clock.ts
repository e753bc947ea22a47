// A clock that does not trust jumps: when the wall clock leaps against the monotonic clock, time continues as before until the leap is accepted.

interface PlainClock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment; never set, never back. */
  monotonic(): number
}

/** How the wall clock stands against the time that is still counted on. */
export interface ClockJump {
  /** What the wall clock says, epoch milliseconds. */
  readonly wall: number
  /** Milliseconds by which it leapt; negative: back. */
  readonly byMs: number
  /** How long it has stood there, in monotonic milliseconds. */
  readonly forMs: number
  /** It was there before this process: the clock was wrong already at the start. */
  readonly fromStart: boolean
}

export interface SteadyClock extends PlainClock {
  /** The jump that is not accepted yet. */
  pendingJump(): ClockJump | undefined
  /** Continues from this time (epoch milliseconds) and treats the difference to the wall clock as a jump. */
  goOnFrom(time: number): void
  /** From now on `now` is what the wall clock says. */
  acceptJump(): void
  /** At a start after a long time: the wall clock may be ahead. It is followed, and counts as doubtful until it is confirmed. */
  doubt(): void
  isDoubtful(): boolean
  confirm(): void
}

/** Readings that differ by less are one clock that is set a little: they are followed at once. Beyond it the wall clock was set. */
const TOLERANCE_MS = 60_000

/** A clock on top of another; `now` follows its wall clock except over a jump. One that is steady already is answered as it is. */
export function createSteadyClock<Base extends PlainClock>(clock: Base | (Base & SteadyClock)): Base & SteadyClock {
  if ('acceptJump' in clock) return clock
  /** Wall minus monotonic, as counted on. */
  let trusted = clock.now() - clock.monotonic()
  let leap: { readonly offset: number; readonly since: number } | undefined
  let [fromStart, isDoubtful] = [false, false]

  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_MS

  function read() {
    const [wall, ticks] = [clock.now(), clock.monotonic()]
    const offset = wall - ticks
    if (isNear(offset, trusted)) [trusted, leap, fromStart] = [offset, undefined, false]
    else if (leap === undefined || !isNear(offset, leap.offset)) leap = { offset, since: ticks }
    return { wall, ticks }
  }

  return {
    ...clock,
    now() {
      const { wall, ticks } = read()
      return leap === undefined ? wall : Math.round(ticks + trusted)
    },
    pendingJump() {
      const { wall, ticks } = read()
      return leap && { wall, byMs: Math.round(leap.offset - trusted), forMs: ticks - leap.since, fromStart }
    },
    goOnFrom(time) {
      ;[trusted, fromStart] = [time - clock.monotonic(), true]
      read()
    },
    acceptJump() {
      const { wall, ticks } = read()
      ;[trusted, leap, fromStart] = [wall - ticks, undefined, false]
    },
    doubt() {
      isDoubtful = true
    },
    isDoubtful: () => isDoubtful,
    confirm() {
      isDoubtful = false
    },
  }
}

/** For what is kept in memory because it is over: answers whether the wall clock was set since the last call, however long ago that was. */
export function createSetClockNotice(clock: PlainClock): () => boolean {
  const offset = (): number => clock.now() - clock.monotonic()
  let last = offset()
  return () => {
    const [before, now] = [last, offset()]
    last = now
    return Math.abs(now - before) > TOLERANCE_MS
  }
}
