import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { freePort } from '../contract/support/service.ts'
import { stopServer } from '../support/stop-server.ts'
import { choose, pickedImages, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const service = inject('baseUrl')
const port = await freePort()
const FORUM = `http://127.0.0.1:${port}`
/** The minimum that a strict forum must allow. */
const POLICY = `default-src 'none'; script-src ${service} 'nonce-forum'; img-src data:`
/** As in SMF and MyBB: the field is hidden behind an editor with a text of its own. */
const SCEDITOR = `<div id="editor"></div><script nonce="forum">
  document.querySelector('textarea').hidden = true
  window.sceditor = { instance: () => ({ insert: (codes) => { document.querySelector('#editor').textContent += codes } }) }
</script>`
/** As in Discourse: the field appears when the user begins to write, and listens to the input. */
const COMPOSER = `<div id="reply"></div><output></output><script nonce="forum">
  const field = document.createElement('textarea')
  field.className = 'ember-text-area d-editor-input'
  field.addEventListener('input', () => { document.querySelector('output').textContent = field.value })
  setTimeout(() => document.querySelector('#reply').append(field), 50)
</script>`

/** The text field of each forum as in its pages, and the element with its text. */
const FORUMS = [
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
    name: 'Discourse',
    field: COMPOSER,
    selector: 'textarea.d-editor-input',
    format: 'markdown',
    shown: 'output',
    text: /^\[!\[1\.jpg\]\(\S+\)\]\(\S+\)\n$/,
  },
] as const

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

/** Uploads an image in the popup that opens, and inserts it. */
async function insertFrom(page: Page, open: () => Promise<unknown>): Promise<void> {
  const opened = page.waitForEvent('popup')
  await open()
  const popup = await opened
  await popup.getByText('Pictures you upload here are added to your text on 127.0.0.1').waitFor()
  await choose(popup, await pickedImages(1))
  await start(popup)
  await resultsOf(popup)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Insert into text' }).click()
  await closed
}

/** Returns the line of /tools for a forum. */
async function lineFor(page: Page, selector: string): Promise<string> {
  const lines = await page.locator('pre code').allTextContents()
  return lines.find((line) => line.includes(`data-for="${selector}"`)) ?? ''
}

describe.skipIf(!inject('chromium'))('an image is inserted into the text of', () => {
  test.for(FORUMS)('$name, by the line of /tools', async ({ field, selector, format, text, ...forum }, { visit }) => {
    const page = await visit('/tools')
    const line = await lineFor(page, selector)
    expect(line).toContain(`data-format="${format}"`)
    await forumPage(page, field, line)
    await insertFrom(page, () => page.getByRole('button', { name: 'Add pictures' }).click())
    const shown = page.locator('shown' in forum ? forum.shown : 'textarea')
    expect('shown' in forum ? await shown.textContent() : await shown.inputValue()).toMatch(text)
    expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
  })

  test('any site, by the bookmark, and the page is sent to no other origin than the stated one', async ({ visit }) => {
    const page = await visit('/tools', { complaints: [/postMessage/] })
    const bookmark = (await page.getByRole('link', { name: 'Pictures as HTML' }).getAttribute('href')) ?? ''
    await forumPage(page, '<textarea></textarea>')
    const script = decodeURIComponent(bookmark.replace('javascript:', ''))
    await insertFrom(page, () => page.evaluate(script))
    expect(await page.locator('textarea').inputValue()).toMatch(/^<a href="\S+"><img src="\S+" alt="1.jpg"><\/a>\n$/)

    await forumPage(page, '<p contenteditable>An editor of its own</p>')
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
