// The set frame refs process: AV1 specification, 7.8.
import { relativeDistance } from './order-hints'
import { NUM_REF_FRAMES, REFS_PER_FRAME, slot } from './references'

const NONE: i32 = -1
const GOLDEN: i32 = 3
const BWDREF: i32 = 4
const ALTREF2: i32 = 5
const ALTREF: i32 = 6

/** Ref_Frame_List, less LAST_FRAME. */
const FORWARD: StaticArray<i32> = [1, 2, BWDREF, ALTREF2, ALTREF]
/** shiftedOrderHints, less curFrameHint. */
const DISTANCES: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0]
const USED: StaticArray<bool> = [false, false, false, false, false, false, false, false]

/** Fills ref_frame_idx, i32[7], where only those of LAST_FRAME and GOLDEN_FRAME are coded. All slots must have frames. */
export function setFrameRefs(indices: StaticArray<i32>, last: i32, gold: i32, orderHint: i32): void {
  for (let i = 0; i < REFS_PER_FRAME; i++) unchecked((indices[i] = NONE))
  for (let i = 0; i < NUM_REF_FRAMES; i++) {
    unchecked((DISTANCES[i] = relativeDistance(slot(i).orderHint, orderHint)))
    unchecked((USED[i] = i == last || i == gold))
  }
  unchecked((indices[0] = last))
  unchecked((indices[GOLDEN] = gold))
  use(indices, ALTREF, find(true, true))
  use(indices, BWDREF, find(true, false))
  use(indices, ALTREF2, find(true, false))
  for (let i = 0; i < FORWARD.length; i++)
    if (indices[unchecked(FORWARD[i])] == NONE) use(indices, unchecked(FORWARD[i]), find(false, true))
  let earliest = 0
  for (let i = 1; i < NUM_REF_FRAMES; i++) if (unchecked(DISTANCES[i]) < unchecked(DISTANCES[earliest])) earliest = i
  for (let i = 0; i < REFS_PER_FRAME; i++) if (unchecked(indices[i]) == NONE) unchecked((indices[i] = earliest))
}

function use(indices: StaticArray<i32>, i: i32, ref: i32): void {
  unchecked((indices[i] = ref))
  if (ref != NONE) unchecked((USED[ref] = true))
}

/** find_latest_backward( ), find_earliest_backward( ) and find_latest_forward( ). */
function find(isBackward: bool, isLatest: bool): i32 {
  let ref = NONE
  for (let i = 0; i < NUM_REF_FRAMES; i++) {
    if (unchecked(USED[i]) || unchecked(DISTANCES[i]) >= 0 != isBackward) continue
    if (
      ref == NONE ||
      (isLatest
        ? unchecked(DISTANCES[i]) >= unchecked(DISTANCES[ref])
        : unchecked(DISTANCES[i]) < unchecked(DISTANCES[ref]))
    )
      ref = i
  }
  return ref
}
