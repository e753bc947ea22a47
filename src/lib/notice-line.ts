/** A notice about settings in one line: the sentence, and what mends it where that is known. */
export const noticeLine = ({
  text,
  remedy,
  advice = remedy,
}: {
  readonly text: string
  readonly remedy?: string
  readonly advice?: string
}): string => (advice === undefined ? text : `${text}: ${advice}`)
