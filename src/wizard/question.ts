// One question of a setup, as data: prompts, flags, keys of the answers file and docs/cli.md come from lists of these.

/** What was said, as text; a key that is missing was not said. */
export type AnswersOf<Key extends string> = { readonly [K in Key]?: string }

export interface Question<Key extends string> {
  readonly key: Key
  readonly message: string
  /** Shown above the question at a terminal: what its answers mean. */
  readonly about?: string
  /** Whether the question makes sense after the answers before it. */
  readonly applies?: (answers: AnswersOf<Key>) => boolean
  /** What counts when nothing is said. Absent: it must be said, or `optional`. */
  readonly initial?: (answers: AnswersOf<Key>) => string | undefined
  readonly optional?: boolean
  /** False: never asked, only given. */
  readonly asked?: boolean
  /** The form in which an answer is kept, made before it is judged: case, short words. */
  readonly tidy?: (text: string) => string
  /** So many wrong answers at the terminal count as none. */
  readonly patience?: number
  /** A secret: a person types it, hidden; everywhere else the answer is the file that holds it. Says what Enter means. */
  readonly hidden?: string
  /** What is wrong with a secret that is typed, or undefined; never quotes it. */
  readonly hiddenRefusal?: (text: string) => string | undefined
  /** What is wrong with the text, or undefined. */
  readonly refusal: (text: string) => string | undefined
  /** What else is wrong with a new answer; a present value that stays is not held to it. Asked after `refusal` found nothing. */
  readonly newRefusal?: (text: string) => string | undefined
}

const CONTROL = /\p{Cc}/u

/** The answer as it is kept, or why it is refused; `present`: the value that stays where nothing else is said. No setting takes control characters: they would end a line of a file. */
export function readAnswer<Key extends string>(
  { tidy = (text) => text, refusal, newRefusal }: Question<Key>,
  said: string,
  present?: string,
): { readonly value: string } | { readonly why: string } {
  if (CONTROL.test(said)) return { why: 'must not contain control characters' }
  const value = tidy(said.trim())
  const why = refusal(value) ?? (value === present?.trim() ? undefined : newRefusal?.(value))
  return why === undefined ? { value } : { why }
}
