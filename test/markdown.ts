const FENCED = /^```.*?^```$/gms
const CODE = /`[^`\n]*`/g

/** Returns the addresses of the links and images in a Markdown text, in their order, including those in HTML. */
export function linksOf(markdown: string): string[] {
  const text = markdown.replace(FENCED, '').replace(/^ {4}.*$/gm, '')
  const links = text
    .replace(CODE, '')
    .matchAll(/\]\(\s*([^)\s]+)[^)]*\)|<(https?:[^>\s]+)>|\b(?:src|srcset|href)="([^"\s]+)[^"]*"/g)
  return [...links].map(([, link, bare, html]) => link ?? bare ?? html ?? '')
}

/** Returns the anchors of a Markdown text: its headings as GitHub writes them, and the ids in its HTML. */
export function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replace(FENCED, '')
  const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)
  const seen = new Map<string, number>()
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  return new Set([...ids, ...headings])
}

/** Returns the lower-case text with letters, digits, `-` and `_` only, and a hyphen for each space. */
function slugOf(heading: string): string {
  return heading
    .replace(/<[^>]*>/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
