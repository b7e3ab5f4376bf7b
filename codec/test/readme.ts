import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the README's example of this file name, or its only one in HTML. */
export function exampleOf(file: string): string {
  const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const fence = file.endsWith('.html') ? '```html\n' : `\`\`\`js\n// ${file}\n`
  const [example] = readme.split(fence)[1]?.split('```') ?? []
  if (example === undefined) throw new Error(`the README has no example ${file}`)
  return example
}
