import { PREVIEW_MAX_EDGE_PX, THUMBNAIL_MAX_SIZE_PX } from '../../limits.ts'
import * as routes from '../../routes.ts'
import { CodeBlock } from '../shell/code-fields.tsx'
import type { CodeFormat } from '../shell/codes.ts'
import type { PageContext } from '../shell/page-context.ts'
import { docsPage } from './docs-layout.tsx'

const SECTIONS = [
  { id: 'sharex', title: 'ShareX' },
  { id: 'flameshot', title: 'Flameshot' },
  { id: 'picgo', title: 'PicGo' },
  { id: 'forums', title: 'Forums and editors' },
  { id: 'phone', title: 'Phones' },
  { id: 'postman', title: 'Postman and others' },
  { id: 'curl', title: 'curl' },
]

const BOOKMARKS = [
  ['bbcode', 'BBCode'],
  ['markdown', 'Markdown'],
  ['html', 'HTML'],
] as const

/** Forums, with the place of their global markup, and their text field. */
const FORUMS: readonly { name: string; selector: string; format: CodeFormat; where: string }[] = [
  {
    name: 'phpBB 3',
    selector: 'textarea[name=message]',
    format: 'bbcode',
    where:
      'At the end of overall_footer.html of your style (styles/prosilver/template), before </body>; then purge the cache in the administration.',
  },
  {
    name: 'SMF 2',
    selector: '#message',
    format: 'bbcode',
    where: 'In template_html_below() of your theme’s index.template.php, before </body>. Its editor is known.',
  },
  {
    name: 'MyBB 1.8',
    selector: '#message',
    format: 'bbcode',
    where: 'At the end of the template “footer”, under Templates & Style. Its editor is known.',
  },
  {
    name: 'XenForo 2',
    selector: 'textarea.js-editor',
    format: 'bbcode',
    where: 'At the end of the template PAGE_CONTAINER, before </body>, under Appearance, Templates.',
  },
  {
    name: 'WordPress, classic editor',
    selector: '#content',
    format: 'html',
    where: 'Printed by a plugin in the action admin_print_footer_scripts.',
  },
  {
    name: 'Discourse',
    selector: '.d-editor-input',
    format: 'markdown',
    where: 'Both editors are known. Under Customize, Themes, Components: in the section Head of a new component.',
  },
]

const NO_KEY_NEEDED = 'Nothing is left to fill in, and no account or key is needed.'
const KEY_NEEDED = 'Uploads need a key: write yours in place of YOUR-KEY.'

interface ToolsPageProps {
  context: PageContext
  /** The origin of the settings and of the uploads, without a trailing slash. */
  origin: string
  /** The settings of PicGo's plugin, field by field. */
  webUploader: object
  /** The header of an uploader's key, to be filled in; absent where uploads need none (D61). */
  keyHeader: string | undefined
  /** The address of the bookmark that opens the upload page, for a format of codes. */
  bookmarklet: (format: CodeFormat) => string
}

/** Instructions for uploading with other programs, and settings to download. In English, like the help of those programs. */
export function toolsPage({ context, origin, webUploader, keyHeader, bookmarklet }: ToolsPageProps): string {
  const { host, hostname } = new URL(origin)
  return docsPage({
    context,
    title: 'Tools',
    heading: 'Upload with other programs',
    description: `Settings for programs that upload pictures to ${host}`,
    sections: SECTIONS,
    children: (
      <>
        <p>
          These settings are made for {host}. {keyHeader ? KEY_NEEDED : NO_KEY_NEEDED} Images go in as safe for work;
          for adult images change <code>content_type</code> from 0 to 1.
        </p>

        <h2 id="sharex">ShareX (Windows)</h2>
        <ol>
          <li>
            Download <a href={routes.shareX}>{hostname}.sxcu</a> and open it with a double click.
          </li>
          <li>When ShareX asks whether to make it the active uploader, say yes.</li>
        </ol>
        <p>
          From now on a screenshot’s link is that of its page. The history of ShareX keeps a deletion link for each one,
          which asks before it deletes.
        </p>

        <h2 id="flameshot">Flameshot (Linux)</h2>
        <p>A script that needs curl alone:</p>
        <CodeBlock
          language="en"
          id="flameshot"
        >{`curl --create-dirs -fo ~/.local/bin/tintype-screenshot ${origin}${routes.flameshot}
chmod +x ~/.local/bin/tintype-screenshot`}</CodeBlock>
        <p>
          Run <code>tintype-screenshot</code>, or bind it to a key in the settings of your desktop: it lets you choose a
          part of the screen, prints the link, and puts it on the clipboard where <code>wl-copy</code> or{' '}
          <code>xclip</code> is installed. <code>tintype-screenshot photo.jpg</code> uploads a file.
          {keyHeader && (
            <>
              {' '}
              It reads your key from the variable <code>TINTYPE_UPLOAD_KEY</code>.
            </>
          )}
        </p>

        <h2 id="picgo">PicGo (Windows, macOS, Linux)</h2>
        <ol>
          <li>
            In PicGo, install the plugin <code>web-uploader</code>.
          </li>
          <li>
            Fill its settings in as follows, and make it the default:
            <dl>
              {Object.entries(webUploader)
                .filter(([, value]) => value !== '')
                .map(([name, value]) => (
                  <>
                    <dt>
                      <code>{name}</code>
                    </dt>
                    <dd>
                      <code>{value}</code>
                    </dd>
                  </>
                ))}
            </dl>
          </li>
        </ol>
        <p>
          For PicGo-Core, the command line, save <a href={routes.picGo}>picgo.json</a> as{' '}
          <code>~/.picgo/config.json</code> after <code>picgo install web-uploader</code>. PicGo puts links into
          Markdown as images, so it gets the address of a thumbnail of up to {THUMBNAIL_MAX_SIZE_PX} pixels. With
          picgo.json, versions after 1.6.5 turn it into that of the preview, of {PREVIEW_MAX_EDGE_PX} pixels.
        </p>

        <h2 id="forums">Forums and editors</h2>
        <p>
          One line puts a button beside the text field of any site. It opens the front page as a popup; a click there
          inserts what was uploaded into the text. The script loads nothing else, keeps nothing and tells nobody; the
          popup replies only to the site that opened it, and says which one that is.
        </p>
        <CodeBlock language="en" id="embed" short>
          {embedLine(origin, 'textarea', 'bbcode')}
        </CodeBlock>
        <p>
          <code>data-for</code> is a CSS selector of the fields, <code>data-format</code> is <code>bbcode</code>,{' '}
          <code>markdown</code> or <code>html</code>, <code>data-label</code> are other words for the button. A site
          with a Content-Security-Policy allows <code>{origin}</code> in <code>script-src</code>; one with a
          Cross-Origin-Opener-Policy needs <code>same-origin-allow-popups</code>.
        </p>
        {FORUMS.map(({ name, selector, format, where }, index) => (
          <>
            <h3>{name}</h3>
            <p>{where}</p>
            <CodeBlock language="en" id={`embed-${index}`} short>
              {embedLine(origin, selector, format)}
            </CodeBlock>
          </>
        ))}
        <h3>Where nothing can be installed</h3>
        <p>
          Drag one of these to the bookmarks of your browser, click into the text that you write, then on the bookmark.
        </p>
        <p class="actions">
          {BOOKMARKS.map(([format, name]) => (
            <a class="button" href={bookmarklet(format)} draggable={true}>
              {`Pictures as ${name}`}
            </a>
          ))}
        </p>

        <h2 id="phone">Phones</h2>
        <p>
          In Chrome on Android, open the <a href={routes.home}>front page</a> and choose “Add to home screen”, then
          “Install”. The share menu of your gallery then offers it, for one image or many.
        </p>

        <h2 id="postman">Postman, Bruno, Insomnia, Hoppscotch</h2>
        <p>
          Import <a href={routes.postman}>the collection</a> of all operations. Each request keeps what the next one
          needs, so they can be tried from top to bottom.
        </p>

        <h2 id="curl">A line of your own</h2>
        <CodeBlock
          language="en"
          id="curl-line"
          short
        >{`curl ${keyHeader ? `-H '${keyHeader}' ` : ''}-F img=@photo.jpg -F content_type=0 -F include_manage_url=1 ${origin}${routes.images}`}</CodeBlock>
        <p>
          In Windows PowerShell write <code>curl.exe</code>: <code>curl</code> is another command there.
        </p>
      </>
    ),
  })
}

/** The line that a site adds to its pages. */
function embedLine(origin: string, selector: string, format: CodeFormat): string {
  return `<script src="${origin}${routes.embedScript}" data-for="${selector}" data-format="${format}" async></script>`
}
