import type { Child } from 'hono/jsx'

/** Icons of 24 x 24 units in the colour of the text beside them, which says what they mean. */
const PATHS: Record<IconName, Child> = {
  copy: (
    <>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5 15H4V4h11v1" />
    </>
  ),
  download: <path d="M12 4v11m-4.5-4.5 4.5 4.5 4.5-4.5M5 20h14" />,
  enlarge: <path d="M14 5h5v5M10 19H5v-5M19 5l-6 6M5 19l6-6" />,
  forwards: <path d="m9 5 7 7-7 7" />,
  backwards: <path d="m15 5-7 7 7 7" />,
  qr: <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 20h2M18 18v2h2" />,
  share: (
    <>
      <path d="m8 11 8-4.5M8 13l8 4.5" />
      <circle cx="6" cy="12" r="2.25" />
      <circle cx="18" cy="5.5" r="2.25" />
      <circle cx="18" cy="18.5" r="2.25" />
    </>
  ),
  code: <path d="m8 7-5 5 5 5M16 7l5 5-5 5" />,
  play: <path d="M8 5.5v13l10-6.5z" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5M12 8v.01" />
    </>
  ),
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17" />
    </>
  ),
  grid: <path d="M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z" />,
  image: (
    <>
      <rect x="3" y="5" width="18" height="14" rx="2" />
      <circle cx="16" cy="9.5" r="1.5" />
      <path d="m4 17 5.5-6 4.5 5 2.5-2.5L20 17" />
    </>
  ),
}

/** Icons that are mirrored in right-to-left languages. */
const DIRECTED: readonly IconName[] = ['forwards', 'backwards']

/** The name of an icon. */
export type IconName =
  | 'copy'
  | 'download'
  | 'enlarge'
  | 'forwards'
  | 'backwards'
  | 'globe'
  | 'grid'
  | 'image'
  | 'info'
  | 'play'
  | 'qr'
  | 'share'
  | 'code'
  | 'close'

/** An icon beside a text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={DIRECTED.includes(name) ? 'icon directed' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {PATHS[name]}
    </svg>
  )
}
