const OPTION = /^ {2}-.*? {2,}(?=\S)/

/** A text of the help in lines of at most `columns` characters, as far as its words allow. */
export function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrappedLine(line, columns))
    .join('\n')
}

function wrappedLine(line: string, columns: number): string[] {
  const lead = OPTION.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? ''
  const indent = ' '.repeat(lead.length)
  const lines = [lead]
  for (const word of line.slice(lead.length).split(' ')) {
    const last = lines.at(-1) ?? ''
    const joined = last.length === lead.length ? last + word : `${last} ${word}`
    if (joined.length <= columns || last.length === lead.length) lines.splice(-1, 1, joined)
    else lines.push(indent + word)
  }
  return lines
}
