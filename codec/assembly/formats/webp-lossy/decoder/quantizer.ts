// Dequantization steps of the four segments: RFC 6386 §9.6, §14.1, with the scaling rules of §20.4.
import { AC_STEP, DC_STEP } from '../tables'
import { header, SEGMENT_QUANTIZERS } from './frame-header'

/** The steps of one segment. */
@unmanaged
export class Steps {
  yDc: i32
  yAc: i32
  y2Dc: i32
  y2Ac: i32
  uvDc: i32
  uvAc: i32
}

const steps: usize = memory.data(4 * offsetof<Steps>(), 4)

/** The steps of segment 0 to 3. */
export function stepsOf(segment: i32): Steps {
  return changetype<Steps>(steps + <usize>segment * offsetof<Steps>())
}

function dcStep(index: i32): i32 {
  return load<u8>(DC_STEP + max(0, min(127, index)))
}

function acStep(index: i32): i32 {
  return load<u16>(AC_STEP + (max(0, min(127, index)) << 1))
}

/** Fills the steps from the frame header. */
export function prepareSteps(): void {
  for (let segment = 0; segment < 4; segment++) {
    let index = header.yAcIndex
    if (header.segmentationEnabled) {
      const value = <i32>load<i8>(SEGMENT_QUANTIZERS + segment)
      index = header.segmentValuesAbsolute ? value : index + value
    }
    const s = stepsOf(segment)
    s.yDc = dcStep(index + header.yDcDelta)
    s.yAc = acStep(index)
    s.y2Dc = 2 * dcStep(index + header.y2DcDelta)
    s.y2Ac = max(8, (acStep(index + header.y2AcDelta) * 155) / 100)
    s.uvDc = min(132, dcStep(index + header.uvDcDelta))
    s.uvAc = acStep(index + header.uvAcDelta)
  }
}
