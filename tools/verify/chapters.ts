// The chapters of the specification that each file of test/contract/ tests, in order, with decisions in brackets.
export const CHAPTERS: [chapter: string, files: string[]][] = [
  ['Conventions (D20, D22, D23)', ['conventions']],
  ['Resources and their fields', ['resources', 'gallery-names']],
  ['States and transitions: galleries (D26 to D28)', ['gallery-lifecycle', 'over-time']],
  [
    'POST /images and POST /covers: fields and forms (D10 to D13)',
    ['upload-fields', 'request-forms', 'random-bytes', 'hostile'],
  ],
  ['Covers (D35)', ['covers']],
  ['Thumbnails (D30, D34)', ['thumbnails']],
  ['Web optimization (D31 to D33)', ['web-optimization']],
  ['POST /images/status (D16, D25)', ['image-status']],
  ['The status rate limit (D24)', ['rate-limit', 'rate-limit-after-kill', 'rate-limit-of-one-client']],
  ['Management (D17)', ['management']],
  ['Errors (D14, D15, D19, D21)', ['errors', 'order-of-checks', 'encoded-paths']],
  ['Limits (D10, D36)', ['limits', 'large-images', 'corpus']],
  ['Under pressure (D41)', ['crowded', 'disk-room', 'fair-shares', 'hanging-up', 'memory', 'refused-bodies']],
  ['Hosts and links (D4 to D9)', ['hosts-and-links', 'single-host']],
  ['Media (D29)', ['media', 'edge-cache', 'hot-reads']],
  ['Headers (D29, D44)', ['headers']],
  ['Pages (D28, what link extractors read)', ['pages', 'foreign-forms', 'gallery-download']],
  ['Running (D1 to D3, D49)', ['running', 'self-hosting', 'crash', 'shards', 'durable', 'powercut']],
  ['Beyond the specification: Idempotency-Key', ['idempotency', 'idempotency-over-time']],
  ["Beyond the specification: the form of the published service's page", ['new-upload']],
  ['Beyond the specification: limits of the operator (D40)', ['client-limits']],
  ['Beyond the specification: previews (D50)', ['previews', 'earlier-previews']],
  ['Beyond the specification: oEmbed', ['oembed']],
  ['Beyond the specification: expiry (D62)', ['expiry', 'expired']],
  ['Beyond the specification: guests of a gallery (D64)', ['guests']],
  ['Beyond the specification: JSON for programs (D65)', ['records', 'problems']],
  [
    'Beyond the specification: reports and moderation',
    ['reports', 'report-webhook', 'moderate', 'blocked', 'block-lists'],
  ],
  [
    'Beyond the specification: what an operator asks of every upload (D66)',
    ['every-upload', 'human-check', 'upload-hook', 'upload-webhook'],
  ],
  ['Beyond the specification: galleries that change (D63)', ['gallery-changes']],
  ['Beyond the specification: files and records compared', ['reconcile']],
  ['Beyond the specification: backups', ['backup']],
  ['Beyond the specification: health, metrics and the log of requests', ['operating', 'rehearse']],
  ['Beyond the specification: the description and docs', ['examples', 'docs', 'guides']],
  ['Beyond the specification: settings for other programs', ['settings']],
]

/** The chapter of a test file; undefined where none has it. */
export function chapterOf(file: string) {
  const [, name = ''] = /([^/\\]+)\.test\.ts$/.exec(file) ?? []
  return CHAPTERS.find(([, files]) => files.includes(name))?.[0]
}
