// Why a slatepack was refused, in every language but English, whose text is that of the error.
import type { RefusalTexts } from '../../refusals.js'
import type { Language } from '../index.js'
import { de } from './de.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { ru } from './ru.js'
import { zh } from './zh.js'

export const REFUSAL_LANGUAGES: Readonly<Record<Exclude<Language, 'en'>, RefusalTexts>> = { de, es, fr, ru, zh }
