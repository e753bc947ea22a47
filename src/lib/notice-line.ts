/** A notice about settings in one line: the sentence, and the command that mends it where there is one. */
export const noticeLine = ({ text, remedy }: { readonly text: string; readonly remedy?: string }): string =>
  remedy === undefined ? text : `${text}: ${remedy}`
