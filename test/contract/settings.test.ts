import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { freshAddress, reachableOrigin } from './support/api.ts'
import { jpeg, photo, png } from './support/images.ts'

/** Tests each integration as its program uses it. Uploads are deleted by the links that the program received. */

const IMAGE = await png(photo(640, 480))
const DAY_MS = 86_400_000

/** A JSON value. Tests check its content. */
type Json = { [name: string]: Json } & { [index: number]: Json }

const folder = await mkdtemp(join(tmpdir(), 'tintype-settings-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const get = (path: string, headers: Record<string, string> = {}) => fetch(reachableOrigin() + path, { headers })
const getText = async (path: string) => (await get(path)).text()
const jsonOf = async (response: Response): Promise<Json> => JSON.parse(await response.text())
const getJson = async (path: string) => jsonOf(await get(path))

describe('/share, past the service worker', () => {
  const share = (files: readonly Uint8Array[]) => {
    const body = new FormData()
    for (const [index, bytes] of files.entries()) body.append('img', new File([bytes.slice()], `${index}.png`))
    return fetch(`${reachableOrigin()}/share`, { method: 'POST', body, redirect: 'manual' })
  }

  test('many images become a gallery, without other files, and the response redirects to its private link', async () => {
    const response = await share([IMAGE, Buffer.from('no picture'), IMAGE])
    expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const { pathname, search } = new URL(response.headers.get('location') ?? '')
    const managed = await getText(pathname + search)
    expect(managed).toContain('Manage your gallery')
    expect(managed).toMatch(/role="alert">1 picture could not be uploaded\.</)
    const [gallery = ''] = managed.match(/\/gallery\/[A-Za-z0-9_-]+/) ?? []
    expect((await getText(gallery)).match(/<a href="[^"]*\/show\//g)).toHaveLength(2)
    const removed = await fetch(`${reachableOrigin()}${pathname.replace('/manage/', '/management/')}/delete`, {
      method: 'POST',
    })
    expect(removed.status).toBe(200)
  })

  test('unreadable files are an error, and create no gallery', async () => {
    const response = await share([Buffer.from('no'), Buffer.from('picture')])
    expect(response.status).toBe(414)
    const form = await response.text()
    expect(form).toMatch(/role="alert"[^>]*>This file type isn’t supported\./)
    expect(form).toContain('<form id="upload"')
  })

  test('one image redirects to its private link, which reports no failure whatever its query says', async () => {
    const response = await share([IMAGE])
    const { pathname, search } = new URL(response.headers.get('location') ?? '')
    expect(search).toBe('')
    for (const failed of ['0', '-1', '1e3', '12345', '<b>']) {
      expect(await getText(`${pathname}?failed=${encodeURIComponent(failed)}`)).not.toContain('role="alert"')
    }
  })
})

describe('/.well-known/api-catalog', () => {
  test('is a linkset with links to existing descriptions of the API', async () => {
    const response = await get('/.well-known/api-catalog')
    expect(response.headers.get('content-type')).toMatch(/^application\/linkset\+json; profile="/)
    const { linkset } = await jsonOf(response)
    const described = Object.values(linkset ?? {}).find((link) => 'service-desc' in link)
    const links = ['service-desc', 'service-doc'].flatMap((relation) => Object.values(described?.[relation] ?? {}))
    expect(links).toHaveLength(5)
    for (const { href, type } of links) {
      const { status, headers } = await get(new URL(String(href)).pathname)
      expect([status, headers.get('content-type')?.split(';')[0]], String(href)).toEqual([200, type])
    }
  })
})

test('/favicon.ico is one complete image of 192 x 192 pixels', async () => {
  const bytes = Buffer.from(await (await get('/favicon.ico')).arrayBuffer())
  const image = bytes.subarray(bytes.readUInt32LE(18))
  expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4), bytes.readUInt32LE(14)]).toEqual([1, 1, image.length])
  expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 192 })
})

describe('every one of them', () => {
  test.for([
    ['/sharex.sxcu', 'application/json; charset=UTF-8'],
    ['/picgo.json', 'application/json; charset=UTF-8'],
    ['/flameshot.sh', 'text/plain; charset=UTF-8'],
    ['/postman.json', 'application/json; charset=UTF-8'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=UTF-8'],
    ['/robots.txt', 'text/plain; charset=UTF-8'],
    ['/llms.txt', 'text/plain; charset=UTF-8'],
    ['/embed.js', 'text/javascript; charset=UTF-8'],
    ['/openapi.yaml', 'application/yaml; charset=UTF-8'],
    ['/favicon.ico', 'image/x-icon'],
    ['/.well-known/security.txt', 'text/plain; charset=UTF-8'],
    ['/tools', 'text/html; charset=UTF-8'],
  ] as const)('%s is %s', async ([path, type]) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await response.text()).length).toBeGreaterThan(20)
  })
})

describe('ShareX', () => {
  test('downloads as a file that a double click imports', async () => {
    const response = await get('/sharex.sxcu')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9.-]+\.sxcu"$/)
    expect(await response.json()).toMatchObject({ Version: '15.0.0', DestinationType: 'ImageUploader' })
  })

  test('uploads, and gets the links of page, thumbnail and deletion', async () => {
    const { link, thumbnail, deletion, error } = await uploadLikeShareX(await getJson('/sharex.sxcu'), IMAGE)
    expect(error).toBeUndefined()
    expect((await fetch(link)).status).toBe(200)
    expect((await fetch(thumbnail)).headers.get('content-type')).toBe('image/webp')
    expect((await fetch(deletion)).status).toBe(200)
    await expectDeleted(deletion, link)
  })

  test('shows the sentence of an error', async () => {
    const { error } = await uploadLikeShareX(await getJson('/sharex.sxcu'), Buffer.from('no picture'))
    expect(error).toMatch(/^[a-z].*JPEG, PNG, GIF, WebP/)
  })
})

describe('PicGo', () => {
  test('gets an address that shows an image in Markdown', async () => {
    const settings = await getJson('/picgo.json')
    expect(settings.picBed?.uploader).toBe('web-uploader')
    const plugin = settings.picBed?.['web-uploader']
    // The request of the plugin: the custom body, then the image. The address is read at a path of the JSON.
    const custom = JSON.parse(String(plugin?.customBody))
    // For the deletion at the end of this test.
    const form = formOf({ ...custom, include_manage_url: '1' }, String(plugin?.paramName), IMAGE)
    const body = await jsonOf(await fetch(String(plugin?.url), { method: 'POST', body: form }))
    const address = String(at(body, String(plugin?.jsonPath)))
    const shown = await fetch(address)
    expect(shown.headers.get('content-type')).toBe('image/webp')
    expect(Number(body.thumb_width)).toBe(500)
    await expectDeleted(String(body.manage_url), String(body.show_url))
  })
})

describe('Flameshot', () => {
  test('its screenshot is uploaded: the link is printed, with the private one beside it', async () => {
    await writeFile(join(folder, 'screenshot.png'), IMAGE)
    const flameshot = `#!/bin/sh\n[ "$*" = 'gui --raw' ] && cat '${join(folder, 'screenshot.png')}'\n`
    await writeFile(join(folder, 'flameshot'), flameshot)
    await chmod(join(folder, 'flameshot'), 0o755)
    const { stdout, stderr, code } = await runScript([])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\/show\/\d+\/\d+_screenshot\.png\n$/) })
    await expectDeleted(/https?:\S+/.exec(stderr)?.[0] ?? '', stdout.trim())
  })

  test('a file is uploaded under its name', async () => {
    const image = join(folder, 'Фото; "день, 1".jpg')
    await writeFile(image, await jpeg(photo(300, 200)))
    const { stdout, stderr } = await runScript([image])
    const page = await (await fetch(stdout.trim())).text()
    expect(page).toContain('<title>Фото день 1.jpg')
    await expectDeleted(/https?:\S+/.exec(stderr)?.[0] ?? '', stdout.trim())
  })

  test('an image from the standard input is uploaded', async () => {
    const { stdout, stderr } = await runScript(['-'], IMAGE)
    expect(stdout).toMatch(/_screenshot\.png\n$/)
    await expectDeleted(/https?:\S+/.exec(stderr)?.[0] ?? '', stdout.trim())
  })

  test('an error prints its sentence and no link, and fails', async () => {
    const { stdout, stderr, code } = await runScript(['-'], Buffer.from('no picture'))
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain('JPEG, PNG, GIF, WebP')
  })

  test('a cancelled screenshot uploads nothing', async () => {
    expect(await runScript(['-'], Buffer.alloc(0))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no picture to upload.\n',
    })
  })
})

describe('Postman', () => {
  test('all requests of the collection, from top to bottom, are 200', async () => {
    const collection = await getJson('/postman.json')
    expect(collection.info?.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
    const variables = new Map(list(collection.variable).map(({ key, value }) => [String(key), String(value)]))
    const asked: string[] = []
    const tokens = new Set<string>()
    for (const item of list(collection.item)) {
      const { status, path } = await askLikePostman(item, variables)
      expect(status, `${item.name}`).toBe(200)
      asked.push(path.replace(/\{\{\w+\}\}/g, '*'))
      for (const [name, value] of variables) if (name.endsWith('_token')) tokens.add(value)
    }
    for (const token of tokens) await fetch(`${reachableOrigin()}/management/${token}/delete`, { method: 'POST' })
    expect(new Set(asked)).toEqual(
      new Set([
        '*/images',
        '*/covers',
        '*/images/status',
        '*/galleries',
        '*/galleries/*/finalize',
        '*/management/*/rename',
        '*/management/*/delete',
      ]),
    )
  })
})

describe('the web app manifest', () => {
  test('every page names it, and lets it be read', async () => {
    const response = await get('/')
    expect(await response.text()).toContain('<link rel="manifest" href="/manifest.webmanifest">')
    expect(response.headers.get('content-security-policy')).toContain("manifest-src 'self'")
  })

  test('browsers may install it: name, start, display, and icons of 192 and 512 pixels', async () => {
    const manifest = await getJson('/manifest.webmanifest')
    expect(manifest).toMatchObject({ name: 'Tintype', start_url: '/', display: 'minimal-ui' })
    const icons = list(manifest.icons)
    expect(icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any any',
      'any 192x192',
      'any 512x512',
      'maskable 512x512',
    ])
    for (const { src, sizes, type } of icons) {
      const icon = await get(String(src))
      expect(icon.headers.get('content-type')).toBe(type)
      if (String(type) !== 'image/png') continue
      const header = Buffer.from(await icon.arrayBuffer())
      expect(header.toString('latin1', 1, 4)).toBe('PNG')
      expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`).toBe(sizes)
    }
  })

  test('speaks the language of the reader', async () => {
    const [english, german] = await Promise.all(
      ['en', 'de'].map(async (language) => jsonOf(await get('/manifest.webmanifest', { 'accept-language': language }))),
    )
    expect(String(english?.description)).not.toBe(String(german?.description))
  })

  test('an image that a phone shares past its service worker is uploaded, and the response redirects to its private link', async () => {
    const { share_target: target } = await getJson('/manifest.webmanifest')
    expect(target).toMatchObject({ method: 'POST', enctype: 'multipart/form-data' })
    const [files] = list(target?.params?.files)
    expect(list(files?.accept).map(String)).toEqual(
      expect.arrayContaining(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']),
    )
    // Phones send no other field.
    const form = formOf({}, String(files?.name), IMAGE)
    const address = new URL(String(target?.action), reachableOrigin())
    const response = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
    const privateLink = response.headers.get('Location') ?? ''
    expect([response.status, privateLink]).toEqual([303, expect.stringMatching(/\/manage\/[A-Za-z0-9_-]{43}$/)])
    const link = /https?:[^"<\s]+\/show\/[^"<\s]+/.exec(await (await fetch(privateLink)).text())?.[0] ?? ''
    expect((await fetch(link)).status).toBe(200)
    await expectDeleted(privateLink, link)
  })
})

test('security.txt has the fields of RFC 9116, and expires within a year', async () => {
  const text = await getText('/.well-known/security.txt')
  expect(text).toMatch(/\n$/)
  const fields = text
    .trim()
    .split('\n')
    .map((line) => /^([A-Za-z-]+): (\S.*)$/.exec(line)?.slice(1) ?? expect.fail(line))
  const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value ?? '')
  expect(valuesOf('Contact').length).toBeGreaterThan(0)
  for (const contact of valuesOf('Contact')) expect(contact).toMatch(/^(?:mailto:[^\s@]+@\S+|https:\/\/\S+|tel:\S+)$/)
  const [expires = '', ...more] = valuesOf('Expires')
  expect(more).toEqual([])
  expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
  expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 30 * DAY_MS)
  expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * DAY_MS)
  expect(valuesOf('Canonical')).toEqual([`${reachableOrigin()}/.well-known/security.txt`])
})

describe('robots.txt', () => {
  test.for([
    ['/', true],
    ['/show/1/2_a.png', true],
    ['/gallery/abcdefghij', true],
    ['/tools', true],
    ['/manage/x', false],
    ['/report?url=x', false],
    ['/upload', false],
    ['/operator/reports', false],
  ] as const)('%s: %j', async ([path, allowed]) => {
    // RFC 9309, 2.2.2: the longest matching prefix decides.
    const rules = [...(await getText('/robots.txt')).matchAll(/^(Allow|Disallow): (\S*)$/gm)]
    const [rule] = rules
      .filter(([, , prefix = '']) => path.startsWith(prefix))
      .sort(([, , a = ''], [, , b = '']) => b.length - a.length)
    expect(rule?.[1] ?? 'Allow').toBe(allowed ? 'Allow' : 'Disallow')
  })
})

test('/tools links to all of them, and its commands name this host', async () => {
  const page = await getText('/tools')
  for (const path of ['/sharex.sxcu', '/picgo.json', '/postman.json']) expect(page).toContain(`href="${path}"`)
  expect(page).toContain(`${reachableOrigin()}/flameshot.sh`)
  expect(page).toContain(`${reachableOrigin()}/images`)
})

/**
 * Uploads like ShareX with a custom uploader (its documentation, "Custom uploader"), with the features that ours uses.
 */
async function uploadLikeShareX(uploader: Json, image: Buffer) {
  expect([String(uploader.RequestMethod), String(uploader.Body)]).toEqual(['POST', 'MultipartFormData'])
  const form = formOf(uploader.Arguments ?? {}, String(uploader.FileFormName), image)
  const uploaded = await fetch(String(uploader.RequestURL), { method: 'POST', body: form })
  const response = await uploaded.text()
  const filledIn = (template: Json | undefined) =>
    String(template).replace(/\{(json|response)(?::([^{}]*))?\}/g, (_, kind, path) =>
      kind === 'response' ? response : String(at(JSON.parse(response), path)),
    )
  if (!uploaded.ok) return { link: '', thumbnail: '', deletion: '', error: filledIn(uploader.ErrorMessage) }
  const [link, thumbnail, deletion] = [uploader.URL, uploader.ThumbnailURL, uploader.DeletionURL].map(filledIn)
  return { link: link ?? '', thumbnail: thumbnail ?? '', deletion: deletion ?? '', error: undefined }
}

/** Sends one request of a collection, then runs its script with the parts of `pm` that ours uses. */
async function askLikePostman(item: Json, variables: Map<string, string>) {
  const filledIn = (text: Json | undefined) =>
    String(text).replace(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? expect.fail(`no variable ${name}`))
  const { body, url } = item.request ?? {}
  const fields = (list_: Json | undefined) =>
    Object.fromEntries(list(list_).map(({ key, value }) => [String(key), filledIn(value)]))
  const bodies: Record<string, () => BodyInit> = {
    formdata: () => {
      const form = new FormData()
      for (const { key, type, value } of list(body?.formdata)) {
        if (String(type) === 'file') form.append(String(key), new Blob([IMAGE]), 'picture.png')
        else form.append(String(key), filledIn(value))
      }
      return form
    },
    urlencoded: () => new URLSearchParams(fields(body?.urlencoded)),
    raw: () => filledIn(body?.raw),
  }
  const made = body && bodies[String(body.mode)]?.()
  const response = await fetch(filledIn(url?.raw), {
    method: String(item.request?.method),
    headers: {
      // Another test may have used up the limit of this machine's address.
      'cf-connecting-ip': freshAddress(),
      ...(typeof made === 'string' && { 'content-type': 'application/json' }),
    },
    ...(made && { body: made }),
  })
  const text = await response.text()
  const pm = {
    response: { json: () => JSON.parse(text) },
    collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
  }
  for (const { script } of list(item.event)) new Function('pm', list(script?.exec).join('\n'))(pm)
  return { status: response.status, path: String(url?.raw) }
}

async function runScript(args: string[], input?: Buffer): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = join(folder, 'tintype-screenshot')
  await writeFile(script, await getText('/flameshot.sh'))
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      [script, ...args],
      { env: { ...env, PATH: `${folder}${delimiter}${env.PATH}` } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Deletes an upload as a program does with the private link, and expects it to be deleted. */
async function expectDeleted(manageUrl: string, showUrl: string): Promise<void> {
  const { origin, pathname } = new URL(manageUrl)
  const deleted = await fetch(`${origin}${pathname.replace('/manage/', '/management/')}/delete`, { method: 'POST' })
  expect(deleted.status).toBe(200)
  expect((await fetch(showUrl)).status).toBe(404)
}

function formOf(fields: object, fileField: string, image: Buffer): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append(fileField, new Blob([image]), 'picture.png')
  return form
}

function at(value: Json, path: string): Json | undefined {
  return path.split('.').reduce((inner: Json | undefined, name) => inner?.[name], value)
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}
