// Quantization tables (T.81 B.2.4.1).

import { u16At } from '../markers'

/** Four tables of 64 u16 in zigzag order, and whether each is defined. */
const TABLES: usize = memory.data(4 * 128, 16)
let defined: i32 = 0

/** Forgets all tables of the image before. */
export function resetQuantization(): void {
  defined = 0
}

/** Reads a DQT segment's payload; false if it is not well formed. */
export function readQuantizationTables(from: usize, to: usize): bool {
  while (from < to) {
    const id = <i32>load<u8>(from++)
    const wide = id >> 4
    const table = id & 15
    if (wide > 1 || table > 3 || from + ((<usize>64) << wide) > to) return false
    for (let k: usize = 0; k < 64; k++) {
      store<u16>(tableAt(table) + (k << 1), <u16>(wide == 1 ? u16At(from + 2 * k) : <i32>load<u8>(from + k)))
    }
    from += (<usize>64) << wide
    defined |= 1 << table
  }
  return true
}

/**
 * Writes the f32 steps of table `id` in zigzag order, negative if the samples are to come out inverted; false if it is
 * undefined.
 */
export function writeSteps(id: i32, inverted: bool, steps: usize): bool {
  if (id > 3 || (defined & (1 << id)) == 0) return false
  for (let k: usize = 0; k < 64; k++) {
    const step = <f32>load<u16>(tableAt(id) + (k << 1))
    store<f32>(steps + (k << 2), inverted ? -step : step)
  }
  return true
}

function tableAt(id: i32): usize {
  return TABLES + ((<usize>id) << 7)
}
