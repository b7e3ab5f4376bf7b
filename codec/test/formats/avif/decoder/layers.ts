const OBU_SEQUENCE_HEADER = 1
const OBU_TEMPORAL_DELIMITER = 2
const OBU_FRAME_HEADER = 3
const OBU_FRAME = 6
/** Where a sequence header without timing info has operating_point_idc[ 0 ], in bits; and layers 0 and 1 of space, 0 of time. */
const IDC_AT = 12
const IDC_BITS = 12
const TWO_LAYERS = 0x301

interface Unit {
  type: number
  payload: Buffer
}

/** Makes one temporal unit of the frames of a video: the last that is shown is spatial layer 1, all others are layer 0. */
export function layered(video: Buffer): Buffer {
  const all = readUnits(video)
  const units = all.filter(({ type }, i) => {
    const isRepeated = type === OBU_SEQUENCE_HEADER && all.findIndex((unit) => unit.type === type) < i
    return type !== OBU_TEMPORAL_DELIMITER && !isRepeated
  })
  const last = units.findLastIndex(({ type }) => type === OBU_FRAME_HEADER || type === OBU_FRAME)
  const written = units.map(({ type, payload }, i) =>
    type === OBU_SEQUENCE_HEADER
      ? writeUnit(type, 0, withTwoLayers(payload))
      : writeUnit(type, i < last ? 0 : 1, payload),
  )
  return Buffer.concat([writeUnit(OBU_TEMPORAL_DELIMITER, 0, Buffer.alloc(0)), ...written])
}

function readUnits(bytes: Buffer): Unit[] {
  const units: Unit[] = []
  for (let at = 0; at < bytes.length; ) {
    const header = bytes[at] ?? 0
    let from = at + ((header & 4) !== 0 ? 2 : 1)
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[from++] ?? 0
      length |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) break
    }
    units.push({ type: (header >> 3) & 15, payload: bytes.subarray(from, from + length) })
    at = from + length
  }
  return units
}

function writeUnit(type: number, layer: number, payload: Buffer): Buffer {
  const hasExtension = type !== OBU_SEQUENCE_HEADER && type !== OBU_TEMPORAL_DELIMITER
  const header = hasExtension ? [(type << 3) | 6, layer << 3] : [(type << 3) | 2]
  let left = payload.length
  for (; left > 0x7f; left >>= 7) header.push((left & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([...header, left]), payload])
}

function withTwoLayers(sequence: Buffer): Buffer {
  const written = Buffer.from(sequence)
  for (let i = 0; i < IDC_BITS; i++) {
    const at = IDC_AT + i
    const mask = 0x80 >> (at & 7)
    const byte = written[at >> 3] ?? 0
    written[at >> 3] = ((TWO_LAYERS >> (IDC_BITS - 1 - i)) & 1) === 1 ? byte | mask : byte & ~mask
  }
  return written
}
