// A program of the operator's, as the relay sees it.

export interface ProgramHandlers {
  readonly output: (chunk: Buffer) => void
  readonly errors: (chunk: Buffer) => void
  /** Once, whatever became of it; also when it could not be started. `how` is for the log. */
  readonly exit: (how: string) => void
}

export interface PolicyProgram {
  /** A program that does not read, or is gone, is no failure here: it shows otherwise. */
  write(text: string): void
  /** No more input: a good program leaves. */
  end(): void
  /** At once, with everything it started. */
  kill(): void
}

/** Runs `sh -c command`. Never throws, and calls no handler before it returned. */
export type StartProgram = (command: string, handlers: ProgramHandlers) => PolicyProgram

/** When the file was changed, in milliseconds; undefined when there is none. */
export type ModifiedAt = (path: string) => number | undefined
