import { THUMBNAIL_DEFAULT_SIZE_PX, THUMBNAIL_MAX_SIZE_PX, THUMBNAIL_MIN_SIZE_PX } from '../../src/limits.ts'
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, DEFAULT_URL } from './limits.ts'

/** Every command, in the order of the help. */
export const COMMANDS = ['upload', 'cover', 'status', 'rename', 'delete', 'help'] as const

export type Command = (typeof COMMANDS)[number]

const EVERYWHERE = `  --url URL          the host (or TINTYPE_URL; default ${DEFAULT_URL})
  --retries N        tries after the first that failed (default ${DEFAULT_RETRIES})
  --json             results as JSON
  --quiet, -q        no progress, problems alone
  --help, -h         this text`

const OF_UPLOADS = `  --adult            not safe for work
  --optimize         let the host drop metadata and choose a smaller file
  --manage           ask for private links that delete and rename; they cannot be had later
  --format FORMAT    link, original, html, markdown, bbcode or json (default link)`

/** The output of `help`. */
const OVERVIEW = `tintype-cli: pictures to an image host, and what became of them

  tintype-cli upload <files and folders, or - for standard input...> [--gallery [NAME]]
  tintype-cli cover <left> [right]
  tintype-cli status <urls..., a file of URLs, or - for standard input>
  tintype-cli rename <management link> <name>
  tintype-cli delete <management links...>
  tintype-cli help <command>
  tintype-cli --version

Everywhere:
${EVERYWHERE}

Results go to standard output, all else to standard error. Exit codes: 0 all done, 1 something failed,
2 the command was not understood, 130 stopped by Ctrl-C.
`

/** The output of `help <command>`. */
export const HELP: Record<Command, string> = {
  help: OVERVIEW,
  upload: `tintype-cli upload <files and folders, or - for standard input...>

Uploads JPEG, PNG, GIF, WebP and AVIF files. Folders are walked in the order of names (2.jpg before 10.jpg); files in them that
are no pictures are skipped. A file that fails does not stop the others.

  --gallery [NAME]   into a new gallery, which is public once all are there. NAME is the next argument unless that is an
                     option, a file or a folder; --gallery=NAME leaves no doubt
  --any-order        into a gallery several at a time. Without it they go one by one, because a gallery shows pictures
                     in the order in which they arrive
  --concurrency N    uploads at a time (default ${DEFAULT_CONCURRENCY})
  --dry-run          lists the files that would be uploaded, and sends nothing
  --thumbnail PX     longest side of the thumbnail, ${THUMBNAIL_MIN_SIZE_PX} to ${THUMBNAIL_MAX_SIZE_PX} (default ${THUMBNAIL_DEFAULT_SIZE_PX})
  --name NAME        the file name of what comes on standard input
  --resume FILE      keeps in FILE what was done; the same command goes on from there, also after a crash or Ctrl-C. Whoever
                     reads FILE can add to the gallery and, with --manage, delete
${OF_UPLOADS}
${EVERYWHERE}

One line a picture, in the order of the files; with --manage a line "manage: LINK" after each, or for a gallery at the end,
after the line "gallery: LINK".
`,
  cover: `tintype-cli cover <left> [right]

Uploads a cover: the left picture alone, or two side by side.

${OF_UPLOADS}
${EVERYWHERE}
`,
  status: `tintype-cli status <urls..., a file of URLs, or - for standard input>

Says of each picture's page whether it is available, deleted, not_found, pending or invalid. A file has one URL a line; empty
lines are skipped, and so are those that begin with #, "gallery:" or "manage:", so that it may be what upload printed. Asks for
100 at a time, and waits where the host's rate limit says so.

  --fail             exit code 1 unless all are available
${EVERYWHERE}
`,
  rename: `tintype-cli rename <management link or token> <name>

Renames a gallery; an empty name takes its name away. The request goes to the link's own host unless --url names another.

${EVERYWHERE}
`,
  delete: `tintype-cli delete <management links or tokens...>

Deletes pictures, covers, and galleries with all their pictures, for good. Asks first. Each request goes to the link's own host
unless --url names another.

  --yes              does not ask
${EVERYWHERE}
`,
}
