import { describe, expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { expectApiError, expectJson, expectStatuses } from './support/responses.ts'
import { galleryWithImage, statusOf, uploadCover, uploadImage } from './support/steps.ts'

const api = sharedApi()
const { showUrl, thumbnailUrl, originalUrl } = await uploadImage(api)
const path = new URL(showUrl).pathname
const [, , dir = '', file = ''] = path.split('/')
const [id = '', name = ''] = file.split('_')

describe('Image-page status values', () => {
  test('available: exists, is not deleted, is not part of an unfinished or deleted gallery', async () => {
    const { image } = await galleryWithImage(api, { finalized: true })
    const cover = await uploadCover(api)
    expect(expectStatuses(await api.status([showUrl, image.showUrl, cover.showUrl]))).toEqual(
      Array(3).fill('available'),
    )
  })

  test('deleted: the image, or its gallery, is marked deleted', async () => {
    const standalone = await uploadImage(api, { include_manage_url: '1' })
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    await api.remove(standalone.managementToken)
    await api.remove(gallery.managementToken)
    expect(expectStatuses(await api.status([standalone.showUrl, image.showUrl]))).toEqual(['deleted', 'deleted'])
  })

  test('pending: belongs to a gallery not yet finalized', async () => {
    const { image } = await galleryWithImage(api)
    expect(await statusOf(api, image.showUrl)).toBe('pending')
  })

  test.for([
    ['another id', path.replace(`/${id}_`, `/${Number(id) + 1}_`)],
    ['another directory', path.replace(`/${dir}/`, `/${Number(dir) + 1}/`)],
    ['another name', path.replace(name, `x${name}`)],
    ['a shorter name', path.replace(name, name.slice(1))],
    ['another extension', path.replace('.png', '.gif')],
    ['directory and id 0', `/show/0/0_${name}`],
  ])('not_found: no record matches the complete directory and filename: %s', async ([, other]) => {
    expect(await statusOf(api, `https://one.example${other}`)).toBe('not_found')
  })
})

describe('rule 1: one entry per submitted URL, in input order, duplicates preserved', () => {
  test('mixed', async () => {
    const missing = showUrl.replace(id, `${Number(id) + 1}`)
    const urls = ['x', showUrl, missing, showUrl, 'x', '', showUrl]
    const { results } = expectJson(await api.status(urls))
    const statuses = ['invalid', 'available', 'not_found', 'available', 'invalid', 'invalid', 'available']
    expect(results).toEqual(urls.map((url, index) => ({ url, status: statuses[index] })))
  })

  test('a hundred different images are all distinguished', async () => {
    const urls = Array.from({ length: 100 }, (_, i) =>
      i === 57 ? showUrl : showUrl.replace(id, `${Number(id) + i + 1}`),
    )
    const statuses = expectStatuses(await api.status(urls))
    expect(statuses).toEqual(urls.map((url) => (url === showUrl ? 'available' : 'not_found')))
  })

  test('the same one a hundred times', async () => {
    expect(expectStatuses(await api.status(Array(100).fill(showUrl)))).toEqual(Array(100).fill('available'))
  })

  test('each URL is repeated as it was sent', async () => {
    const urls = ['HTTPS://ONE.example/', 'a\u0000b', '\u{1f600}', '<script>', '"\\', showUrl.toUpperCase()]
    const { results } = expectJson(await api.status(urls))
    expect(results).toEqual(urls.map((url) => ({ url, status: 'invalid' })))
  })
})

describe('rule 2: malformed or foreign URL strings are reported individually and do not fail the batch', () => {
  test('the response is 200 with Cache-Control: no-store', async () => {
    const response = await api.status(['http://[', showUrl, '%', 'https://elsewhere.example/show/1/1_a.png'])
    expect(expectStatuses(response)).toEqual(['invalid', 'available', 'invalid', 'invalid'])
    expect(header(response, 'cache-control')).toBe('no-store')
  })
})

describe('rule 3: exact show URLs on any of the three domains and their www aliases, https and http (D25)', () => {
  const accepted = ['one.example', 'two.example', 'three.example'].flatMap((domain) =>
    ['https', 'http'].flatMap((scheme) => ['', 'www.'].map((prefix) => `${scheme}://${prefix}${domain}${path}`)),
  )
  const inAnyCase = [
    `HTTPS://one.example${path}`,
    `Http://one.example${path}`,
    `https://ONE.EXAMPLE${path}`,
    `https://WwW.Two.Example${path}`,
  ]
  test('all are found', async () => {
    const urls = [...accepted, ...inAnyCase]
    const statuses = expectStatuses(await api.status(urls))
    expect(urls.map((url, index) => [url, statuses[index]])).toEqual(urls.map((url) => [url, 'available']))
  })
})

describe('rule 4: everything else is invalid (D25: matched as raw strings)', () => {
  const base = `https://one.example${path}`
  const rows: [why: string, url: string][] = [
    ['a direct image URL', originalUrl],
    ['a direct image URL on the domain itself', base.replace('/show/', '/images/')],
    ['a thumbnail URL', thumbnailUrl],
    ['a thumbnail URL on the domain itself', base.replace('/show/', '/thumbs/')],
    ['a show path on the thumbnail host', `https://t1.one.example${path}`],
    ['a show path on the image host', `https://img1.one.example${path}`],
    ['a show path on the API host', `https://api.one.example${path}`],
    ['credentials', base.replace('://', '://user:password@')],
    ['a user name', base.replace('://', '://user@')],
    ['empty credentials', base.replace('://', '://@')],
    ['the default port', base.replace('.example/', '.example:443/')],
    ['the default port of http', `http://one.example:80${path}`],
    ['another port', base.replace('.example/', '.example:8443/')],
    ['an empty port', base.replace('.example/', '.example:/')],
    ['a query', `${base}?x=1`],
    ['an empty query', `${base}?`],
    ['a fragment', `${base}#top`],
    ['an empty fragment', `${base}#`],
    ['another host', `https://elsewhere.example${path}`],
    ['a host that ends like ours', `https://notone.example${path}`],
    ['a host that begins like ours', `https://one.example.evil.example${path}`],
    ['a host with another character for the dot', `https://oneXexample${path}`],
    ['a sub-domain', `https://a.one.example${path}`],
    ['www twice', `https://www.www.one.example${path}`],
    ['a trailing dot in the host', `https://one.example.${path}`],
    ['full-width letters in the host', `https://ｏｎｅ.example${path}`],
    ['an ideographic full stop', `https://one。example${path}`],
    ['another scheme', base.replace('https', 'ftp')],
    ['no scheme', base.replace('https:', '')],
    ['nothing before the host', base.replace('https://', '')],
    ['one slash', base.replace('//', '/')],
    ['three slashes', base.replace('//', '///')],
    ['backslashes', base.replaceAll('/', '\\')],
    ['the long s of Unicode in the scheme', base.replace('https', 'httpſ')],
    ['the long s of Unicode in the path', base.replace('/show/', '/ſhow/')],
    ['another case of the path', base.replace('/show/', '/SHOW/')],
    ['a trailing slash', `${base}/`],
    ['a doubled slash in the path', base.replace('/show/', '/show//')],
    ['a dot segment', base.replace('/show/', '/show/./')],
    ['two dot segments', base.replace('/show/', '/x/../show/')],
    ['a percent-encoded character', base.replace('/show/', '/sh%6fw/')],
    ['a percent-encoded slash', base.replace(`/${dir}/`, `/${dir}%2F`)],
    ['a leading space', ` ${base}`],
    ['a trailing space', `${base} `],
    ['a trailing line feed', `${base}\n`],
    ['a line before', `x\n${base}`],
    ['a tab within', base.replace('show', 'sh\tow')],
    ['a NUL at the end', `${base}\0`],
    ['a byte order mark', `\ufeff${base}`],
    ['a leading zero in the directory', base.replace(`/${dir}/`, `/0${dir}/`)],
    ['a leading zero in the id', base.replace(`/${id}_`, `/0${id}_`)],
    ['a sign before the id', base.replace(`/${id}_`, `/+${id}_`)],
    ['a sign before the directory', base.replace(`/${dir}/`, `/-${dir}/`)],
    ['digits of another script', base.replace(`/${dir}/`, '/١٢/')],
    ['no id', base.replace(`/${id}_`, '/_')],
    ['no name', `https://one.example/show/${dir}/${id}_`],
    ['no file', `https://one.example/show/${dir}/`],
    ['the home page', 'https://one.example/'],
    ['a gallery page', 'https://one.example/gallery/abcdefghij'],
    ['nothing', ''],
    ['a word', 'picture'],
    ['a script', 'javascript:alert(1)'],
  ]
  test('all rows', async () => {
    for (let at = 0; at < rows.length; at += 100) {
      const some = rows.slice(at, at + 100)
      const statuses = expectStatuses(await api.status(some.map(([, url]) => url)))
      expect(some.map(([why], index) => [why, statuses[index]])).toEqual(some.map(([why]) => [why, 'invalid']))
    }
  })

  test.for([
    ['a directory of 30 digits', `https://one.example/show/${'9'.repeat(30)}/${id}_${name}`],
    ['an id of 30 digits', `https://one.example/show/${dir}/${'9'.repeat(30)}_${name}`],
    ['an id of 2^53', `https://one.example/show/${dir}/9007199254740992_${name}`],
    ['upper case in the name', `https://one.example/show/${dir}/${id}_${name.toUpperCase()}`],
    ['quotes in the name', `https://one.example/show/${dir}/${id}_'or'1.png`],
    ['a wildcard in the name', `https://one.example/show/${dir}/${id}_%.png`],
  ] as const)('no record, and no failure: %s', async ([, url]) => {
    expect(['invalid', 'not_found']).toContain(await statusOf(api, url))
  })
})

describe('localhost (D6): its own show URLs, with their port, are accepted', () => {
  test('http with the port', async () => {
    const host = `localhost:${new URL(api.baseUrl).port}`
    const local = await uploadImage(api, {}, { host })
    expect(local.showUrl).toMatch(new RegExp(`^http://${host}/show/`))
    expect(await statusOf(api, local.showUrl)).toBe('available')
    const localPath = new URL(local.showUrl).pathname
    expect(await statusOf(api, `https://one.example${localPath}`)).toBe('available')
    expect(expectStatuses(await api.status([`${local.showUrl}?`, `${local.showUrl}#`]))).toEqual(['invalid', 'invalid'])
  })
})

describe('error statuses', () => {
  test.for(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('405: %s, with Allow: POST', async (method) => {
    const response = await api.send({ method, path: '/images/status' })
    expect(response.status).toBe(405)
    expect(header(response, 'allow')).toBe('POST')
    if (method !== 'HEAD') expectApiError(response, 405)
  })

  test.for([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset=UTF-8', 200],
    ['Application/JSON', 200],
    ['text/json', 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/json5', 415],
    ['application/vnd.api+json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=application/json', 415],
    ['json', 415],
    [undefined, 415],
  ] as [string | undefined, number][])('Content-Type %s: %i', async ([type, status]) => {
    const headers = { 'cf-connecting-ip': freshAddress(), ...(type === undefined ? {} : { 'content-type': type }) }
    const response = await api.send({ path: '/images/status', body: '{"urls":["x"]}', headers })
    if (status === 200) expectJson(response)
    else expectApiError(response, status)
  })

  test('400: bytes that are not UTF-8, deep nesting, and other invalid JSON', async () => {
    const bodies = [
      Buffer.from([0x22, 0xff, 0x22]),
      '['.repeat(30_000),
      "{'urls':['x']}",
      '{"urls":["x"],}',
      '\0',
      'undefined',
    ]
    for (const body of bodies) {
      const headers = { 'cf-connecting-ip': freshAddress(), 'content-type': 'application/json' }
      expectApiError(await api.send({ path: '/images/status', body, headers }), 400)
    }
  })

  test('additional properties are tolerated', async () => {
    const more = { headers: { 'cf-connecting-ip': freshAddress() } }
    const body = { more: { urls: [1] }, urls: [showUrl], and: null }
    expect(expectStatuses(await api.postJson('/images/status', body, more))).toEqual(['available'])
  })
})
