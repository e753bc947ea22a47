// The language of a page, chosen by the browser's Accept-Language, and its texts with numbers and times filled in.
import { de, deRefusals } from './de.js'
import { en, type LanguageTexts, type PluralForms, type PluralKey, type TextKey } from './en.js'
import { es, esRefusals } from './es.js'
import { fr, frRefusals } from './fr.js'
import type { RefusalTexts } from './refusals.js'
import { ru, ruRefusals } from './ru.js'
import { zh, zhRefusals } from './zh.js'

export const LANGUAGES = { en, de, es, fr, ru, zh } as const satisfies Readonly<Record<string, LanguageTexts>>
export type Language = keyof typeof LANGUAGES

/** Why a slatepack was refused; in English the text is that of the error. */
export const REFUSAL_LANGUAGES: Readonly<Record<Exclude<Language, 'en'>, RefusalTexts>> = {
  de: deRefusals,
  es: esRefusals,
  fr: frRefusals,
  ru: ruRefusals,
  zh: zhRefusals,
}

/** How times and plurals are written; the day stands before the month in English too. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', es: 'es', fr: 'fr', ru: 'ru', zh: 'zh-CN' }
/** What is longer than this is cut: strangers send the header. */
const MAX_HEADER = 400

type Values = Readonly<Record<string, string | number>>

/** The texts of one language. */
export interface Translator {
  readonly lang: Language
  /** The text of this key, its placeholders filled in. */
  text(key: TextKey, values?: Values): string
  /** The form of this key for `n`, which is its `{n}`. */
  plural(key: PluralKey, n: number): string
  /** A moment in UTC, as `1 Jul 2026, 14:05 UTC`: a page without scripts does not know the time zone of its reader. */
  moment(ms: number): string
}

/** The text with its placeholders filled in. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

function createTranslator(lang: Language): Translator {
  const texts: LanguageTexts = LANGUAGES[lang]
  const rules = new Intl.PluralRules(LOCALES[lang])
  const times = new Intl.DateTimeFormat(LOCALES[lang], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return {
    lang,
    text: (key, values) => (values ? fill(texts[key], values) : texts[key]),
    plural(key, n) {
      const forms: PluralForms = texts[key]
      return fill(forms[rules.select(n)] ?? forms.other, { n })
    },
    moment: (ms) => `${times.format(ms)} UTC`,
  }
}

const known = new Map<Language, Translator>()

/** The texts of this language, made once. */
export function translatorOf(lang: Language): Translator {
  const before = known.get(lang)
  if (before) return before
  const words = createTranslator(lang)
  known.set(lang, words)
  return words
}

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag)

/** The best language of an Accept-Language header: the highest q, the first among equals; English when none is ours. */
export function languageFor(header: string | undefined): Language {
  let best: { readonly lang: Language; readonly q: number } | undefined
  for (const entry of header?.slice(0, MAX_HEADER).split(',') ?? []) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const lang = range.split('-')[0] ?? ''
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (isLanguage(lang) && q > (best?.q ?? 0)) best = { lang, q }
  }
  return best?.lang ?? 'en'
}
