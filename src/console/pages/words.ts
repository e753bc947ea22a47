// What the pages of all areas say things with: a word that has a tone, and long texts made short.

/** In black and white the word alone tells. */
export interface Tag {
  readonly text: string
  readonly tone: 'good' | 'warn' | 'bad' | 'quiet'
}

/** The first characters of a long text, with a mark that there is more. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
