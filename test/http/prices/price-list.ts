import type { ClientLimit } from '../../../src/domain/settings/client-limits.ts'

/** The maximum in the cheapest, the usual and the worst case of a route; one number if all are equal. */
type Cases3 = number | readonly [cheapest: number, usual: number, worst: number]

/** A limit of src/domain/settings/client-limits.ts, or one of the two in the specification and the report form. */
export type Limit = ClientLimit | 'status' | 'reports'

/** The price of a request to a route, with all work after its response. Absent fields are 0. */
interface Price {
  /** SQL statements on D1, counting each of a batch. */
  queries?: Cases3
  /** Rows that D1 bills, including those of indexes. */
  rowsWritten?: Cases3
  /** Calls to R2, or to files. */
  files?: Cases3
  /** Calls to the Durable Object of the limiter. */
  objects?: Cases3
  /** Calls to the edge cache of the data centre. */
  cache?: Cases3
  /** Static assets of the Worker that are read. */
  assets?: Cases3
  /** Requests to other services: the purge of Cloudflare's API, the webhook of reports, Turnstile. */
  outside?: Cases3
  /** Bytes sent for each byte received, as powers of ten. */
  sentPerReceived: Cases3
  /** CPU of workerd beyond that of an empty Worker, as measured by `npm run tintype -- bench:prices`. */
  cpu?: readonly [cheapest: number, usual: number, worst: number]
  /** Limits that the worst case is charged to. */
  limits?: readonly Limit[]
  /** The bound of an expensive request that no limit charges. */
  boundedBy?: string
  /** The three cases, if they are not a HEAD request, a browser and a client without compression. */
  cases?: readonly [cheapest: string, usual: string, worst: string]
}

const ONE_IMAGE: Price = {
  queries: [0, 7, 10],
  rowsWritten: [0, 7, 12],
  files: [0, 2, 3],
  objects: [1, 2, 2],
  sentPerReceived: 10,
  limits: ['idempotency_keys', 'megapixels', 'upload_mib', 'uploads'],
  cases: [
    'a form without a file',
    'a small image into a gallery',
    'that expires, with an Idempotency-Key, a management token and images that were blocked',
  ],
}

/**
 * The price list. docs/prices.md is generated from it, and test/http/prices/prices.test.ts checks the service against
 * it.
 */
export const PRICES: Readonly<Record<string, Price>> = {
  'POST /images': { ...ONE_IMAGE, cpu: [12, 100, 3100] },
  'POST /new-upload/': ONE_IMAGE,
  'POST /covers': {
    queries: [0, 6, 10],
    rowsWritten: [0, 5, 12],
    files: [0, 2, 2],
    objects: [1, 2, 2],
    sentPerReceived: [10, 10, 1],
    cpu: [11, 76, 2800],
    limits: ['covers', 'idempotency_keys', 'megapixels', 'upload_mib', 'uploads'],
    cases: [
      'a form without a file',
      'one image',
      'two images that expire, with an Idempotency-Key and a management token',
    ],
  },
  'POST /images/status': {
    queries: [0, 1, 1],
    objects: 1,
    sentPerReceived: 10,
    cpu: [12, 32, 31],
    limits: ['status'],
    cases: ['no JSON', 'one URL', '100 URLs of one gallery'],
  },
  'POST /galleries': {
    queries: [0, 2, 6],
    rowsWritten: [0, 3, 10],
    objects: 1,
    sentPerReceived: 10,
    cpu: [12, 22, 36],
    limits: ['galleries', 'idempotency_keys'],
    cases: ['an invalid name', 'a name', 'that expires, with an Idempotency-Key and a management token'],
  },
  'POST /galleries/:gallery_hash/finalize': {
    queries: [1, 4, 4],
    rowsWritten: [0, 1, 1],
    objects: 1,
    sentPerReceived: 10,
    cpu: [22, 39, 41],
    limits: ['finalizes'],
    cases: ['an unknown gallery', 'a gallery', 'a gallery of 10,000 images'],
  },
  'POST /management/:token/rename': {
    queries: 2,
    rowsWritten: [0, 1, 1],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    cpu: [56, 47, 43],
    limits: ['changes'],
    cases: ['an unknown token', 'a gallery', 'a gallery of 10,000 images'],
  },
  'POST /management/:token/guests': {
    queries: [2, 4, 4],
    rowsWritten: [0, 2, 2],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'the first link of a gallery', 'a link in place of another one'],
  },
  'POST /management/:token/guests/close': {
    queries: [2, 2, 3],
    rowsWritten: [0, 0, 1],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'a gallery without a link', 'a gallery with a link'],
  },
  'POST /guests/:token/images': {
    queries: [2, 8, 12],
    rowsWritten: [0, 8, 213],
    files: [0, 2, 3],
    objects: [2, 2, 2],
    sentPerReceived: 10,
    limits: ['idempotency_keys', 'megapixels', 'upload_mib', 'uploads'],
    cases: [
      'an unknown link',
      'a small image into a gallery',
      'into an arranged gallery of 9,999 images, with an Idempotency-Key and images that were blocked',
    ],
  },
  'GET /add/:token': {
    queries: [2, 1, 1],
    objects: [1, 0, 0],
    sentPerReceived: [100, 100, 1000],
    cases: ['an unknown link', 'a link', 'a link, without compression'],
  },
  'POST /add/:token': {
    queries: [2, 8, 694],
    rowsWritten: [0, 8, 792],
    files: [0, 2, 198],
    objects: [2, 2, 3],
    sentPerReceived: [100, 100, 1],
    limits: ['megapixels', 'upload_mib', 'uploads'],
    cases: ['an unknown link', 'an image', '99 images'],
  },
  'POST /management/:token/images': {
    queries: [2, 7, 11],
    rowsWritten: [0, 7, 211],
    files: [0, 2, 3],
    objects: [2, 2, 2],
    sentPerReceived: 10,
    limits: ['idempotency_keys', 'megapixels', 'upload_mib', 'uploads'],
    cases: [
      'an unknown token',
      'a small image into a gallery',
      'into an arranged gallery of 9,999 images, with an Idempotency-Key and images that were blocked',
    ],
  },
  'POST /management/:token/remove': {
    queries: [2, 17, 101],
    rowsWritten: [0, 17, 326],
    files: [0, 1, 2],
    objects: [2, 1, 1],
    cache: [0, 4, 80],
    outside: [0, 1, 3],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'one of two images', '20 images'],
  },
  'POST /management/:token/order': {
    queries: [2, 8, 8],
    rowsWritten: [0, 9, 20_300],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'one of three images', 'the first time in a gallery of 10,000 images'],
  },
  'POST /management/:token/cover': {
    queries: [2, 3, 3],
    rowsWritten: [0, 1, 1],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'a gallery of two images', 'a gallery of 10,000 images'],
  },
  'POST /management/:token/edit': {
    queries: [2, 2, 3],
    rowsWritten: [0, 1, 1],
    objects: [2, 1, 1],
    sentPerReceived: 10,
    limits: ['changes'],
    cases: ['an unknown token', 'the caption of an image', 'both texts of an image of a gallery of 10,000 images'],
  },
  'POST /management/:token/delete': {
    queries: [2, 15, 113],
    rowsWritten: [0, 17, 13_355],
    files: [0, 1, 20],
    objects: [1, 0, 1],
    cache: [0, 4, 1],
    outside: [0, 1, 1],
    sentPerReceived: 10,
    cpu: [38, 60, 150],
    limits: ['idempotency_keys'],
    boundedBy: 'once for each upload',
    cases: ['an unknown token', 'an image', 'a gallery of 10,000 images, with an Idempotency-Key'],
  },
  'GET /openapi.json': { assets: 1, sentPerReceived: [10, 10_000, 10_000], cpu: [7.1, 13, 4.6] },
  'GET /openapi.yaml': { assets: 1, sentPerReceived: [10, 10_000, 10_000], cpu: [6.1, 15, 6.3] },
  'GET /.well-known/api-catalog': { sentPerReceived: [10, 10, 100], cpu: [2.7, 2.1, 1.9] },
  'GET /images/:directory/:file': {
    queries: [1, 0, 1],
    files: [0, 0, 2],
    cache: [1, 2, 3],
    sentPerReceived: [10, 10, 1_000_000],
    cpu: [23, 38, 310],
    cases: ['an unknown image', 'in the edge cache', '10 MiB that are in no cache'],
  },
  'GET /thumbs/:directory/:file': {
    queries: [1, 0, 1],
    files: [0, 0, 1],
    cache: [1, 2, 3],
    sentPerReceived: 10,
    cpu: [27, 29, 36],
    cases: ['an unknown image', 'in the edge cache', 'in no cache'],
  },
  'GET /previews/:directory/:file': {
    queries: [1, 0, 1],
    files: [0, 0, 2],
    cache: [1, 2, 3],
    sentPerReceived: [10, 10_000, 10_000],
    cases: ['an unknown image', 'in the edge cache', 'in no cache'],
  },
  'GET /show/:directory/:file': {
    queries: [1, 1, 4],
    sentPerReceived: [100, 100, 1000],
    cpu: [37, 48, 32],
    cases: ['an unknown image', 'an image', 'an image of a gallery, without compression'],
  },
  'GET /gallery/:gallery_hash': {
    queries: 3,
    sentPerReceived: [100, 100, 10_000],
    cpu: [26, 32, 150],
    cases: ['an unknown gallery', '3 images', '10,000 images, without compression'],
  },
  'GET /gallery/:gallery_hash/codes': {
    queries: 3,
    sentPerReceived: [100, 100, 100_000],
    cpu: [31, 34, 140],
    cases: ['an unknown gallery', '3 images', '10,000 images, without compression'],
  },
  'GET /gallery/:gallery_hash/download': {
    queries: 3,
    files: [0, 3, 1000],
    objects: [0, 1, 1],
    sentPerReceived: [100, 100, 10_000],
    limits: ['download_files'],
    cases: ['an unknown gallery', '3 images', '1,000 images'],
  },
  'GET /manage/:token': {
    queries: [2, 1, 5],
    objects: [1, 0, 0],
    sentPerReceived: [100, 100, 10_000],
    cpu: [52, 28, 33],
    cases: ['an unknown token', 'an image', 'a page of a gallery of 10,000 images, without compression'],
  },
  'POST /manage/:token': {
    queries: [2, 20, 111],
    rowsWritten: [0, 17, 13_351],
    files: [0, 1, 20],
    objects: [1, 0, 0],
    cache: [0, 4, 1],
    outside: [0, 1, 1],
    sentPerReceived: 100,
    cpu: [60, 64, 150],
    boundedBy: 'once for each upload',
    cases: ['an unknown token', 'one of two images of a gallery is deleted', 'a gallery of 10,000 images is deleted'],
  },
  'POST /manage/:token/images': {
    queries: [2, 11, 12],
    rowsWritten: [0, 7, 206],
    files: [0, 2, 3],
    objects: [2, 2, 2],
    sentPerReceived: [100, 100, 1000],
    limits: ['megapixels', 'upload_mib', 'uploads'],
    cases: ['an unknown token', 'a small image', 'into an arranged gallery of 9,999 images'],
  },
  'GET /': { sentPerReceived: [100, 100, 1000], cpu: [16, 21, 6.9] },
  'POST /upload': {
    queries: [0, 6, 7],
    rowsWritten: [0, 5, 8],
    files: [0, 2, 3],
    objects: [1, 2, 2],
    sentPerReceived: 100,
    cpu: [21, 97, 3300],
    limits: ['megapixels', 'upload_mib', 'uploads'],
    cases: ['a form without a file', 'an image', 'that expires, with a management token'],
  },
  'POST /share': {
    queries: [0, 6, 700],
    rowsWritten: [0, 7, 700],
    files: [0, 2, 198],
    objects: [1, 2, 2],
    sentPerReceived: [100, 10, 0.1],
    cpu: [31, 100, 7500],
    limits: ['galleries', 'megapixels', 'upload_mib', 'uploads'],
    cases: ['a form without a file', 'one image', '99 images'],
  },
  'POST /human': {
    objects: [0, 1, 1],
    outside: [0, 1, 1],
    sentPerReceived: 10,
    cpu: [5.8, 19, 18],
    limits: ['uploads'],
    cases: ['without Turnstile', 'a token', 'a short token'],
  },
  'GET /share-worker.js': { assets: 1, sentPerReceived: [10, 100, 1000], cpu: [3.6, 3.5, 2] },
  'GET /uploads': { sentPerReceived: [100, 100, 1000], cpu: [5.8, 5, 3.6] },
  'GET /report': { sentPerReceived: [100, 100, 1000], cpu: [5.8, 6.3, 4.1] },
  'POST /report': {
    queries: [0, 3, 3],
    rowsWritten: [0, 4, 4],
    objects: [0, 1, 1],
    outside: [0, 1, 1],
    sentPerReceived: 100,
    cpu: [14, 73, 58],
    limits: ['reports'],
    cases: ['an empty form', 'an image', 'a gallery'],
  },
  'GET /docs': { sentPerReceived: [100, 100, 1000], cpu: [13, 29, 11] },
  'GET /docs/reference': { assets: 1, sentPerReceived: [100, 1000, 10_000], cpu: [7, 21, 8.3] },
  'GET /docs/errors': { sentPerReceived: [100, 100, 1000], cpu: [16, 19, 13] },
  'GET /assets/:file': { assets: 1, sentPerReceived: [10, 100, 1000] },
  'GET /oembed': {
    queries: 1,
    sentPerReceived: 10,
    cpu: [31, 24, 23],
    cases: ['an unknown image', 'an image', 'a gallery'],
  },
  'GET /tools': { assets: 1, sentPerReceived: [100, 100, 1000], cpu: [11, 14, 10] },
  'GET /embed.js': { assets: 1, sentPerReceived: [10, 100, 100], cpu: [2.9, 4.2, 2] },
  'GET /llms.txt': { sentPerReceived: [10, 100, 100], cpu: [5, 3.5, 2.3] },
  'GET /favicon.ico': { assets: 1, sentPerReceived: [10, 100, 100], cpu: [3.5, 2.5, 2.2] },
  'GET /sharex.sxcu': { sentPerReceived: [10, 10, 100] },
  'GET /picgo.json': { sentPerReceived: [10, 10, 100] },
  'GET /flameshot.sh': { sentPerReceived: [10, 100, 100] },
  'GET /postman.json': { sentPerReceived: [10, 100, 1000], cpu: [2.6, 5.6, 2.7] },
  'GET /manifest.webmanifest': { sentPerReceived: [10, 10, 100], cpu: [5.8, 4.9, 3.7] },
  'GET /robots.txt': { sentPerReceived: [10, 10, 100], cpu: [3.3, 2, 1.9] },
  'GET /.well-known/security.txt': { sentPerReceived: 10 },
  'GET /healthz': {
    queries: [0, 0, 1],
    files: [0, 0, 1],
    objects: [0, 0, 1],
    sentPerReceived: 10,
    cpu: [3.2, 2.7, 2.6],
    cases: ['within a second of another', 'within a second of another', 'after a second'],
  },
  'GET /operator/reports': {
    queries: [0, 4, 4],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 100],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
  'POST /operator/remove': {
    queries: [0, 19, 128],
    rowsWritten: [0, 21, 520],
    files: [0, 1, 201],
    objects: [1, 0, 0],
    cache: [0, 4, 1],
    outside: [0, 1, 1],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a gallery of 100 images that are blocked'],
  },
  'POST /operator/dismiss': {
    queries: [0, 5, 5],
    rowsWritten: [0, 4, 5],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a reported image'],
  },
  'POST /operator/reconcile': {
    files: [0, 1, 1],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'a page of files', 'a page of files that are read'],
  },
  'POST /operator/previews': {
    queries: [0, 1, 3],
    rowsWritten: [0, 0, 2],
    files: [0, 0, 5],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'no image without a preview', 'an image, after an interrupted attempt'],
  },
  'POST /operator/show': {
    queries: [0, 2, 2],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a reported image'],
  },
  'POST /operator/hide': {
    queries: [0, 10, 10],
    rowsWritten: [0, 13, 13],
    objects: [1, 0, 0],
    cache: [0, 4, 1],
    outside: [0, 1, 1],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a gallery of 10,000 images'],
  },
  'POST /operator/unhide': {
    queries: [0, 5, 5],
    rowsWritten: [0, 4, 5],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a hidden image'],
  },
  'GET /operator/hidden': {
    queries: [0, 2, 2],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 100],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
  'POST /operator/unblock': {
    queries: [0, 7, 7],
    rowsWritten: [0, 4, 5],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an image', 'a blocked image'],
  },
  'GET /operator/blocks': {
    queries: [0, 2, 2],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 100],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
  'GET /operator/block-lists': {
    queries: [0, 1, 1],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 100],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
  'POST /operator/import': {
    queries: [0, 6, 7],
    rowsWritten: [0, 7, 4019],
    objects: [1, 0, 0],
    sentPerReceived: [10, 10, 0.1],
    cases: ['a wrong key', 'one SHA-256', '2,000 SHA-256 and a fingerprint'],
  },
  'POST /operator/withdraw': {
    queries: [0, 5, 5],
    rowsWritten: [0, 4, 2010],
    objects: [1, 0, 0],
    sentPerReceived: 10,
    cases: ['a wrong key', 'an unknown list', 'a list of 2,000 SHA-256'],
  },
  'GET /operator/export': {
    queries: [0, 1, 1],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 10_000],
    cases: ['a wrong key', 'nothing', 'a list of 2,000 SHA-256'],
  },
  'GET /operator/audit': {
    queries: [0, 2, 2],
    objects: [1, 0, 0],
    sentPerReceived: [100, 10, 100],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
  'GET /operator/metrics': {
    queries: [0, 8, 8],
    files: [0, 1, 1],
    objects: 1,
    // Its counters are those of all requests of the isolate before.
    sentPerReceived: [100, 1000, 1000],
    cases: ['a wrong key', 'one entry', 'ten entries'],
  },
}

/** One of the three cases of a route. */
type CaseName = 'cheapest' | 'usual' | 'worst'

const CASE_AT: Record<CaseName, number> = { cheapest: 0, usual: 1, worst: 2 }

/** The price of one case. */
export type PriceOfCase = Record<Column, number> & { sentPerReceived: number; limits: readonly string[] }

type Column = 'queries' | 'rowsWritten' | 'files' | 'objects' | 'cache' | 'assets' | 'outside'

/** Returns the price of one case of an endpoint. */
export function priceOf(endpoint: string, name: CaseName): PriceOfCase {
  const row = PRICES[endpoint]
  if (!row) throw new Error(`${endpoint} has no price`)
  const at = (cases: Cases3 = 0) => (typeof cases === 'number' ? cases : (cases[CASE_AT[name]] ?? 0))
  return {
    queries: at(row.queries),
    rowsWritten: at(row.rowsWritten),
    files: at(row.files),
    objects: at(row.objects),
    cache: at(row.cache),
    assets: at(row.assets),
    outside: at(row.outside),
    sentPerReceived: at(row.sentPerReceived),
    limits: row.limits ?? [],
  }
}

/** Requests up to this price are not limited: a page of a gallery, also for its owner, a file, a miss. */
const FREE = { queries: 5, files: 2, objects: 1, cache: 3 }

/** Returns whether the worst case of an endpoint must be limited. */
export function isDear(endpoint: string): boolean {
  const { queries, rowsWritten, files, objects, cache, outside } = priceOf(endpoint, 'worst')
  const isFree = queries <= FREE.queries && files <= FREE.files && objects <= FREE.objects && cache <= FREE.cache
  return !isFree || rowsWritten > 0 || outside > 0
}

/** Returns the table of docs/prices.md. */
export function priceTable(): string {
  const rows = Object.entries(PRICES).map(([endpoint, price]) => [
    `\`${endpoint}\``,
    ...[price.queries, price.rowsWritten, price.files, price.objects, price.cache].map(cellOf),
    ...[price.assets, price.outside].map(cellOf),
    cellOf(price.sentPerReceived),
    price.cpu === undefined ? '' : cellOf(price.cpu),
    price.limits?.map((limit) => `\`${limit}\``).join(', ') ?? price.boundedBy ?? '',
    (price.cases ?? ['HEAD', 'a browser', 'without compression']).join(' / '),
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const HEAD = [
  'endpoint',
  'queries',
  'rows written',
  'files',
  'limiter',
  'edge cache',
  'static assets',
  'other services',
  'bytes sent per byte received',
  'CPU',
  'limits',
  'cases',
]

/** Returns `1 / 2 / 3`, or one number for all three. */
function cellOf(cases: Cases3 = 0): string {
  const three = typeof cases === 'number' ? [cases] : cases
  const cells = three.map((value) => value.toLocaleString('en'))
  return new Set(cells).size === 1 ? (cells[0] ?? '') : cells.join(' / ')
}
