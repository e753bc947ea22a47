// The shape of one language: the keys of English, with one text or one form for each plural of the language.
import type { en } from './en.js'

/** Forms by plural category (CLDR): `one`, `few`, `many`, … as the language has them; `other` is always there. */
export type PluralForms = { readonly [Category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string } & {
  readonly other: string
}

type English = typeof en
export type TextKey = { [Key in keyof English]: English[Key] extends string ? Key : never }[keyof English]
export type PluralKey = Exclude<keyof English, TextKey>
export type LanguageTexts = { readonly [Key in TextKey]: string } & { readonly [Key in PluralKey]: PluralForms }
