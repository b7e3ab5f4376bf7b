'use strict'
// A plugin of PicGo and PicGo-Core (https://picgo.app). They load CommonJS, in a Node.js as old as 16, and send its requests through their
// own proxy settings. It has no dependencies.
const { randomUUID } = require('node:crypto')

const NAME = 'tintype'
const ADDRESSES = ['original', 'preview', 'thumbnail']
const ATTEMPTS = 4
const FIRST_WAIT_MS = 500
/** A host that asks for a longer wait gets no further attempt. */
const LONGEST_WAIT_MS = 60_000
/** Too many requests, and a host that is busy or restarts. */
const PASSING = [429, 502, 503, 504]

/**
 * An image of PicGo: the plugin reads its content and name, and sets its address.
 * @typedef {{ buffer?: Buffer, base64Image?: string, fileName?: string, extname?: string, imgUrl?: string }} Image
 * @typedef {{ url?: string, key?: string, address?: string, thumbnail?: string | number, optimize?: boolean, adult?: boolean }} Settings
 * @typedef {{ status: number, headers: Record<string, unknown>, data: unknown }} Response
 * @typedef {object} PicGo
 * @property {Image[]} output
 * @property {(name: string) => unknown} getConfig
 * @property {(options: object) => Promise<Response>} request
 * @property {(event: string, notice: { title: string, body: string }) => void} emit
 * @property {{ uploader: { register: (name: string, uploader: object) => void } }} helper
 */

/** @param {PicGo} picgo */
module.exports = (picgo) => ({
  uploader: NAME,
  register: () => picgo.helper.uploader.register(NAME, { name: 'Tintype', handle, config: settingsOf }),
})

/**
 * Uploads all images, one by one, and sets their addresses.
 * @param {PicGo} picgo
 */
async function handle(picgo) {
  try {
    const settings = readSettings(picgo.getConfig(`picBed.${NAME}`))
    for (const image of picgo.output) {
      image.imgUrl = await upload(picgo, image, settings)
      // PicGo keeps what is left in its list of uploads.
      delete image.buffer
      delete image.base64Image
    }
    return picgo
  } catch (error) {
    const body = error instanceof Error ? error.message : String(error)
    picgo.emit('notification', { title: 'Tintype', body })
    throw new Error(body)
  }
}

/**
 * @param {PicGo} picgo
 * @param {Image} image
 * @param {ReturnType<typeof readSettings>} settings
 */
async function upload(picgo, image, { base, key, address, fields }) {
  const bytes = image.buffer ?? Buffer.from((image.base64Image ?? '').replace(/^data:[^,]*,/, ''), 'base64')
  const boundary = `tintype-${randomUUID()}`
  const request = {
    method: 'POST',
    url: `${base}/images`,
    headers: {
      Accept: 'application/json',
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      // The same for every attempt, so that a host stores the image once.
      'Idempotency-Key': randomUUID(),
      ...(key && { Authorization: `Bearer ${key}` }),
    },
    data: multipartForm(boundary, fields, image.fileName || `image${image.extname ?? ''}`, bytes),
  }
  const { status, data } = await persist(() => send(picgo, request))
  if (status !== 200) throw new Error(sentenceOf(status, data))
  const thumbnail = thumbnailOf(data)
  if (address === 'thumbnail') return thumbnail
  if (address === 'preview') {
    const preview = thumbnail.replace('/thumbs/', '/previews/')
    const { status } = await send(picgo, { method: 'HEAD', url: preview })
    if (status === 200) return preview
  }
  return originalOf(thumbnail)
}

/**
 * Repeats a request while its failure may pass.
 * @param {() => Promise<Response>} attempt
 * @returns {Promise<Response>}
 */
async function persist(attempt) {
  for (let tries = 1; ; tries++) {
    /** @type {Response | Error} */
    const outcome = await attempt().catch((error) => (error instanceof Error ? error : new Error(String(error))))
    const isPassing = outcome instanceof Error || PASSING.includes(outcome.status)
    const waitMs = (outcome instanceof Error ? undefined : askedWait(outcome)) ?? FIRST_WAIT_MS * 2 ** (tries - 1)
    if (isPassing && tries < ATTEMPTS && waitMs <= LONGEST_WAIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      continue
    }
    if (outcome instanceof Error) throw outcome
    return outcome
  }
}

/**
 * Sends a request. Throws an error with a sentence, and without the key, if no response comes.
 * @param {PicGo} picgo
 * @param {object} request
 * @returns {Promise<Response>}
 */
async function send(picgo, request) {
  try {
    const { status, headers, data } = await picgo.request({
      ...request,
      resolveWithFullResponse: true,
      maxBodyLength: Number.POSITIVE_INFINITY,
      validateStatus: () => true,
    })
    return { status, headers, data: parsed(data) }
  } catch (error) {
    // PicGo's error has the request with its headers, so only its sentence is repeated.
    const isObject = typeof error === 'object' && error !== null
    throw new Error(`the host does not respond: ${isObject && 'message' in error ? error.message : 'unknown'}`)
  }
}

/** @param {unknown} data */
function parsed(data) {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

/** @param {Response} response */
function askedWait({ headers }) {
  const value = headers['retry-after']
  return typeof value === 'string' && /^[0-9]{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}

/**
 * The sentence of the host.
 * @param {number} status
 * @param {unknown} data
 */
function sentenceOf(status, data) {
  if (typeof data === 'object' && data !== null && 'message' in data) return String(data.message)
  const text = typeof data === 'string' ? data.trim() : ''
  return text && text.length <= 300 && !text.startsWith('<') ? text : `the host responded with ${status}`
}

/** @param {unknown} data */
function thumbnailOf(data) {
  const url = typeof data === 'object' && data !== null && 'th_url' in data ? data.th_url : undefined
  if (typeof url !== 'string' || !/^https?:\/\/[^\s"<>]+\/thumbs\//.test(url)) {
    throw new Error('the host responded with success, but not like this API: check url')
  }
  return url
}

/**
 * The address of the original: that of the thumbnail, in another folder and, where thumbnails have hosts of their own, on another host.
 * @param {string} thumbnail
 */
function originalOf(thumbnail) {
  return thumbnail.replace(/^(https?:\/\/)t(?=[0-9]+\.)/, '$1img').replace('/thumbs/', '/images/')
}

/**
 * Writes a form as multipart/form-data (RFC 7578).
 * @param {string} boundary
 * @param {Record<string, string>} fields
 * @param {string} name
 * @param {Buffer} bytes
 */
function multipartForm(boundary, fields, name, bytes) {
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const escaped = name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="img"; filename="${escaped}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return Buffer.concat([Buffer.from(parts.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/**
 * Reads the settings, as PicGo stores them: as text or as typed values. Throws an error that says what to change.
 * @param {unknown} stored
 */
function readSettings(stored) {
  /** @type {Settings} */
  const settings = typeof stored === 'object' && stored !== null ? stored : {}
  const { url = '', key = '', address = 'original', thumbnail = '500', optimize, adult } = settings
  const base = url.trim().replace(/\/+$/, '')
  if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(base)) {
    throw new Error('url must be an address such as https://pics.example')
  }
  if (!ADDRESSES.includes(address)) throw new Error(`address must be one of ${ADDRESSES.join(', ')}`)
  const fields = {
    content_type: isOn(adult) ? '1' : '0',
    max_th_size: String(thumbnail).trim() || '500',
    ...(isOn(optimize) && { optimize_for_web: '1' }),
  }
  return { base, key: key.trim(), address, fields }
}

/** @param {unknown} value */
function isOn(value) {
  return value === true || value === 'true'
}

/**
 * The settings that PicGo asks for.
 * @param {PicGo} picgo
 */
function settingsOf(picgo) {
  const stored = picgo.getConfig(`picBed.${NAME}`)
  /** @type {Settings} */
  const {
    url = '',
    key = '',
    address = 'original',
    thumbnail = '500',
    optimize = false,
    adult = false,
  } = typeof stored === 'object' && stored !== null ? stored : {}
  return [
    { name: 'url', type: 'input', default: url, required: true, message: 'https://pics.example', alias: 'Host' },
    { name: 'address', type: 'list', choices: ADDRESSES, default: address, required: true, alias: 'Address' },
    { name: 'thumbnail', type: 'input', default: String(thumbnail), required: false, alias: 'Thumbnail (150 to 500)' },
    { name: 'optimize', type: 'confirm', default: optimize, required: false, alias: 'Optimize' },
    { name: 'adult', type: 'confirm', default: adult, required: false, alias: 'Adult' },
    { name: 'key', type: 'password', default: key, required: false, alias: 'Key' },
  ]
}
