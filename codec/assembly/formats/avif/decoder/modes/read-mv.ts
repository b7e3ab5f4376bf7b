// read_mv( ): AV1 specification, 5.11.31 and 5.11.32.
import {
  MV_BIT_CDF,
  MV_CLASS_CDF,
  MV_CLASS0_BIT_CDF,
  MV_CLASS0_FR_CDF,
  MV_CLASS0_HP_CDF,
  MV_FR_CDF,
  MV_HP_CDF,
  MV_JOINT_CDF,
  MV_SIGN_CDF,
} from '../../tables/cdf'
import { INTER_MV_OFFSET } from '../blocks/cdfs'
import { readBool, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { interParams } from '../frames/inter-params'
import { colOf, packVector, rowOf } from './inter-map'

const GREATEST: i32 = 1 << 14
const MV_CLASSES: i32 = 11
const MV_JOINT_HNZVZ: i32 = 1
const MV_JOINT_HZVNZ: i32 = 2
const MV_JOINT_HNZVNZ: i32 = 3

/** A vector, with the difference that is read added to what it was predicted to be; both packed (inter-map.ts). */
export function readVector(predicted: u32): u32 {
  const cdfs = tile.cdfs + (frame.isIntra ? 0 : INTER_MV_OFFSET)
  const joint = readSymbol(cdfs + MV_JOINT_CDF, 4)
  let row = rowOf(predicted)
  let col = colOf(predicted)
  if (joint == MV_JOINT_HZVNZ || joint == MV_JOINT_HNZVNZ) row += readComponent(cdfs, 0)
  if (joint == MV_JOINT_HNZVZ || joint == MV_JOINT_HNZVNZ) col += readComponent(cdfs, 1)
  // Invalid vectors stay invalid.
  return packVector(max(-GREATEST, min(GREATEST, row)), max(-GREATEST, min(GREATEST, col)))
}

/** is_mv_valid( ) (6.10.24), without its conditions for copied blocks. */
export function isInReach(vector: u32): bool {
  return abs(rowOf(vector)) < GREATEST && abs(colOf(vector)) < GREATEST
}

/** read_mv_component( ) */
function readComponent(cdfs: usize, comp: usize): i32 {
  const isNegative = readBool(cdfs + MV_SIGN_CDF + comp * 6) != 0
  const mvClass = readSymbol(cdfs + MV_CLASS_CDF + comp * 24, MV_CLASSES)
  let mag = 0
  if (mvClass == 0) {
    const bit = readBool(cdfs + MV_CLASS0_BIT_CDF + comp * 6)
    mag = (bit << 3) + readFraction(MV_CLASS0_FR_CDF + (comp * 2 + bit) * 10, MV_CLASS0_HP_CDF + comp * 6)
  } else {
    let d = 0
    for (let i = 0; i < mvClass; i++) d |= readBool(cdfs + MV_BIT_CDF + (comp * 10 + i) * 6) << i
    mag = (2 << (mvClass + 2)) + (d << 3) + readFraction(MV_FR_CDF + comp * 10, MV_HP_CDF + comp * 6)
  }
  return isNegative ? -mag : mag
}

/** The three lowest bits of a component, and 1. */
function readFraction(fr: usize, hp: usize): i32 {
  const quarter = frame.forceIntegerMv ? 3 : readSymbol(tile.cdfs + fr, 4)
  const eighth = interParams.allowHighPrecisionMv && !frame.forceIntegerMv ? readBool(tile.cdfs + hp) : 1
  return ((quarter << 1) | eighth) + 1
}
