import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { en } from '../../../../src/pages/messages/en.ts'
import { file } from '../../../contract/support/multipart-body.ts'
import { stopServer } from '../../../support/stop-server.ts'
import { jpegOf, sharedGallery, uploadPhoto } from '../../support/content.ts'
import { KEY, type Tab } from './tab.ts'
import { Visitor } from './visitor.ts'

/** A browser that the flows run in. */
interface Engine {
  name: string
  start: () => Promise<Tab>
  /** The packages to install, if it is missing. */
  missing: string | undefined
  /** Messages of its console on every page. */
  expected?: readonly RegExp[]
}

const DESKTOP = [1280, 900] as const
const PHONE = [390, 800] as const
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,30N"/></rdf:RDF></x:xmpmeta>`
const { upload } = en

/** Runs the main flows of a user in a browser. Screenshots are stored if SCREENSHOTS is set. */
export function describeFlows({ name, start, missing, expected = [] }: Engine): void {
  describe.skipIf(missing !== undefined)(`in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tintype-files-'))
    const screenshots = join(import.meta.dirname, '../../../../generated/screenshots', name.toLowerCase())
    let tab: Tab
    let user: Visitor

    beforeAll(async () => {
      tab = await start()
      user = new Visitor(tab, inject('baseUrl'), process.env.SCREENSHOTS ? screenshots : undefined)
      await user.resizes(...DESKTOP)
    })
    afterEach(() => user.expectsSilence([...expected, WITHOUT_SCRIPTS]))
    afterAll(async () => {
      await tab.close()
      rmSync(folder, { recursive: true })
    })

    /** Writes files to choose, and returns their paths. */
    async function files(...names: readonly string[]): Promise<string[]> {
      const paths = names.map((fileName) => join(folder, fileName))
      const images = await Promise.all(names.map((_, index) => jpegOf(900, 600, index + 1)))
      for (const [index, path] of paths.entries()) writeFileSync(path, images[index] ?? '')
      return paths
    }

    async function chooses(...paths: readonly string[]): Promise<void> {
      await user.open('/')
      await user.choosesFiles(paths)
      await user.expects("document.querySelectorAll('#files > li').length", paths.length)
      await user.expects("document.querySelectorAll('#files canvas[data-drawn]').length", paths.length)
    }

    test('an image is chosen, uploaded, shown, and listed on the device, where it is deleted', async () => {
      await chooses(...(await files('beach.jpg')))
      await user.photographs('chosen')
      await user.clicks('button', 'Upload 1 picture')
      await user.sees('heading', upload.results)
      await user.photographs('uploaded')
      const page = await user.evaluate(`document.querySelector('#results a[href*="/show/"]').href`)
      await user.open(String(page))
      await user.expects("document.querySelector('#image').naturalWidth", 900)
      await user.clicks('button', 'Copy: Link')
      await user.expects("document.querySelector('.copy[data-copied]') !== null", true)
      await user.photographs('image')

      await user.open('/uploads')
      await user.photographs('uploads')
      await user.clicks('button', 'Delete beach.jpg')
      await user.clicks('button', en.uploads.delete)
      await user.expects(
        `document.body.textContent.includes('${en.uploads.deleted.replace('{name}', 'beach.jpg')}')`,
        true,
      )
      await user.misses('dialog', '')
      // Keyboard users keep their place.
      await user.expects('document.activeElement === document.body', false)
      // Others see no ring after a click.
      await user.expects(RING, 'none')
    })

    test('several images become a gallery, in the order of the list, and open in the viewer', async () => {
      const paths = await files('one.jpg', 'two.jpg', 'three.jpg')
      await chooses(...paths)
      const nameOf = (index: number) => `document.querySelectorAll('#files .name')[${index}].textContent`
      await user.evaluate("document.querySelector('#files .remove').focus()")
      await user.presses(KEY.alt, KEY.right)
      await user.expects(nameOf(1), 'one.jpg')
      await user.expects(RING, 'solid')
      // A canvas that is moved keeps what was drawn.
      const pixel = "document.querySelectorAll('#files canvas')[1].getContext('2d').getImageData(40, 40, 1, 1).data[3]"
      expect(await user.evaluate(pixel)).toBe(255)
      await user.photographs('reordered')
      await user.clicks('checkbox', upload.oneGallery)
      await user.expects("document.querySelector('#gallery-name').getClientRects().length", 1)
      await user.types(upload.galleryName, 'autumn')
      await user.clicks('button', 'Upload 3 pictures')
      await user.sees('heading', upload.results)
      await user.photographs('gallery-uploaded')
      const gallery = await user.evaluate(`document.querySelector('#results a[href*="/gallery/"]').href`)
      await user.open(String(gallery))
      await user.sees('heading', 'autumn')
      await user.expects(
        "[...document.querySelectorAll('.images img')].map((image) => [image.naturalWidth > 0, image.alt.replace(/.*_/, '')])",
        ['two.jpg', 'one.jpg', 'three.jpg'].map((fileName) => [true, fileName]),
      )
      await user.photographs('gallery')
      await user.resizes(...PHONE)
      expect(await user.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await user.photographs('gallery-phone')
      await user.resizes(...DESKTOP)
      await user.clicks('button', en.viewer.slideshow)
      await user.expects("document.querySelector('dialog[open] img').naturalWidth > 0", true)
      await user.presses(KEY.right)
      await user.photographs('viewer')
      await user.presses(KEY.escape)
      await user.misses('dialog', '')
    })

    test('an image of a gallery leads to its neighbours and back, and opens at full size', async () => {
      const { gallery } = await sharedGallery()
      await user.open(gallery.url)
      for (const step of ['.images a', 'a[rel=next]', '.place a']) {
        const address = await user.evaluate('location.href')
        // A click on a thumbnail opens the viewer.
        if (step === '.images a') await user.evaluate(`location.assign(document.querySelector('${step}').href)`)
        else await user.clicksOn(step)
        await user.expects(`location.href !== '${address}' && document.readyState === 'complete'`, true)
      }
      // A page that goes back may be one that the browser has kept.
      await user.evaluate('history.back()')
      await user.expects(
        "document.readyState === 'complete' && document.querySelector('#image')?.naturalWidth > 0",
        true,
      )

      const { showUrl } = await uploadPhoto({ img: file('large.jpg', await jpegOf(3000, 2000)) })
      await user.open(showUrl)
      await user.clicks('button', en.imagePage.fullSize)
      await user.expects("document.querySelector('dialog[open] img').getBoundingClientRect().width", 3000)
      await user.photographs('full-size')
      await user.presses(KEY.escape)
      await user.misses('dialog', '')
    })

    test('the private link deletes an image', async () => {
      const { manageUrl, showUrl } = await uploadPhoto()
      await user.open(manageUrl ?? '')
      await user.clicks('checkbox', en.confirmDelete)
      await user.photographs('manage')
      await user.follows('button', en.managed.image.deleteButton)
      await user.sees('heading', en.managed.image.deleted.heading)
      await user.open(showUrl)
      await user.sees('heading', en.missingImage.heading)
    })

    test('an image is reported', async () => {
      const { showUrl } = await uploadPhoto()
      await user.open(showUrl)
      await user.follows('link', en.reportLink)
      await user.clicks('radio', en.report.reasons.copyright)
      await user.types(en.report.details, 'it is mine')
      await user.photographs('report')
      await user.follows('button', en.report.submit)
      await user.sees('heading', en.report.done.heading)
    })

    test('adult images are hidden until the reader agrees, by mouse or keyboard', async () => {
      const { showUrl } = await uploadPhoto({ content_type: '1' })
      const isShown = "document.querySelector('#image').getClientRects().length === 1"
      await user.open(showUrl)
      await user.expects(isShown, false)
      await user.photographs('adult')
      await user.clicksOn('.content-warning')
      await user.expects(isShown, true)
      await user.expects("document.querySelector('#image').naturalWidth", 900)
      await user.photographs('adult-shown')
      await user.presses(KEY.space)
      await user.expects(isShown, false)
    })

    test('a language and a theme are chosen, and last', async () => {
      await user.open('/')
      await user.clicks('button', en.menu)
      await user.clicks('link', en.themes.dark)
      const paper = 'getComputedStyle(document.body).backgroundColor'
      await user.expects(paper, 'rgb(22, 20, 18)')
      await user.clicks('link', 'Deutsch')
      await user.expects("document.readyState === 'complete' && document.documentElement.lang", 'de')
      await user.expects(paper, 'rgb(22, 20, 18)')
      await user.photographs('dark')
      await user.resizes(...PHONE)
      await user.photographs('dark-phone')
      await user.resizes(...DESKTOP)
      await user.open('/docs?theme=light')
      await user.expects(paper, 'rgb(250, 248, 245)')
      await user.clicksOn('details.menu > summary')
      await user.follows('link', 'English')
      await user.open('/?theme=auto')
    })

    test('a pasted image joins the list', async () => {
      await user.open('/')
      await user.evaluate(PASTE)
      await user.expects("document.querySelectorAll('#files canvas[data-drawn]').length", 1)
    })

    test('a location in compressed metadata is found, and files that are no images are named', async () => {
      const [path = '', text = ''] = ['map.png', 'notes.txt'].map((fileName) => join(folder, fileName))
      const image = sharp({ create: { width: 300, height: 200, channels: 3, background: 'green' } })
      writeFileSync(path, await image.png().withXmp(XMP).toBuffer())
      writeFileSync(text, 'no picture')
      await user.open('/')
      await user.choosesFiles([path, text])
      const badge =
        "[...document.querySelectorAll('#files .place span')].filter((one) => one.getClientRects().length > 0)"
      await user.expects(`${badge}.map((one) => one.textContent)`, [upload.losesLocation])
      await user.expects("document.querySelector('#unfit-groups .names').textContent", 'notes.txt')
      await user.clicks('checkbox', upload.strip)
      await user.expects(`${badge}.map((one) => one.textContent)`, [upload.hasLocation])
      await user.photographs('location')
      await user.clicks('checkbox', upload.strip)
    })

    test('without scripts the form uploads an image', async () => {
      const { address, server } = await withoutScripts()
      try {
        await user.open(address)
        await user.photographs('without-script')
        await user.choosesFiles(await files('plain.jpg'))
        await user.follows('button', upload.startOne)
        await user.expects(`document.querySelector('a[href*="/show/"]') !== null`, true)
        await user.photographs('uploaded-without-script')
      } finally {
        await stopServer(server)
      }
    })
  })
}

const RING = 'getComputedStyle(document.activeElement).outlineStyle'
/** The browsers say which scripts the proxy has forbidden. */
const WITHOUT_SCRIPTS = /script-src (?:'none'|directive)/

/** Pastes an image that the page has drawn. */
const PASTE = `new Promise((resolve) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 })
  canvas.getContext('2d').fillRect(0, 0, 60, 40)
  canvas.toBlob((blob) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }))
    // A ClipboardEvent of a script has no files in Firefox.
    document.body.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }))
    resolve(true)
  })
})`

/** Starts a proxy of the service whose policy forbids all scripts. Both browsers can then still be driven. */
async function withoutScripts(): Promise<{ address: string; server: Server }> {
  const { hostname, port, host, origin } = new URL(inject('baseUrl'))
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const forwarded = request(
      { hostname, port, method, path, headers: { ...headers, host, ...(headers.origin ? { origin } : {}) } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, {
          ...response.headers,
          'content-security-policy': "script-src 'none'",
        })
        response.pipe(outgoing)
      },
    )
    incoming.pipe(forwarded)
    forwarded.on('error', () => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port: own } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${own}/`, server }
}
