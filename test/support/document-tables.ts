/** Returns a table of Markdown. */
export function tableOf(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Replaces the table of a document that has the same head. */
export function withTable(document: string, table: string): string {
  const [head = ''] = table.split('\n')
  const old = new RegExp(`${head.replace(/[|\\]/g, '\\$&')}\n(?:\\|.*\n)+`)
  if (!old.test(document)) throw new Error(`the document has no table that begins with ${head}`)
  return document.replace(old, () => `${table}\n`)
}
