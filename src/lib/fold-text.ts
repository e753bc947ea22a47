// Texts without the case of their letters, as Unicode folds it: `Straße` and `STRASSE` are one, in any script and any form of composition.

/** Folded and decomposed (NFKD), for callers that take marks away before they compose it again. */
export const foldedDecomposed = (text: string): string =>
  text.toLowerCase().normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')

/** Folded and composed: two texts that differ in case or composition alone have the same. Accents stay. */
export const foldText = (text: string): string => foldedDecomposed(text).normalize('NFC')
