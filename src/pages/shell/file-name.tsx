/** The last characters of a name that stay together: its extension, and some before it. */
const TAIL_CHARACTERS = 8

const SEGMENTER = new Intl.Segmenter()

/**
 * The name of a file, of which no line breaks the extension. If `short`, it has one line, whose middle is left out where there is no
 * room.
 */
export function FileName({ name, short = false }: { name: string; short?: boolean }) {
  const { head, tail } = splitName(name)
  if (!short) {
    return (
      <bdi class="file-name">
        {head}
        <span>{tail}</span>
      </bdi>
    )
  }
  // Two boxes are two words to a screen reader.
  return (
    <bdi class="file-name short" title={name}>
      <span aria-hidden="true">{head}</span>
      <span aria-hidden="true">{tail}</span>
      <span class="visually-hidden">{name}</span>
    </bdi>
  )
}

/** Splits a name before its last characters. No surrogate pair or combination of characters is split. */
function splitName(name: string): { head: string; tail: string } {
  const characters = Array.from(SEGMENTER.segment(name), ({ segment }) => segment)
  return {
    head: characters.slice(0, -TAIL_CHARACTERS).join(''),
    tail: characters.slice(-TAIL_CHARACTERS).join(''),
  }
}
