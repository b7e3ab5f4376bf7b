import { describe, expect, test } from 'vitest'
import { pngChunk } from '../support/png.ts'
import { freshAddress, sharedApi } from './support/api.ts'
import { encoder, jpeg, photo, plain, png, webp } from './support/images.ts'
import { file, multipartBody, parts } from './support/multipart-body.ts'
import { paddedPng, pngFile } from './support/png-file.ts'
import { jpegSegment } from './support/private-metadata.ts'
import { expectApiError, expectCreated, expectJson, expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, LEAST_IMAGE, SMALL_PNG, uploadImage } from './support/steps.ts'

const api = sharedApi()

/** "Limits": both sides of each. rate-limit.test.ts tests the rate, and gallery-names.test.ts names. */

describe('Maximum uploaded file size | 10 MB per image: 10,485,760 bytes, inclusive (D10)', () => {
  const limit = 10_485_760
  const least = paddedPng(SMALL_PNG, limit)
  const over = Buffer.concat([least, Buffer.of(0)])

  test('the limit itself is accepted, and stored whole', async () => {
    const { originalUrl } = await uploadImage(api, { img: file('a.png', least) })
    const stored = await api.follow(originalUrl)
    expect(stored.bytes.length).toBe(limit)
    expect(stored.bytes.equals(least)).toBe(true)
  })

  test('one byte more is rejected', async () => {
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', over) }), 413)
  })

  test('per image: a cover of two files of the limit is accepted', async () => {
    const both = { img_left: file('a.png', least), img_right: file('b.png', least), content_type: '0' }
    expectUploaded(await api.uploadCover(both))
  })

  test('per image: one byte more on the right of a cover is rejected', async () => {
    const form = { img_left: file('a.png', SMALL_PNG), content_type: '0', img_right: file('b.png', over) }
    expectTextError(await api.uploadCover(form), 413)
  })

  test.for([
    [0, 200],
    [1, 413],
  ] as const)('chunked, the limit plus %i: %i', async ([more, status]) => {
    const { bytes, contentType } = multipartBody(
      parts({ ...LEAST_IMAGE, img: file('a.png', more === 0 ? least : over) }),
    )
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
      bytes.subarray(i * 65_536, (i + 1) * 65_536),
    )
    const response = await api.send({ path: '/images', headers: { 'content-type': contentType }, body: chunks })
    if (status === 200) expectUploaded(response)
    else expectTextError(response, status)
  })

  test('an endless stream is rejected while it is sent', async () => {
    const { bytes, contentType } = multipartBody(parts({ content_type: '0', img: file('a.png', SMALL_PNG) }))
    let sent = 0
    async function* endless() {
      yield bytes.subarray(0, bytes.length - 40)
      const chunk = Buffer.alloc(65_536)
      // Endless for a service that waits, but only a gigabyte for one that buffers, so that the test ends.
      for (; sent < 1024 ** 3; sent += chunk.length) {
        yield chunk
        // Yields, because a program that never reads while it writes would miss the response until the connection closes.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const response = await api.send({ path: '/images', headers: { 'content-type': contentType }, body: endless() })
    expectTextError(response, 413)
    expect(sent).toBeLessThan(1024 ** 3)
  })

  test('an announced length beyond all limits is rejected', async () => {
    const { bytes, contentType } = multipartBody(
      parts({ content_type: '0', img: file('a.png', Buffer.alloc(25_000_000)) }),
    )
    expectTextError(await api.send({ path: '/images', headers: { 'content-type': contentType }, body: bytes }), 413)
  })
})

describe('Thumbnail size option | 150 to 500 pixels, default 200', () => {
  const wide = png(plain(600, 600, [9, 9, 9]))
  test.for([
    ['149', undefined],
    ['150', 150],
    ['500', 500],
    ['501', undefined],
    ['', 200],
  ] as [string, number | undefined][])('%j', async ([sent, side]) => {
    const response = await api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', await wide), max_th_size: sent })
    if (side === undefined) expectTextError(response, 422)
    else expect(expectUploaded(response).thumbnail).toEqual({ width: side, height: side })
  })
})

describe('Web optimization resize | longest edge 3840 pixels', () => {
  test.for([
    [3840, 200, 3840, 200],
    [3841, 200, 3840, 199],
    [200, 3841, 199, 3840],
    [4000, 400, 3840, 384],
  ] as const)('%i x %i is stored as %i x %i', async ([width, height, storedWidth, storedHeight]) => {
    const img = file('a.jpg', await jpeg(photo(width, height), 98))
    const { optimization } = await uploadImage(api, { img, optimize_for_web: '1' })
    expect(optimization).toMatchObject({ reason: 'converted_to_webp', source_width: width, source_height: height })
    // The longest edge is exact. The rounding of the other one is unspecified.
    const within = (value: unknown, wanted: number) => expect(Math.abs(Number(value) - wanted)).toBeLessThanOrEqual(1)
    const longest = Math.max(Number(optimization?.stored_width), Number(optimization?.stored_height))
    expect(longest).toBe(Math.max(storedWidth, storedHeight))
    within(optimization?.stored_width, storedWidth)
    within(optimization?.stored_height, storedHeight)
  })
})

describe('Gallery name length | 255 supported Unicode characters', () => {
  test.for(['a', 'é', '日'])('%s, 255 times and 256 times', async (letter) => {
    const gallery = expectCreated(
      await api.createGallery({ gallery_name: letter.repeat(255), include_manage_url: '1' }),
    )
    expect(gallery.name).toBe(letter.repeat(255))
    expectApiError(await api.createGallery({ gallery_name: letter.repeat(256) }), 422)
    expectJson(await api.rename(gallery.managementToken, letter.repeat(255)))
    expectApiError(await api.rename(gallery.managementToken, letter.repeat(256)), 422)
  })

  test('a name far beyond any limit is also rejected', async () => {
    const { managementToken } = await createGallery(api)
    const name = 'a'.repeat(1_000_000)
    const responses = [
      await api.createGallery({ gallery_name: name }),
      await api.rename(managementToken, name),
      await api.postJson(`/management/${managementToken}/rename`, { name }),
    ]
    // 422 for the name, or 413 if the body is cancelled before it is read.
    for (const response of responses) expectApiError(response, response.status === 413 ? 413 : 422)
  })
})

describe('URLs per status request | 1 to 100', () => {
  test.for([
    [0, 422],
    [1, 200],
    [100, 200],
    [101, 422],
  ] as const)('%i: %i', async ([count, status]) => {
    const response = await api.status(Array(count).fill('https://one.example/show/1/2_a.png'))
    if (status === 200) expect(expectJson(response).results).toHaveLength(count)
    else expectApiError(response, status)
  })
})

describe('URL length | 512 bytes each', () => {
  test.for([
    ['512 ASCII characters', 'a'.repeat(512), 200],
    ['513 ASCII characters', 'a'.repeat(513), 422],
    ['256 characters of two bytes', 'é'.repeat(256), 200],
    ['257 characters of two bytes', 'é'.repeat(257), 422],
    ['170 characters of three bytes and two', `${'日'.repeat(170)}aa`, 200],
    ['171 characters of three bytes', '日'.repeat(171), 422],
    ['128 characters of four bytes', '😀'.repeat(128), 200],
    ['129 characters of four bytes', '😀'.repeat(129), 422],
  ] as const)('%s', async ([, url, status]) => {
    const response = await api.status(['x', url])
    if (status === 200) expect(expectJson(response).results).toHaveLength(2)
    else expectApiError(response, status)
  })
})

describe('JSON body size | 64 KiB', () => {
  const ofLength = (length: number) => '{"urls":["x"]}'.padEnd(length, ' ')
  const ofLongCharacters = (length: number) => {
    const body = `{"urls":["x"],"more":"${'日'.repeat(21_000)}"}`
    return body + ' '.repeat(length - Buffer.byteLength(body))
  }
  test.for([
    ['65,536 bytes', ofLength(65_536), 200],
    ['65,537 bytes', ofLength(65_537), 413],
    ['65,536 bytes of long characters', ofLongCharacters(65_536), 200],
    ['65,537 bytes of long characters', ofLongCharacters(65_537), 413],
    ['a megabyte', ofLength(1_000_000), 413],
  ] as const)('%s: %i', async ([, body, status]) => {
    for (const sent of [body, [Buffer.from(body)]]) {
      const headers = { 'content-type': 'application/json', 'cf-connecting-ip': freshAddress() }
      const response = await api.send({ path: '/images/status', body: sent, headers })
      if (status === 200) expectJson(response)
      else expectApiError(response, status)
    }
  })
})

describe('Management token length | exactly 43 characters', () => {
  test.for([
    [42, 404],
    [43, 404],
    [44, 404],
  ] as const)('%i unknown ones: %i', async ([length, status]) => {
    expectApiError(await api.remove('A'.repeat(length)), status)
  })

  test('one character less or more than a valid token is unknown', async () => {
    const { managementToken } = await createGallery(api)
    expectApiError(await api.remove(managementToken.slice(1)), 404)
    expectApiError(await api.remove(`${managementToken}A`), 404)
    expectJson(await api.remove(managementToken))
  })
})

describe('D36: more than 100 megapixels is 422, by the header, before any decoding', () => {
  const lossless = (width: number, height: number) => {
    const bits = BigInt(width - 1) | (BigInt(height - 1) << 14n)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(Number(bits & 0xffffffffn))
    return Buffer.concat([Buffer.from('RIFF\x14\0\0\0WEBPVP8L\x08\0\0\0\x2f', 'latin1'), size, Buffer.alloc(3)])
  }
  const gifOf = (width: number, height: number) => {
    const size = Buffer.from([width & 255, width >> 8, height & 255, height >> 8])
    const image = Buffer.concat([
      Buffer.from([0x2c, 0, 0, 0, 0]),
      size,
      Buffer.from([0x80, 0, 0, 0, 255, 255, 255, 2, 1, 0x4c, 0, 0x3b]),
    ])
    return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0, 0, 0]), image])
  }
  const jpegOf = async (width: number, height: number, progressive = false) => {
    const bytes = await encoder(plain(16, 16, [1, 2, 3]))
      .jpeg({ progressive })
      .toBuffer()
    const frame = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]))
    bytes.writeUInt16BE(height, frame + 5)
    bytes.writeUInt16BE(width, frame + 7)
    return bytes
  }
  const lossy = async (width: number, height: number) => {
    const bytes = await webp(plain(16, 16, [1, 2, 3]))
    const startCode = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
    bytes.writeUInt16LE(width, startCode + 3)
    bytes.writeUInt16LE(height, startCode + 5)
    return bytes
  }
  const pngOf = (width: number, height: number) => pngFile(width, height, 2, [pngChunk('IDAT', Buffer.alloc(20))])

  test.for([
    ['PNG 10,001 x 10,000', () => pngOf(10_001, 10_000)],
    ['PNG 30,000 x 30,000', () => pngOf(30_000, 30_000)],
    ['PNG 2,147,483,647 x 1', () => pngOf(2_147_483_647, 1)],
    ['GIF 10,001 x 10,000', () => gifOf(10_001, 10_000)],
    ['GIF 65,535 x 65,535', () => gifOf(65_535, 65_535)],
    ['WebP 16,383 x 16,383 in 28 bytes', () => lossless(16_383, 16_383)],
    ['a lossy WebP 10,000 x 10,001', () => lossy(10_000, 10_001)],
    ['JPEG 10,001 x 10,000', () => jpegOf(10_001, 10_000)],
    ['a progressive JPEG 10,000 x 10,001', () => jpegOf(10_000, 10_001, true)],
    ['JPEG 65,500 x 65,500', () => jpegOf(65_500, 65_500)],
    ['PNG with a side of 0', () => pngOf(0, 10)],
    ['GIF with a side of 0', () => gifOf(10, 0)],
    ['JPEG with a side of 0', () => jpegOf(0, 10)],
  ] as const)('%s', async ([, make]) => {
    for (const optimize of ['0', '1']) {
      const img = file('a.bin', await make())
      expectTextError(await api.uploadImage({ ...LEAST_IMAGE, img, optimize_for_web: optimize }), 422)
    }
  })

  test('a JPEG of more than 100 scans', async () => {
    const bytes = await jpeg(plain(16, 16, [1, 2, 3]))
    const scan = bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xda])), bytes.length - 2)
    const many = Buffer.concat([
      bytes.subarray(0, bytes.length - 2),
      ...Array<Buffer>(100).fill(scan),
      Buffer.from([0xff, 0xd9]),
    ])
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, img: file('a.jpg', many) }), 422)
  })

  test('a JPEG with many harmless segments is accepted', async () => {
    const bytes = await jpeg(plain(16, 16, [1, 2, 3]))
    const comments = Array<Buffer>(20_000).fill(jpegSegment(0xfe, Buffer.alloc(4)))
    await uploadImage(api, {
      img: file('a.jpg', Buffer.concat([bytes.subarray(0, 2), ...comments, bytes.subarray(2)])),
    })
  })
})
