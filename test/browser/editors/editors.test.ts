import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { freePort } from '../../contract/support/service.ts'
import { stopServer } from '../../support/stop-server.ts'
import { insertFrom } from '../support/inserting.ts'
import { test } from '../support/visit.ts'

const service = inject('baseUrl')
const port = await freePort()
const SITE = `http://127.0.0.1:${port}`
const PACKAGES = join(import.meta.dirname, 'node_modules')
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }

/** A page with an editor. Its script ends with `window.content`, a function that returns what would be sent. */
const BY_BOOKMARK = /^(?:TinyMCE 4|EasyMDE|CKEditor)/
const SCREENSHOTS = join(import.meta.dirname, '../../../generated/screenshots')

interface EditorPage {
  name: string
  /** Styles and scripts, by their paths in the packages. */
  files?: readonly string[]
  field: string
  selector?: string
  format: 'html' | 'markdown' | 'bbcode'
  script: string
  /** Whether the script imports packages. */
  bundled?: boolean
  /** The content that is sent, with an image of its own. */
  text: RegExp
}

const LINKED = String.raw`<a[^>]* href="http\S+/show/\S+"[^>]*>(?:<\w+[^>]*>)?<img[^>]* src="http\S+/thumbs/\S+"`
const HTML = new RegExp(`Look[^]*${LINKED}`)
const MARKDOWN = /^Look:?\n+\[!\[1\.jpg\]\(http\S+\/thumbs\/\S+\)\]\(http\S+\/show\/\S+\)\n*$/

const EDITORS: readonly EditorPage[] = [
  {
    name: 'CKEditor 5',
    files: ['ckeditor5/dist/browser/ckeditor5.css', 'ckeditor5/dist/browser/ckeditor5.umd.js'],
    field: '<textarea id="body"><p>Look</p></textarea>',
    selector: '#body',
    format: 'html',
    script: `
      const { ClassicEditor, Essentials, Paragraph, Image, ImageBlock, ImageInline, Link, LinkImage } = CKEDITOR
      const plugins = [Essentials, Paragraph, Image, ImageBlock, ImageInline, Link, LinkImage]
      const editor = await ClassicEditor.create(document.querySelector('#body'), { licenseKey: 'GPL', plugins })
      window.content = () => editor.getData()
      window.focusEditor = () => editor.focus()`,
    text: HTML,
  },
  {
    name: 'TinyMCE 8',
    files: ['tinymce/tinymce.min.js'],
    field: '<textarea name="body"><p>Look</p></textarea>',
    format: 'html',
    script: `
      const [editor] = await tinymce.init({ selector: 'textarea', license_key: 'gpl', base_url: '/tinymce', suffix: '.min' })
      window.content = () => editor.getContent()`,
    text: HTML,
  },
  {
    name: 'TinyMCE 4.9, as in the classic editor of WordPress',
    files: ['tinymce-4/tinymce.min.js'],
    field:
      '<div id="wp-content-editor-container"><textarea id="content" class="wp-editor-area"><p>Look</p></textarea></div>',
    selector: '#content',
    format: 'html',
    script: `
      const [editor] = await tinymce.init({ selector: '#content', plugins: 'image link paste', baseURL: '/tinymce-4' })
      window.content = () => editor.getContent()
      window.focusEditor = () => editor.focus()`,
    text: HTML,
  },
  {
    name: 'TipTap',
    field: '<div id="editor"></div>',
    selector: '.tiptap',
    format: 'html',
    bundled: true,
    script: `
      import { Editor } from '@tiptap/core'
      import Image from '@tiptap/extension-image'
      import StarterKit from '@tiptap/starter-kit'
      const editor = new Editor({ element: document.querySelector('#editor'), extensions: [StarterKit, Image.configure({ inline: true })], content: '<p>Look</p>' })
      window.content = () => editor.getHTML()`,
    text: HTML,
  },
  {
    name: 'TipTap without images',
    field: '<div id="editor"></div>',
    selector: '.tiptap',
    format: 'markdown',
    bundled: true,
    script: `
      import { Editor } from '@tiptap/core'
      import StarterKit from '@tiptap/starter-kit'
      const editor = new Editor({ element: document.querySelector('#editor'), extensions: [StarterKit], content: '<p>Look</p>' })
      window.content = () => editor.getText()`,
    text: MARKDOWN,
  },
  {
    name: 'CodeMirror 6',
    field: '<div id="editor"></div>',
    selector: '.cm-content',
    format: 'markdown',
    bundled: true,
    script: `
      import { EditorView } from '@codemirror/view'
      const editor = new EditorView({ parent: document.querySelector('#editor'), doc: 'Look:' })
      window.content = () => editor.state.doc.toString()`,
    text: MARKDOWN,
  },
  {
    name: 'EasyMDE, of CodeMirror 5',
    files: ['easymde/dist/easymde.min.css', 'easymde/dist/easymde.min.js'],
    field: '<textarea id="body">Look:</textarea>',
    selector: '#body',
    format: 'markdown',
    script: `
      const editor = new EasyMDE({ element: document.querySelector('#body'), autoDownloadFontAwesome: false, spellChecker: false })
      window.content = () => editor.value()
      window.focusEditor = () => editor.codemirror.focus()`,
    text: MARKDOWN,
  },
  {
    name: 'SCEditor, as in SMF and MyBB',
    files: [
      'sceditor/minified/themes/default.min.css',
      'sceditor/minified/sceditor.min.js',
      'sceditor/minified/formats/bbcode.js',
    ],
    field: '<textarea id="message">Look:</textarea>',
    selector: '#message',
    format: 'bbcode',
    script: `
      sceditor.create(document.querySelector('#message'), { format: 'bbcode', style: '/sceditor/minified/themes/content/default.min.css', emoticonsEnabled: false, width: 700, height: 200 })
      window.content = () => sceditor.instance(document.querySelector('#message')).val()`,
    text: /^(?=[\s\S]*Look:)[\s\S]*\[url=http\S+\/show\/\S+\]\[img\]http\S+\/thumbs\/\S+\[\/img\]\[\/url\]/,
  },
]

let markup = ''
let script = ''
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', SITE)
    const extension = pathname.split('.').at(-1) ?? ''
    response.setHeader('Content-Type', `${TYPES[extension] ?? 'text/html'}; charset=UTF-8`)
    if (pathname === '/post') response.end(markup)
    else if (pathname === '/script.js') response.end(script)
    else if (pathname === '/favicon.ico') response.end()
    else response.end(readFileSync(join(PACKAGES, pathname)))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => stopServer(server))

async function serve({ files = [], field, script: source, bundled, ...page }: EditorPage): Promise<void> {
  const head = files.map((file) =>
    file.endsWith('.css') ? `<link rel="stylesheet" href="/${file}">` : `<script src="/${file}"></script>`,
  )
  script = bundled ? await bundle(source) : source
  const line = `<script src="${service}/embed.js" data-for="${page.selector ?? 'textarea'}" data-format="${page.format}" async></script>`
  markup = `<!DOCTYPE html><html lang="en"><title>A site</title>${head.join('')}<form>${field}</form>
    <script type="module" src="/script.js"></script>${line}`
}

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

describe.skipIf(!inject('chromium'))('an image is inserted into', () => {
  test.for(EDITORS)('$name', async (editor, { visit }) => {
    await serve(editor)
    const page = await visit(`${SITE}/post`)
    await page.waitForFunction('window.content')
    await insertFrom(page, () => page.getByRole('button', { name: 'Add pictures' }).click(), 'closed')
    expect(await page.evaluate('window.content()')).toMatch(editor.text)
    await expect(page.getByRole('button', { name: 'Add pictures' }).boundingBox()).resolves.toMatchObject({ x: 8 })
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `editor-${editor.name}.png`) })
  })

  test.for(EDITORS.filter(({ name }) => BY_BOOKMARK.test(name)))(
    '$name, by the bookmark while it has the focus',
    async (editor, { visit }) => {
      const tools = await visit('/tools')
      const bookmark = (
        await tools.getByRole('link', { name: `Pictures as`, exact: false }).evaluateAll(addressesOf)
      )[0]
      await serve({ ...editor, field: `<textarea id="other">Another field</textarea>${editor.field}` })
      await tools.goto(`${SITE}/post`)
      await tools.waitForFunction('window.content')
      await tools.evaluate('window.focusEditor()')
      const script = decodeURIComponent((bookmark ?? '').replace('javascript:', ''))
      await insertFrom(tools, () => tools.evaluate(script), 'closed')
      expect(await tools.evaluate('window.content()')).toMatch(/http\S+\/thumbs\//)
      expect(await tools.locator('#other').inputValue()).toBe('Another field')
    },
  )
})

function addressesOf(links: Element[]): string[] {
  return links.map((link) => link.getAttribute('href') ?? '')
}
