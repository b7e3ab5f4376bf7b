/** A part of a file: `length` bytes from `offset`. */
export interface ByteRange {
  offset: number
  length: number
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * The range of a file of `size` bytes that a Range field asks for (RFC 9110, 14.1.2). Undefined if the whole file is to be
 * sent: no field, another unit, several ranges, or a syntax error. `'unsatisfiable'` if the range is beyond the end.
 */
export function parseByteRange(field: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = (field && ONE_RANGE.exec(field.trim())) || []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < offset) return undefined
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 }
}
