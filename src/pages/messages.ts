import type { Language } from './language.ts'
import type { Messages } from './message-types.ts'
import { ar } from './messages/ar.ts'
import { cs } from './messages/cs.ts'
import { da } from './messages/da.ts'
import { de } from './messages/de.ts'
import { el } from './messages/el.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fi } from './messages/fi.ts'
import { fr } from './messages/fr.ts'
import { hu } from './messages/hu.ts'
import { id } from './messages/id.ts'
import { it } from './messages/it.ts'
import { ja } from './messages/ja.ts'
import { ko } from './messages/ko.ts'
import { nl } from './messages/nl.ts'
import { pl } from './messages/pl.ts'
import { pt } from './messages/pt.ts'
import { ro } from './messages/ro.ts'
import { ru } from './messages/ru.ts'
import { sv } from './messages/sv.ts'
import { tr } from './messages/tr.ts'
import { uk } from './messages/uk.ts'
import { vi } from './messages/vi.ts'
import { zh } from './messages/zh.ts'
import { zhHant } from './messages/zh-Hant.ts'

/** All texts of the pages, by language. */
export const MESSAGES = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  da,
  sv,
  fi,
  pl,
  cs,
  hu,
  ro,
  el,
  uk,
  ru,
  tr,
  id,
  vi,
  ja,
  ko,
  zh,
  'zh-Hant': zhHant,
  ar,
} satisfies Record<Language, Messages>
