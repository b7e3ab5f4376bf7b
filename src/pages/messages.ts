import type { Language } from './language.ts'
import type { Messages } from './message-types.ts'
import { ar } from './messages/ar.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import { it } from './messages/it.ts'
import { ja } from './messages/ja.ts'
import { nl } from './messages/nl.ts'
import { pl } from './messages/pl.ts'
import { pt } from './messages/pt.ts'
import { ru } from './messages/ru.ts'
import { zh } from './messages/zh.ts'

/** All texts of the pages, by language. */
export const MESSAGES = { en, de, fr, es, pt, it, nl, pl, ru, ja, zh, ar } satisfies Record<Language, Messages>
