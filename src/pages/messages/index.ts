import { ar } from './ar.ts'
import { cs } from './cs.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { el } from './el.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { hu } from './hu.ts'
import { id } from './id.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ro } from './ro.ts'
import { ru } from './ru.ts'
import { sv } from './sv.ts'
import { tr } from './tr.ts'
import type { Translation } from './types.ts'
import { uk } from './uk.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'
import { zhHant } from './zh-Hant.ts'

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
} satisfies Record<string, Translation>
