/** A text that people read, and the line of its file on which it starts. */
export interface Prose {
  line: number
  text: string
}

/** Comments, strings and regular expressions. Strings are matched so that `//` in them starts no comment. */
const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*|return\s+|^\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/gm
const SQL_TOKENS = /--[^\n]*|'(?:''|[^'])*'/g
const HASH_TOKENS = /^[ \t]*#(?!!)[^\n]*/gm
const IDENTIFIER = /[A-Za-z_$][\w$]*/g
/** Directives to tools, and rules that separate sections. */
const NO_PROSE = /^(?:@ts-|biome-ignore|eslint|#region|#endregion|[-=*─]+$|\/ <reference)/

/** Returns the comments of a source, each paragraph or tag on its own. Consecutive line comments are one text. */
export function commentsOf(file: string, source: string): Prose[] {
  const tokens = file.endsWith('.sql') ? SQL_TOKENS : /\.(?:sh|toml|ya?ml)$/.test(file) ? HASH_TOKENS : TOKENS
  const lineAt = lineCounter(source)
  const comments: (Prose & { endLine: number; isLine: boolean })[] = []
  for (const { 0: token, index } of source.matchAll(tokens)) {
    const isBlock = token.startsWith('/*')
    if (!isBlock && /^(?:['"`]|\/(?!\/))/.test(token)) continue
    const line = lineAt(index)
    const text = isBlock ? token.slice(2, -2) : token.trim().replace(/^(?:\/\/+|--+|#+)/, '')
    const previous = comments.at(-1)
    if (!isBlock && previous?.isLine && previous.endLine === line - 1 && startsLine(source, index)) {
      previous.text += `\n${text}`
      previous.endLine = line
    } else comments.push({ line, text, endLine: line, isLine: !isBlock })
  }
  return comments.flatMap(({ line, text }) => paragraphsOfComment(line, text))
}

/** Returns the paragraphs, list items and table cells of a Markdown text, without code, addresses and headings. */
export function paragraphsOf(markdown: string): Prose[] {
  const paragraphs: Prose[] = []
  let open: Prose | undefined
  const text = markdown
    .replace(/^```[\s\S]*?^```$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/<[^>\n]*>/g, ' ')
  for (const [index, line] of text.split('\n').entries()) {
    const isItem = /^\s*(?:[-*]|\d+\.)\s/.test(line)
    const isCode = /^ {4}/.test(line) && !(open && /^\s/.test(line) && paragraphs.length > 0)
    if (line.trim() === '' || isCode || /^#/.test(line)) open = undefined
    else if (line.startsWith('|')) {
      for (const cell of line.split(/(?<!\\)\|/)) paragraphs.push({ line: index + 1, text: plain(cell) })
      open = undefined
    } else if (open && !isItem) open.text += ` ${plain(line)}`
    else {
      open = { line: index + 1, text: plain(line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '')) }
      paragraphs.push(open)
    }
  }
  return paragraphs.filter((paragraph) => /[a-z]/i.test(paragraph.text))
}

/** Splits at full stops, question marks and exclamation marks that a space or the end follows. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/\b(?:e\.g|i\.e|etc|vs|cf)\./g, (abbreviation) => abbreviation.replaceAll('.', ''))
    .split(/(?<=[.!?][)"'”*_]*)\s+(?=[^a-z\s])/)
    .filter((sentence) => /[a-z]/i.test(sentence))
}

/** Counts what stands between spaces and has a letter or digit: an inline code span is one word. */
export function wordCount(sentence: string): number {
  return sentence
    .replace(/`[^`]*`/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** Returns each identifier of a source once, with the line of its first use; comments, strings and regular expressions are left out. */
export function identifiersOf(source: string): Prose[] {
  const code = source.replace(TOKENS, (token) => (token.startsWith('`') ? holesOf(token) : blank(token)))
  const lineAt = lineCounter(code)
  const seen = new Map<string, number>()
  for (const { 0: name, index } of code.matchAll(IDENTIFIER)) if (!seen.has(name)) seen.set(name, lineAt(index))
  return [...seen].map(([text, line]) => ({ text, line }))
}

/** Returns the names of tests and of their groups, without quoted texts and the code in templates. */
export function testNamesOf(source: string): Prose[] {
  return stringsOf(source).filter(({ before }) => /(?<![\w.])(?:chapter|describe|it|test)$/.test(calleeOf(before)))
}

/** Returns the strings of at least three words, which people may read, without quoted texts and the code in templates. */
export function messagesOf(source: string): Prose[] {
  return stringsOf(source).filter(({ text }) => /\p{L}+ \p{L}+ \p{L}+/u.test(text))
}

function stringsOf(source: string): (Prose & { before: string })[] {
  const code = source.replace(TOKENS, blank)
  const lineAt = lineCounter(source)
  return [...source.matchAll(TOKENS)]
    .filter(([token]) => /^['"`]/.test(token))
    .map(({ 0: token, index }) => ({
      line: lineAt(index),
      text: token.slice(1, -1).replace(/\$\{[^}]*\}|"[^"]*"/g, ' '),
      before: code.slice(Math.max(0, index - 20_000), index),
    }))
}

/** Returns the code up to the name of the function that is called at the end of the code, such as `test` of `test.for(rows)(`. */
function calleeOf(code: string): string {
  const at = code.trimEnd().length - 1
  if (code[at] !== '(') return ''
  let end = at
  while (code[end - 1] === ')') {
    let depth = 1
    for (end -= 2; end >= 0 && depth > 0; end--) depth += Number(code[end] === ')') - Number(code[end] === '(')
    end++
  }
  return code.slice(0, end).replace(/(?:\.\w+)+$/, '')
}

/** Splits a camel-case, snake-case or constant name into its lower-case words. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
}

function paragraphsOfComment(firstLine: number, comment: string): Prose[] {
  const paragraphs: Prose[] = []
  let open: Prose | undefined
  let inExample = false
  for (const [index, raw] of comment.split('\n').entries()) {
    const line = raw.replace(/^\s*\*+/, '').trim()
    if (line.startsWith('```')) inExample = !inExample
    const tag = /^@(\w+)\s*(?:\{.*?\}(?=\s|$)\s*)?/.exec(line)
    const text = plain(tag ? line.slice(tag[0].length) : line)
    if (line === '' || inExample || NO_PROSE.test(line) || /^\s{4,}\S/.test(raw.replace(/^\s*\*/, '').slice(1)))
      open = undefined
    else if (open && !tag && !/^(?:[-•*]|\d+\.)\s/.test(line)) open.text += ` ${text}`
    else {
      open = { line: firstLine + index, text }
      paragraphs.push(open)
      // `@param name text` and types that go on below are no sentences.
      if (tag && /^(?:typedef|type|template|import|example|see|satisfies)$/.test(tag[1] ?? '')) {
        paragraphs.pop()
        open = undefined
      }
    }
  }
  return paragraphs.filter(({ text }) => /[a-z]/i.test(text))
}

function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
}

/** Keeps the code of `${}` in a template, so that its identifiers count. */
function holesOf(template: string): string {
  return template.replace(/\$\{([^}]*)\}|[^\n]/g, (_, code = ' ') => code)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function startsLine(source: string, index: number): boolean {
  return source.slice(source.lastIndexOf('\n', index - 1) + 1, index).trim() === ''
}

/** Returns a function from an offset to its line. Offsets must rise. */
function lineCounter(source: string): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    for (;;) {
      const next = source.indexOf('\n', at)
      if (next === -1 || next >= offset) return line
      at = next + 1
      line += 1
    }
  }
}
