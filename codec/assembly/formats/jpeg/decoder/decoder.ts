// A JPEG file (T.81) to rows of the sink, at the scale that serves what is wanted.

import { checkpoint } from '../../../arena/memory'
import { Colour } from '../../../colour/conversion'
import { announceImage } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { NATURAL } from '../zigzag'
import { prepareDecisions } from './arithmetic-decoder'
import { component, frame, resetFrame } from './frame-header'
import { resetHuffman } from './huffman'
import { prepareTransforms } from './idct'
import { announcePlanes } from './mcu-rows'
import { readScans, transformMcuRow } from './multi-scan'
import { listScans } from './needed-scans'
import { resetQuantization } from './quantization'
import { chooseScale } from './scale'
import { readScan, resetScans, scan } from './scan'
import { readSegments, resetSegments, segments } from './segments'
import { beginSingleScan, decodeMcuRow } from './single-scan'

/** The image that is decoded. */
@unmanaged
class Decoder {
  end: usize
  isMultiScan: bool
  row: i32
}

const decoder: Decoder = changetype<Decoder>(memory.data(offsetof<Decoder>(), 4))

/**
 * Reads the `bytes` at `file` up to the first scan. After `Ok` the image's size is known, and `startJpeg` may
 * follow.
 */
export function openJpeg(file: usize, bytes: usize): Status {
  decoder.end = file + bytes
  resetFrame()
  resetSegments()
  resetHuffman()
  resetQuantization()
  resetScans()
  prepareTransforms(NATURAL)
  prepareDecisions()
  if (bytes < 2 || load<u16>(file) != 0xd8ff) return Status.Malformed
  const status = readSegments(file + 2, decoder.end)
  if (status != Status.Ok) return status
  return segments.scanHeader == 0 || frame.components == 0 ? Status.Malformed : Status.Ok
}

/**
 * Begins to decode the opened image into the sink, at up to `oversampling` times the wanted size. Where coefficients
 * of the whole image are held, all scans are read now. They may fill the arena up to `limit` bytes, at the cost of
 * oversampling; `OverBudget` if that is not enough. They are freed before the sink is finished, when the macroblock
 * rows of a rotated image are encoded.
 */
export function startJpeg(oversampling: f64, limit: f64): Status {
  let status = readScan(segments.scanHeader, segments.scanData)
  if (status != Status.Ok) return status
  decoder.row = 0
  decoder.isMultiScan = frame.isProgressive || scan.components < frame.components
  if (decoder.isMultiScan) {
    status = listScans(segments.scanHeader, decoder.end)
    if (status != Status.Ok) return status
  }
  const colour = colourOfFrame()
  announceImage(colour)
  if (!chooseScale(oversampling, decoder.isMultiScan, limit - <f64>checkpoint())) return Status.OverBudget
  announcePlanes()
  const inverted = frame.components == 4 && segments.adobeTransform >= 0
  for (let i = 0; i < frame.components; i++) component(i).level = inverted ? 127 * 8 : 128 * 8
  return decoder.isMultiScan ? readScans(decoder.end, inverted) : beginSingleScan(decoder.end, inverted)
}

/** Decodes the next row of MCUs into the sink; `More` until it was the last. */
export function stepJpeg(): Status {
  if (decoder.isMultiScan) transformMcuRow(decoder.row++)
  else decodeMcuRow(decoder.row++)
  if (decoder.row < frame.mcusDown) return Status.More
  return scan.mcusDecoded == 0 ? Status.NoPixels : Status.Ok
}

/** Returns the colour space, by the markers or, without any, by the names of the components. */
function colourOfFrame(): Colour {
  if (frame.components == 1) return Colour.Gray
  if (frame.components == 4) return segments.adobeTransform > 0 ? Colour.Ycck : Colour.Cmyk
  if (segments.hasJfif) return Colour.YuvFull
  if (segments.adobeTransform >= 0) return segments.adobeTransform == 0 ? Colour.Rgb : Colour.YuvFull
  const isNamedRgb = component(0).id == 0x52 && component(1).id == 0x47 && component(2).id == 0x42
  return isNamedRgb ? Colour.Rgb : Colour.YuvFull
}
