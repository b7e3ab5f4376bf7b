import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { freePort } from '../contract/support/service.ts'
import { stopServer } from '../support/stop-server.ts'
import { insertFrom } from './support/inserting.ts'
import { choose, pickedImages, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const service = inject('baseUrl')
const port = await freePort()
const FORUM = `http://127.0.0.1:${port}`
/** The minimum that a strict forum must allow. */
const POLICY = `default-src 'none'; script-src ${service} 'nonce-forum'; img-src data: ${service}`
/** As in SMF and MyBB: the field is hidden behind an editor with a text of its own. */
const SCEDITOR = `<div id="editor"></div><script nonce="forum">
  document.querySelector('textarea').hidden = true
  const editor = document.querySelector('#editor')
  window.sceditor = { instance: () => ({ insert: (codes) => editor.append(codes), val: () => editor.textContent }) }
</script>`
/** As in Discourse: the field appears when the user begins to write, replaces its other editor, and listens to the input. */
const COMPOSER = `<div id="reply"><div class="ProseMirror d-editor-input" contenteditable="true"></div></div><output></output>
<script nonce="forum">
  const field = document.createElement('textarea')
  field.className = 'ember-text-area d-editor-input'
  field.addEventListener('input', () => { document.querySelector('output').textContent = field.value })
  const replace = () => {
    if (!document.querySelector('.tintype-button')) return setTimeout(replace, 10)
    document.querySelector('.ProseMirror').remove()
    document.querySelector('#reply').prepend(field)
  }
  replace()
</script>`

const IMAGE = String.raw`<p><a href="\S+/show/\S+"><img src="\S+/thumbs/\S+" alt="1\.jpg"></a></p>`
/** As in XenForo: Froala hides the field, and inserts a paste later, by itself. */
const XENFORO = `<div class="fr-box"><div class="fr-wrapper"><div class="fr-element fr-view" contenteditable="true"><p>Look:</p></div></div></div>
  <textarea name="message_html" class="input js-editor" hidden></textarea><input type="hidden" data-bb-code="message">
<script nonce="forum">
  const element = document.querySelector('.fr-element')
  element.addEventListener('paste', (event) => {
    event.preventDefault()
    const html = event.clipboardData.getData('text/html')
    setTimeout(() => element.insertAdjacentHTML('beforeend', html), 1)
  })
</script>`
/** XenForo's editor in BBCode mode, which has a text field of its own. */
const XENFORO_CODES = `${XENFORO}<script nonce="forum">
  document.querySelector('.fr-wrapper').hidden = true
  document.querySelector('.fr-wrapper').insertAdjacentHTML('afterend', '<textarea class="input" name="message"></textarea>')
</script>`
/** As in the classic editor of WordPress: TinyMCE writes in a frame. */
const WORDPRESS = `<div><div class="mce-tinymce"><iframe id="content_ifr" srcdoc="<p>Look:</p>"></iframe></div>
  <textarea id="content" class="wp-editor-area" name="content" hidden></textarea></div>
<script nonce="forum">
  const frame = document.querySelector('iframe')
  frame.addEventListener('load', () => { frame.contentDocument.body.contentEditable = 'true' })
</script>`

interface Forum {
  name: string
  /** The field as in the pages of the forum. */
  field: string
  selector: string
  format: 'bbcode' | 'html' | 'markdown'
  /** The text field with the code, if not the named one. */
  code?: string
  /** The editor with the content, if there is one, and its frame. */
  shown?: string
  frame?: string
  text?: RegExp
  html?: RegExp
}

const FORUMS: readonly Forum[] = [
  {
    name: 'phpBB',
    field: '<textarea name="message" id="message" rows="15" cols="76" tabindex="4" class="inputbox">Look:</textarea>',
    selector: 'textarea[name=message]',
    format: 'bbcode',
    text: /^Look:\n\[url=\S+\/show\/\S+\]\[img\]\S+\/thumbs\/\S+\[\/img\]\[\/url\]\n$/,
  },
  {
    name: 'SMF',
    field: `<div id="post_area"><textarea class="editor" name="message" id="message" rows="20"></textarea></div>${SCEDITOR}`,
    selector: '#message',
    format: 'bbcode',
    shown: '#editor',
    text: /^\[url=\S+\]\[img\]\S+\[\/img\]\[\/url\]$/,
  },
  {
    name: 'MyBB',
    field: `<textarea name="message" id="message" rows="20" cols="70" tabindex="2"></textarea>${SCEDITOR}`,
    selector: '#message',
    format: 'bbcode',
    shown: '#editor',
    text: /^\[url=\S+\]\[img\]\S+\[\/img\]\[\/url\]$/,
  },
  {
    name: 'XenForo',
    field: XENFORO,
    selector: 'textarea.js-editor',
    format: 'bbcode',
    shown: '.fr-element',
    html: new RegExp(`^<p>Look:</p>${IMAGE}$`),
  },
  {
    name: 'XenForo, as BBCode',
    field: XENFORO_CODES,
    selector: 'textarea.js-editor',
    format: 'bbcode',
    code: '[name=message]',
    text: /^\[url=\S+\]\[img\]\S+\[\/img\]\[\/url\]\n$/,
  },
  {
    name: 'WordPress',
    field: WORDPRESS,
    selector: '#content',
    format: 'html',
    frame: '#content_ifr',
    shown: 'body',
    html: new RegExp(`^<p>Look:</p>${IMAGE}$`),
  },
  {
    name: 'Discourse',
    field: COMPOSER,
    selector: '.d-editor-input',
    format: 'markdown',
    shown: 'output',
    text: /^\[!\[1\.jpg\]\(\S+\)\]\(\S+\)\n$/,
  },
]

/** Pages into which nothing can be inserted: an editor that has not come, one that is read, and one that rejects all input. */
const CLOSED = [
  '<form><textarea id="field" hidden></textarea></form><textarea>Another field</textarea>',
  '<textarea id="field" readonly>Read</textarea>',
  `<div id="field" contenteditable>Rejects</div><script nonce="forum">
    const field = document.querySelector('#field')
    new MutationObserver(() => { if (field.innerHTML !== 'Rejects') field.innerHTML = 'Rejects' })
      .observe(field, { childList: true, subtree: true, characterData: true })
  </script>`,
]

let markup = ''
let server: Server

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=UTF-8')
    response.setHeader('Content-Security-Policy', POLICY)
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
    response.end(markup)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => stopServer(server))

/** Creates a page of a forum: its field, and the line of /tools if there is one. */
async function forumPage(page: Page, field: string, line = ''): Promise<void> {
  markup = `<!DOCTYPE html><html lang="en"><title>A forum</title><form>${field}</form>${line}`
  await page.goto(`${FORUM}/post`)
}

/** Returns a click on the button of a forum. */
function clickButton(page: Page): () => Promise<void> {
  return () => page.getByRole('button', { name: 'Add pictures' }).click()
}

/** Returns what is written on a page. */
function contentsOf(page: Page): Promise<string[]> {
  return page
    .locator('textarea, [contenteditable]')
    .evaluateAll((all) => all.map((one) => (one instanceof HTMLTextAreaElement ? one.value : one.innerHTML)))
}

/** Returns the line of /tools for a forum. */
async function lineFor(page: Page, selector: string): Promise<string> {
  const lines = await page.locator('pre code').allTextContents()
  return lines.find((line) => line.includes(`data-for="${selector}"`)) ?? ''
}

describe.skipIf(!inject('chromium'))('an image is inserted into the text of', () => {
  test.for(FORUMS)('$name, by the line of /tools', async ({ field, selector, format, ...forum }, { visit }) => {
    const { shown, frame, code = 'textarea', text = /./, html = /./ } = forum
    const page = await visit('/tools')
    const line = await lineFor(page, selector)
    expect(line).toContain(`data-format="${format}"`)
    await forumPage(page, field, line)
    if (field === COMPOSER) await page.locator('textarea').waitFor()
    await insertFrom(page, clickButton(page), 'closed')
    if (shown) {
      const editor = (frame ? page.frameLocator(frame) : page).locator(shown)
      expect(await editor.textContent()).toMatch(text)
      expect(await editor.innerHTML()).toMatch(html)
    } else expect(await page.locator(code).inputValue()).toMatch(text)
    const hidden = await page.locator('textarea[hidden]').all()
    expect(await Promise.all(hidden.map((one) => one.inputValue())), 'hidden fields').toEqual(hidden.map(() => ''))
    expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
  })

  test('nothing that rejects it, and the popup says so', async ({ visit }) => {
    const page = await visit('/tools')
    const line = (await lineFor(page, '#content')).replace('#content', '#field')
    for (const field of CLOSED) {
      await forumPage(page, field, line)
      const before = await contentsOf(page)
      await insertFrom(page, clickButton(page), 'refused')
      expect(await contentsOf(page), field).toEqual(before)
    }
  })

  test('any site, by the bookmark, and the page is sent to no other origin than the stated one', async ({ visit }) => {
    const page = await visit('/tools', { complaints: [/postMessage/] })
    const bookmark = (await page.getByRole('link', { name: 'Pictures as HTML' }).getAttribute('href')) ?? ''
    await forumPage(page, '<textarea></textarea>')
    const script = decodeURIComponent(bookmark.replace('javascript:', ''))
    await insertFrom(page, () => page.evaluate(script), 'closed')
    expect(await page.locator('textarea').inputValue()).toMatch(/^<a href="\S+"><img src="\S+" alt="1.jpg"><\/a>\n$/)

    await forumPage(page, '<textarea></textarea><p contenteditable>Before <i>after</i></p>')
    await page.evaluate(() => {
      document.querySelector('p')?.focus()
      getSelection()?.collapse(document.querySelector('i'), 0)
    })
    await insertFrom(page, () => page.evaluate(script), 'closed')
    expect(await page.locator('body').innerHTML()).toMatch(/Before[\s\S]*<img src="\S+" alt="1.jpg">[\s\S]*after/)
    expect(await page.locator('textarea').inputValue()).toBe('')

    await forumPage(page, '<p>Nothing to write in</p>')
    const alone = page.waitForEvent('popup')
    await page.evaluate(script)
    await (await alone).waitForURL(`${service}/`)

    const opened = page.waitForEvent('popup')
    await page.evaluate((address) => {
      window.addEventListener('message', () => document.body.append('overheard'))
      window.open(address)
    }, `${service}/?embed=1&origin=http://elsewhere.example`)
    const popup = await opened
    await choose(popup, await pickedImages(1))
    await start(popup)
    await resultsOf(popup)
    await popup.getByRole('button', { name: 'Insert into text' }).click()
    await popup.getByText('Can’t reach the page with your text').waitFor()
    expect(await page.getByText('overheard').count()).toBe(0)
  })
})
