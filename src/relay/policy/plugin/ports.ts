// A program of the operator, as the relay sees it.

export interface ProgramHandlers {
  readonly output: (chunk: Buffer) => void
  readonly errors: (chunk: Buffer) => void
  /** Called once, also when the program did not start. `how` is for the log. */
  readonly exit: (how: string) => void
}

export interface PolicyProgram {
  /** Never fails: a program that does not read, or has exited, shows in other ways. */
  write(text: string): void
  /** Closes its input; a well-behaved program then exits. */
  end(): void
  /** Kills the program and its child processes. */
  kill(): void
}

/** Runs `sh -c command`. Never throws, and calls no handler before it returns. */
export type StartProgram = (command: string, handlers: ProgramHandlers) => PolicyProgram

/** Modification time of the file in milliseconds; undefined when it does not exist. */
export type ModifiedAt = (path: string) => number | undefined
