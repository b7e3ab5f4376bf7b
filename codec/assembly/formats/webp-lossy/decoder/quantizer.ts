// Dequantization steps of the four segments: RFC 6386 §9.3, §9.6.
import { acStep, chromaDcStep, dcStep, y2AcStep, y2DcStep } from '../steps'
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
    s.y2Dc = y2DcStep(index + header.y2DcDelta)
    s.y2Ac = y2AcStep(index + header.y2AcDelta)
    s.uvDc = chromaDcStep(index + header.uvDcDelta)
    s.uvAc = acStep(index + header.uvAcDelta)
  }
}
