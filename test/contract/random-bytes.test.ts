import { describe, expect, test } from 'vitest'
import { below, pick, type Random, randomBytes, seededRandom } from '../support/random.ts'
import { freshAddress, sharedApi } from './support/api.ts'
import type { Ask } from './support/client.ts'
import { FORMATS, photo } from './support/images.ts'
import { inParallel } from './support/in-parallel.ts'
import { file, multipartBody, parts } from './support/multipart-body.ts'
import { createGallery, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const api = sharedApi()
/** Requests per operation. TINTYPE_REQUESTS=10000 runs longer. */
const TIMES = Number(process.env.TINTYPE_REQUESTS ?? 80)
/** A new one each time; TINTYPE_SEED repeats one. */
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))
console.info(`random bytes: TINTYPE_SEED=${seed}`)

const gallery = await createGallery(api)
const images = await Promise.all(FORMATS.map(({ encode }) => encode(photo(24, 16))))
const addresses = Array.from({ length: TIMES / 5 }, freshAddress)

/** "Requests of random bytes to each operation give no 5xx." */
const OPERATIONS: [operation: string, path: string, contentType: string, good: (random: Random) => Buffer][] = [
  [
    'POST /images',
    '/images',
    multipartBody([]).contentType,
    (random) => form({ ...LEAST_IMAGE, img: image(random), optimize_for_web: '1' }),
  ],
  [
    'POST /covers',
    '/covers',
    multipartBody([]).contentType,
    (random) => form({ img_left: image(random), img_right: image(random), content_type: '0' }),
  ],
  [
    'POST /images/status',
    '/images/status',
    'application/json',
    () => Buffer.from('{"urls":["https://one.example/show/1/2_a.png","x"]}'),
  ],
  [
    'POST /galleries',
    '/galleries',
    'application/x-www-form-urlencoded',
    () => Buffer.from('gallery_name=%C3%84+b&include_manage_url=1'),
  ],
  [
    'finalize',
    `/galleries/${gallery.hash}/finalize`,
    'application/x-www-form-urlencoded',
    () => Buffer.from(`gallery_upload_hash=${'a'.repeat(40)}`),
  ],
  [
    'rename',
    `/management/${gallery.managementToken}/rename`,
    'application/json',
    () => Buffer.from('{"name":"\\u00c4 b","more":[1,null]}'),
  ],
  ['delete', `/management/${'u'.repeat(43)}/delete`, 'application/json', () => Buffer.from('{}')],
]

describe.for(OPERATIONS)(
  `${TIMES} requests of random bytes to %s give no 5xx (seed ${seed})`,
  ([operation, path, contentType, good]) => {
    const number = OPERATIONS.findIndex(([name]) => name === operation)
    const random = seededRandom(seed + number)
    const types = [
      contentType,
      contentType,
      'multipart/form-data; boundary=x',
      'application/json',
      'application/x-www-form-urlencoded',
    ]

    const damaged = () => changed(random, good(random))
    const noise = () => randomBytes(below(600, random), random)

    test('as body', async () => {
      const asks = Array.from({ length: TIMES }, (_, at): Ask => {
        // In turn: a good form whose images may be damaged, one damaged anywhere, and twice only noise.
        const body = [good, damaged, noise, noise][at % 4]?.(random) ?? ''
        const type = at % 4 < 2 ? contentType : pick(types, random)
        const address = addresses[at % addresses.length] ?? ''
        const pathOfThis =
          at % 10 === 9
            ? path.replace(/[A-Za-z0-9]{10,}/, encodeURIComponent(randomBytes(20, random).toString('latin1')))
            : path
        return { path: pathOfThis, body, headers: { 'content-type': type, 'cf-connecting-ip': address } }
      })
      const statuses = await inParallel(asks, 4, async (ask) => (await api.send(ask)).status)
      const failures = statuses.flatMap((status, at) =>
        status >= 500 ? [{ status, at, request: shown(asks[at]) }] : [],
      )
      expect(failures).toEqual([])
    })

    test('afterwards a good image is still accepted', async () => {
      // A different format after each operation.
      const bytes = images[number % images.length] ?? expect.fail('no picture')
      const { showUrl } = await uploadImage(api, { img: file('good', bytes), optimize_for_web: '1' })
      expect(await statusOf(api, showUrl)).toBe('available')
    })
  },
)

/** Returns the bytes with some overwritten, removed or doubled, or with the end cut off. */
function changed(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const count = 1 + below(6, random)
  for (let time = 0; time < count; time++) copy[below(copy.length, random)] = below(256, random)
  const at = below(copy.length, random)
  const until = Math.min(copy.length, at + below(40, random))
  switch (below(5, random)) {
    case 0:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(until)])
    case 1:
      return Buffer.concat([copy.subarray(0, until), copy.subarray(at)])
    case 2:
      return copy.subarray(0, at)
    default:
      return copy
  }
}

function image(random: Random) {
  const bytes = pick(images, random)
  return file('a.bin', below(2, random) === 0 ? changed(random, bytes) : bytes)
}

function form(fields: Parameters<typeof parts>[0]): Buffer {
  return multipartBody(parts(fields)).bytes
}

function shown({ body, ...ask }: Ask = { path: 'none' }): string {
  return JSON.stringify({ ...ask, body: body instanceof Uint8Array ? Buffer.from(body).toString('base64') : body })
}
