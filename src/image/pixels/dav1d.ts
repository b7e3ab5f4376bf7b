import av1DecoderModule from '#generated/av1.wasm'
import type { Av1Coding, Av1Sequence } from '../container/av1-sequence.ts'
import { ImageRefusal } from '../refusal.ts'
import { IDLE_MAX_BYTES, outOfMemory, WASM_PAGE_BYTES } from './budget.ts'
import { createInstances } from './instances.ts'

/** dav1d as the video player ogv has it compiled, with SIMD: AV1 of 8 bits a sample, a picture's planes where they lie. */

/** A decoded picture. Its planes lie in the decoder's memory, untouched until the decoder is called again. */
export interface YuvPicture {
  width: number
  height: number
  chroma: Av1Coding['chroma']
  memory: Uint8Array
  y: number
  cb: number
  cr: number
  /** Bytes from row to row. */
  yStride: number
  chromaStride: number
}

/** A decoder of its own memory. A picture begins with the very same memory, whatever was decoded before. */
export interface Av1Decoder {
  /**
   * Decodes the first frame of AV1 data whose sequence header was read: 8 bits a sample. Throws ImageRefusal: 'over_budget' if
   * the decoder's memory would grow beyond `maxBytes`, or 'unreadable'.
   */
  decode(obus: Uint8Array, sequence: Av1Sequence, maxBytes: number): YuvPicture
  /** Forgets everything. */
  reset(): void
  /** Whether it can go on; it is worn out by an error, or by many pictures that the package does not hand out. */
  isFit(): boolean
  /** Of its memory. */
  bytes(): number
}

/** Static data and the stack end here, as scripts/av1.mjs moved it. */
const HEAP_START = 442_208 + 512 * 1024
/** Where the allocator keeps the end of what it took: a word. */
const BREAK_AT = 108_728
/** A call that never returned leaves some hundred bytes of the stack taken. */
const MAX_ABANDONED = 64
/** Dav1dPixelLayout */
const LAYOUTS: Record<Av1Coding['chroma'], number> = { '4:0:0': 0, '4:2:0': 1, '4:2:2': 2, '4:4:4': 3 }

/** What the module exports, by its names; they are those of ogv 1.9.0, as is all that is said of them here. */
interface Av1Exports {
  /** memory */
  h: WebAssembly.Memory
  /** runs the constructors */
  i(): void
  /** ogv_video_decoder_init */
  j(): void
  /** ogv_video_decoder_process_frame; of nothing: hands out what waits */
  n(obus: number, bytes: number): number
  /** malloc */
  q(bytes: number): number
}

const decoders = createInstances<Av1Decoder>(IDLE_MAX_BYTES.dav1d, (av1) => av1.bytes())

/** The isolate's decoder or, while that is at work, another. It is the caller's alone until it is given back. */
export function borrowAv1(): Av1Decoder {
  const av1 = decoders.take() ?? decoders.lend(createAv1Decoder())
  av1.reset()
  return av1
}

/** Ends a use of `borrowAv1`: what is worn out or has grown large is not kept. */
export function giveBackAv1(av1: Av1Decoder): void {
  decoders.giveBack(av1, av1.isFit())
}

function createAv1Decoder(): Av1Decoder {
  let isDirty = true
  let isFull = false
  let abandoned = 0
  let limit = 0
  let wanted: Av1Sequence | undefined
  let picture: YuvPicture | undefined

  const imports = {
    /** fd_write: what it says is about its own insides. */
    a(_file: number, vectors: number, count: number, written: number): number {
      const view = new DataView(memory.buffer)
      let bytes = 0
      for (let i = 0; i < count; i++) bytes += view.getUint32(vectors + 8 * i + 4, true)
      view.setUint32(written, bytes, true)
      return 0
    },
    /** abort: for every picture that is not 4:2:0, when it is complete. */
    b(): never {
      picture = wanted && findPicture(memory, wanted)
      throw new WebAssembly.RuntimeError('aborted')
    },
    /** fd_seek */
    c: () => 70,
    /** emscripten_resize_heap */
    d(bytes: number): number {
      const size = bytes >>> 0
      isFull ||= size > limit
      if (isFull) return 0
      try {
        memory.grow(Math.ceil((size - memory.buffer.byteLength) / WASM_PAGE_BYTES))
        return 1
      } catch {
        isFull = true
        return 0
      }
    },
    /** fd_close */
    e: () => 52,
    /** memcpy */
    f(to: number, from: number, bytes: number): void {
      new Uint8Array(memory.buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (bytes >>> 0))
    },
    /** ogvjs_callback_frame: planes and strides, five sizes, the width and the height. */
    g(y: number, yStride: number, cb: number, chromaStride: number, cr: number, _: number, ...sizes: number[]): void {
      const [, , , , width = 0, height = 0] = sizes
      const planes = { memory: new Uint8Array(memory.buffer), y, cb, cr, yStride, chromaStride }
      picture ??= { width, height, chroma: '4:2:0', ...planes }
    },
  }

  // The cast is of a module of a package with a fixed version, not of input.
  const exports = new WebAssembly.Instance(av1DecoderModule, { a: imports }).exports as unknown as Av1Exports
  const memory = exports.h
  exports.i()
  new DataView(memory.buffer).setUint32(BREAK_AT, HEAP_START, true)
  /** The memory as it is before the first call, as far as it is not zero. */
  const image = new Uint8Array(memory.buffer, 0, BREAK_AT + 4).slice()

  function prepare(): void {
    new Uint8Array(memory.buffer).fill(0).set(image)
    exports.j()
    isDirty = false
  }

  function decodePicture(obus: Uint8Array): YuvPicture | undefined {
    let isOver = false
    try {
      if (isDirty) prepare()
      exports.n(0, 0)
      picture = undefined
      const at = exports.q(obus.length)
      if (at > 0) {
        new Uint8Array(memory.buffer, at, obus.length).set(obus)
        exports.n(at, obus.length)
      }
      isOver = true
    } catch {
      // An abort that handed out a picture leaves the decoder usable; after a trap it is not trusted.
      abandoned += picture ? 1 : MAX_ABANDONED
    }
    isDirty = !isOver || picture === undefined
    return picture
  }

  return {
    decode(obus, sequence, maxBytes) {
      wanted = sequence
      limit = maxBytes
      isFull = false
      picture = undefined
      const found = decodePicture(obus)
      if (found?.chroma === sequence.chroma) return found
      throw isFull
        ? outOfMemory()
        : new ImageRefusal('unreadable', 'the AVIF data is damaged or of an unsupported kind')
    },
    reset() {
      isDirty = true
    },
    isFit: () => abandoned < MAX_ABANDONED,
    bytes: () => memory.buffer.byteLength,
  }
}

/**
 * The package's glue hands out pictures of 4:2:0 alone. Any other is there all the same, and described by dav1d's public
 * structure Dav1dPicture: two pointers, data[3], stride[2], width, height, layout, bits a sample.
 */
function findPicture({ buffer }: WebAssembly.Memory, { width, height, chroma }: Av1Sequence): YuvPicture | undefined {
  const layout = LAYOUTS[chroma]
  const columns = chroma === '4:2:2' ? (width + 1) >> 1 : width
  const isThere = (start: number, stride: number, bytes: number) =>
    start >= HEAP_START && stride >= bytes && start + stride * height <= buffer.byteLength
  const words = new Int32Array(buffer)
  for (let at = words.indexOf(width, HEAP_START >> 2); at > 0; at = words.indexOf(width, at + 1)) {
    if (words[at + 1] !== height || words[at + 2] !== layout || words[at + 3] !== 8) continue
    const [y = 0, cb = 0, cr = 0, yStride = 0, chromaStride = 0] = words.subarray(at - 5, at)
    if (!isThere(y, yStride, width)) continue
    if (layout > 0 && !(isThere(cb, chromaStride, columns) && isThere(cr, chromaStride, columns))) continue
    return { width, height, chroma, memory: new Uint8Array(buffer), y, cb, cr, yStride, chromaStride }
  }
  return undefined
}
