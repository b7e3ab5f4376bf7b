import type { Child } from 'hono/jsx'
import { THUMBNAIL_MAX_SIZE_PX } from '../limits.ts'
import * as routes from '../routes.ts'
import { renderDocument } from './document.tsx'
import type { PageContext } from './page-context.ts'

interface ToolsPageProps {
  context: PageContext
  /** The origin of the settings and of the uploads, without a trailing slash. */
  origin: string
  /** The settings of PicGo's plugin, field by field. */
  webUploader: object
}

/** How to upload with other programs: settings to download, and instructions. In English, like the help of those programs. */
export function toolsPage({ context, origin, webUploader }: ToolsPageProps): string {
  const { host, hostname } = new URL(origin)
  return renderDocument({
    context,
    title: 'Upload with other programs',
    narrow: true,
    head: <meta name="description" content={`Settings for programs that upload pictures to ${host}`} />,
    children: (
      <div lang="en" dir="ltr">
        <h1>Upload with other programs</h1>
        <p>
          These settings are made for {host}: nothing is left to fill in, and no account or key is needed. Pictures go
          in as safe for work; for adult pictures change <code>content_type</code> from 0 to 1.
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
        <Code>{`curl --create-dirs -fo ~/.local/bin/tintype-screenshot ${origin}${routes.flameshot}
chmod +x ~/.local/bin/tintype-screenshot`}</Code>
        <p>
          Run <code>tintype-screenshot</code>, or bind it to a key in the settings of your desktop: it lets you choose a
          part of the screen, prints the link, and puts it on the clipboard where <code>wl-copy</code> or{' '}
          <code>xclip</code> is installed. <code>tintype-screenshot photo.jpg</code> uploads a file.
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
          Markdown as pictures, so it gets the address of a preview of up to {THUMBNAIL_MAX_SIZE_PX} pixels.
        </p>

        <h2 id="phone">Phones</h2>
        <p>
          In Chrome on Android, open the <a href={routes.home}>front page</a> and choose “Add to home screen”, then
          “Install”. The share menu of your gallery then offers it: share one picture at a time.
        </p>

        <h2 id="postman">Postman, Bruno, Insomnia, Hoppscotch</h2>
        <p>
          Import <a href={routes.postman}>the collection</a> of all operations. Each request keeps what the next one
          needs, so they can be tried from top to bottom.
        </p>

        <h2 id="curl">A line of your own</h2>
        <Code>{`curl -F img=@photo.jpg -F content_type=0 -F include_manage_url=1 ${origin}${routes.images}`}</Code>
      </div>
    ),
  })
}

function Code({ children }: { children: Child }) {
  return (
    <pre>
      <code>{children}</code>
    </pre>
  )
}
