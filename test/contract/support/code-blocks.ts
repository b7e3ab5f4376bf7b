/** A block of code in a document. */
export interface CodeBlock {
  /** The language that the block is marked with; empty for an indented block. */
  language: string
  code: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
}

/** Returns the blocks of a documentation page that are marked with a language. */
export function readDocsBlocks(html: string): CodeBlock[] {
  return [...html.matchAll(/<code class="language-(\w+)">(.*?)<\/code>/gs)].map(([, language = '', code = '']) => ({
    language,
    code: code.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
  }))
}

/** Returns the blocks of a Markdown text, fenced and indented, in their order. */
export function readMarkdownBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$|(?:^ {4}[^\n]*\n(?:\n(?= {4}))?)+/gms)].map(
    ([whole, language, fenced]) =>
      fenced === undefined
        ? { language: '', code: whole.replace(/^ {4}/gm, '') }
        : { language: language ?? '', code: fenced },
  )
}
