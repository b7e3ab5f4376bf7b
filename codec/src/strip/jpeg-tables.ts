import { concat } from '../bytes.ts'
import { isStartOfFrame, jpegSegment, MARKER, type Segment } from '../container/jpeg-segments.ts'

/** A table of a DQT or DHT segment, as offsets into the file. */
interface Table {
  segment: Segment
  /** The class and destination: `q0` for quantization, `d0` for DC, `a0` for AC. */
  name: string
  start: number
  end: number
}

/** Bytes of a quantization table of 8 bits after its first one, and of the counts of a Huffman table. */
const QUANTIZATION_BYTES = 64
const COUNTS_BYTES = 16

/**
 * Returns the tables that no scan uses, by segment (T.81, B.2.4). No component of the frame or scan names their destination, or
 * another table replaces them before a scan. Of an image without scans, none.
 */
export function findUnusedTables(bytes: Uint8Array, segments: readonly Segment[]): Map<Segment, Table[]> {
  const unused = new Set<Table>()
  const current = new Map<string, Table>()
  let quantizers: string[] = []
  let isProgressive = false
  if (!segments.some(({ marker }) => marker === MARKER.SOS)) return new Map()
  for (const segment of segments) {
    const { marker, body, bodyEnd } = segment
    if (isStartOfFrame(marker)) {
      quantizers = components(bytes, body + 5, bodyEnd, 3).map((at) => `q${(bytes[at + 2] ?? 0) & 15}`)
      isProgressive = marker === MARKER.SOF2 || marker === MARKER.SOF10
    } else if (marker === MARKER.SOS) {
      for (const name of [...quantizers, ...coders(bytes, segment, isProgressive)]) {
        const table = current.get(name)
        if (table) unused.delete(table)
      }
    } else {
      for (const table of tablesOf(bytes, segment)) {
        current.set(table.name, table)
        unused.add(table)
      }
    }
  }
  const bySegment = new Map<Segment, Table[]>()
  for (const table of unused) bySegment.set(table.segment, [...(bySegment.get(table.segment) ?? []), table])
  return bySegment
}

/** A segment without these of its tables; empty if it has no others. */
export function withoutTables(
  bytes: Uint8Array,
  { marker, body, bodyEnd }: Segment,
  tables: readonly Table[],
): Uint8Array {
  const bounds = [body, ...tables.flatMap(({ start, end }) => [start, end]), bodyEnd]
  const rest = concat(
    Array.from({ length: bounds.length / 2 }, (_, i) => bytes.subarray(bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0)),
  )
  return rest.length === 0 ? rest : jpegSegment(marker, rest)
}

/** The offsets of the parameters of components, after a byte with their number. */
function components(bytes: Uint8Array, at: number, end: number, each: number): number[] {
  const count = at < end ? (bytes[at] ?? 0) : 0
  return Array.from({ length: count }, (_, i) => at + 1 + each * i).filter((start) => start + each <= end)
}

/** The Huffman tables that a scan may use: in a progressive image, those of DC or of AC (G.1.2). */
function coders(bytes: Uint8Array, { body, bodyEnd }: Segment, isProgressive: boolean): string[] {
  const parts = components(bytes, body, bodyEnd, 2)
  const isFirst = bytes[body + 1 + 2 * parts.length] === 0
  return parts.flatMap((at) => {
    const tables = bytes[at + 1] ?? 0
    const [dc, ac] = [`d${tables >> 4}`, `a${tables & 15}`]
    return isProgressive ? [isFirst ? dc : ac] : [dc, ac]
  })
}

/** The tables of a segment; none if their sizes are not those of the segment. */
function tablesOf(bytes: Uint8Array, segment: Segment): Table[] {
  const { marker, body, bodyEnd } = segment
  const tables: Table[] = []
  if (marker !== MARKER.DQT && marker !== MARKER.DHT) return tables
  for (let start = body; start < bodyEnd; ) {
    const [kind, destination] = [(bytes[start] ?? 0) >> 4, (bytes[start] ?? 0) & 15]
    if (kind > 1) return []
    const end = start + 1 + (marker === MARKER.DQT ? QUANTIZATION_BYTES * (1 + kind) : huffmanBytes(bytes, start + 1))
    if (end > bodyEnd) return []
    const name = marker === MARKER.DQT ? 'q' : kind === 0 ? 'd' : 'a'
    tables.push({ segment, name: `${name}${destination}`, start, end })
    start = end
  }
  return tables
}

function huffmanBytes(bytes: Uint8Array, at: number): number {
  return COUNTS_BYTES + bytes.subarray(at, at + COUNTS_BYTES).reduce((sum, count) => sum + count, 0)
}
