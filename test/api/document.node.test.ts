import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { OPENAPI_JSON_PATH, OPENAPI_YAML_PATH, REFERENCE_PATH } from '../../src/api/contract.ts'
import { openApiDocument } from '../../src/api/document.ts'
import examples from '../../src/api/examples.json' with { type: 'json' }
import { OPERATIONS } from '../../src/api/operations.ts'
import { onDomain } from '../../src/api/placeholder.ts'
import { referenceMarkup } from '../../src/api/reference.tsx'
import { yamlOf } from '../../src/api/yaml.ts'
import { ERROR_CODES } from '../../src/errors.ts'
import { readStaticText } from '../support/static-assets.ts'

const document = openApiDocument({ examples })
const text = JSON.stringify(document)
const { paths }: { paths: Record<string, Record<string, { operationId: string; responses: object }>> } =
  JSON.parse(text)
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

describe('the document', () => {
  test('the generated document matches these sources', () => {
    expect(readStaticText(OPENAPI_JSON_PATH)).toBe(text)
    expect(readStaticText(OPENAPI_YAML_PATH)).toBe(yamlOf(document))
    expect(readStaticText(REFERENCE_PATH)).toBe(referenceMarkup({ examples }))
  })

  test('lists every error except those of the operator and of pages', () => {
    const unnamed = ERROR_CODES.filter(
      (code) => !OPERATIONS.some(({ errors }) => errors.codes.some((one) => one === code)),
    )
    expect(unnamed).toEqual(['operator_key_incorrect', 'foreign_origin'])
  })

  test.each([
    ['uploadImage', [200, 400, 401, 403, 408, 409, 413, 414, 415, 416, 422, 429, 500, 503, 507]],
    ['uploadCover', [200, 400, 401, 403, 408, 409, 413, 414, 415, 416, 422, 429, 500, 503, 507]],
    ['checkImageStatus', [200, 400, 405, 408, 413, 415, 422, 429, 500, 503]],
    ['createGallery', [200, 400, 401, 403, 408, 409, 413, 422, 429, 500, 503, 507]],
    ['finalizeGallery', [200, 400, 408, 413, 415, 416, 417, 422, 429, 500, 503, 507]],
    ['renameManagedGallery', [200, 400, 404, 408, 410, 413, 422, 429, 500, 503, 507]],
    ['deleteManagedResource', [200, 400, 404, 409, 410, 422, 429, 500, 503, 507]],
    ['getOriginal', [200, 206, 304, 404, 410, 412, 416, 500, 503]],
    ['headThumbnail', [200, 304, 404, 410, 412, 500, 503]],
    ['createGuestLink', [200, 400, 404, 408, 410, 413, 422, 429, 500, 503, 507]],
    ['uploadGuestImage', [200, 400, 403, 404, 408, 409, 410, 413, 414, 422, 429, 500, 503, 507]],
    ['getImage', [200, 304, 404, 410, 500, 503]],
    ['getGallery', [200, 304, 404, 410, 422, 500, 503]],
    ['getOembed', [200, 400, 404, 410, 422, 500, 501, 503]],
  ])('the response to %s is %j', (id, statuses) => {
    const operation = operations.find(({ operationId }) => operationId === id)
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual(statuses)
  })

  test.each([
    ['an uploaded file', '"maxLength":10485760'],
    ['an uploaded file, for people', 'up to 10 MiB'],
    ['the smallest thumbnail', '"minimum":150'],
    ['the largest', '"maximum":500'],
    ['its default', 'Default: 200.'],
    ['a gallery name', '"maxLength":255'],
    ['URLs of a status request', '"maxItems":100'],
    ['a URL', '"maxLength":512'],
    ['a management token', '{43}'],
    ['the rate', 'q=5;w=30'],
    ['a status body', '64 KiB'],
    ['the longest edge', '3840 pixels'],
    ['the quality', 'quality 90'],
  ])('states the limit of %s', (_, limit) => {
    expect(text).toContain(limit)
  })

  // openapi-generator and others make a field with a default required.
  test('has no default in the schemas of requests', () => {
    expect(text).not.toContain('"default":')
  })

  test('has a recorded response for every error that requests cause', () => {
    const shown = new Set(examples.map(({ title }) => title))
    const unshown = ERROR_CODES.filter((code) => !shown.has(code))
    expect(unshown.sort()).toEqual([
      // Broken bodies of many kinds share the example of malformed JSON. The others need luck, time, load, 10,000 images or
      // the operator. The last case is an image that the operator blocked, which no example sends.
      'blocked_content',
      'body_too_slow',
      // The operator's limits are off in the recording of the others.
      'client_limit_reached',
      'duplicate_field',
      'foreign_origin',
      'gallery_full',
      'gallery_not_finalizable',
      'human_check_required',
      'image_too_large',
      'internal_error',
      'operator_key_incorrect',
      'overloaded',
      'request_in_progress',
      'storage_full',
      'storage_unavailable',
      // The hook of an operator, which the service of the examples has not.
      'upload_check_unavailable',
      'upload_denied',
      'upload_key_required',
    ])
  })
})

test('the links of the placeholder become those of a domain', () => {
  const site = { pages: 'https://d.example', thumbnails: 'https://t1.d.example', originals: 'https://img1.d.example' }
  const sent = onDomain(site, readStaticText(OPENAPI_JSON_PATH) + readStaticText(REFERENCE_PATH))
  expect(sent).toContain('https://t1.d.example/thumbs/')
  expect(sent).not.toContain('pics.invalid')
})

test('the Worker contains neither Zod nor validators or linters', async () => {
  const { metafile } = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    conditions: ['workerd'],
    external: ['cloudflare:*', 'node:*', '*.wasm'],
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs).toContain('generated/contract.ts')
  expect(
    inputs.filter((input) => /node_modules\/(?:zod|ajv|@redocly)\/|src\/api\/(?:document|operations)/.test(input)),
  ).toEqual([])
})
