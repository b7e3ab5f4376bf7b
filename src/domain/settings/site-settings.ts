import { OPERATOR_NAME_MAX_CHARACTERS, TAGLINE_MAX_CHARACTERS, UPLOAD_NOTICE_MAX_CHARACTERS } from '../../limits.ts'
import { parsePreviews } from './previews.ts'
import { parseSwitch } from './switch.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

/** Footer links of an operator, in this order. */
const SITE_LINKS = ['terms', 'privacy', 'imprint', 'contact'] as const

/** One of SITE_LINKS. */
type SiteLink = (typeof SITE_LINKS)[number]

/** An operator's settings for the pages. */
export interface SiteSettings {
  /** Name of the operator; empty if not set. */
  operatorName: string
  /** The line below the heading of the front page; empty for the built-in one. */
  tagline: string
  /** The text above the upload form, in one or more lines; empty if there is none. */
  uploadNotice: string
  /** Web addresses, or `mailto:` ones. */
  links: Partial<Record<SiteLink, string>>
  /** Whether the pages offer the addresses of files. */
  showsFileLinks: boolean
  /** Whether new images have previews. */
  hasPreviews: boolean
}

/** The settings as they are written; absent or empty is the default. */
interface SiteVariables {
  OPERATOR_NAME?: string
  TAGLINE?: string
  UPLOAD_NOTICE?: string
  SITE_LINKS?: string
  FILE_LINKS?: string
  PREVIEWS?: string
}

const LINK = /^([a-z]+)=((?:https:\/\/|mailto:)[^\s"<>]+)$/
const UNPRINTABLE = /\p{Cc}/u

/** Parses the settings of the pages. Throws an `UnreadableSetting` that quotes what is wrong. */
export function parseSiteSettings(variables: SiteVariables): SiteSettings {
  return {
    operatorName: line('OPERATOR_NAME', variables.OPERATOR_NAME, OPERATOR_NAME_MAX_CHARACTERS),
    tagline: line('TAGLINE', variables.TAGLINE, TAGLINE_MAX_CHARACTERS),
    uploadNotice: lines('UPLOAD_NOTICE', variables.UPLOAD_NOTICE, UPLOAD_NOTICE_MAX_CHARACTERS),
    links: parseLinks(variables.SITE_LINKS ?? ''),
    showsFileLinks: parseSwitch('FILE_LINKS', variables.FILE_LINKS ?? ''),
    hasPreviews: parsePreviews(variables.PREVIEWS ?? ''),
  }
}

function line(name: string, setting: string | undefined, maxCharacters: number): string {
  const text = setting?.trim() ?? ''
  if (text.length <= maxCharacters && !UNPRINTABLE.test(text)) return text
  throw new UnreadableSetting(`${name} must be one line of at most ${maxCharacters} characters`)
}

function lines(name: string, setting: string | undefined, maxCharacters: number): string {
  const text = setting?.trim().replace(/\r\n?/g, '\n') ?? ''
  if (text.length <= maxCharacters && !UNPRINTABLE.test(text.replaceAll('\n', ''))) return text
  throw new UnreadableSetting(`${name} must be a text of at most ${maxCharacters} characters, without tabs`)
}

function parseLinks(setting: string): SiteSettings['links'] {
  const links: SiteSettings['links'] = {}
  // An address may hold a comma.
  for (const entry of setting.trim().split(/[\s,]+(?=[a-z]+=)/)) {
    if (entry === '') continue
    const [, name, address = ''] = LINK.exec(entry.replace(/,$/, '')) ?? []
    const link = SITE_LINKS.find((known) => known === name)
    if (link === undefined || !URL.canParse(address)) {
      throw new UnreadableSetting(
        `SITE_LINKS must be a list of ${SITE_LINKS.join(', ')} such as "terms=https://pics.example/terms,contact=mailto:me@pics.example": received "${entry}"`,
      )
    }
    links[link] = address
  }
  return links
}
