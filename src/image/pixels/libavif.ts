import createAvifDecoder from '@jsquash/avif/codec/dec/avif_dec.js'
import avifDecoderModule from '@jsquash/avif/codec/dec/avif_dec.wasm'
import { ImageRefusal } from '../refusal.ts'
import { CODECS_MAX_BYTES, IDLE_MAX_BYTES, outOfMemory, WASM_PAGE_BYTES } from './budget.ts'
import { createInstances, dropWaiting } from './instances.ts'
import type { Raster } from './raster.ts'

/** libavif, in a package that decodes an AVIF of any kind to whole RGBA. */

/** What the decoders construct to answer with; browsers have it, Workers do not. */
class DecodedPixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
if (!('ImageData' in globalThis)) Object.assign(globalThis, { ImageData: DecodedPixels })

interface CodecOptions {
  noInitialRun: true
  print(): void
  printErr(): void
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}
type CreateCodec<Codec> = (options: CodecOptions) => Promise<Codec>

/** A decoder of these packages. */
export interface Decoder {
  decode(bytes: Uint8Array, option?: boolean | number): DecodedPixels | null
}
type Use<Codec> = <Result>(job: (codec: Codec) => Result | null) => Promise<Result>

/**
 * One instance of a codec an isolate, whose memory ends at CODECS_MAX_BYTES: what takes more is refused ('over_budget'). After any
 * error the instance is dropped, since what a codec leaves behind then makes later good pictures fail; and when it has grown
 * large.
 */
export function sharedCodec<Codec>(name: string, create: CreateCodec<Codec>, module: WebAssembly.Module): Use<Codec> {
  const instances = createInstances<Instance<Codec>>(IDLE_MAX_BYTES.libavif, ({ memory }) => memory.buffer.byteLength)
  return async (job) => {
    const instance = instances.take() ?? instances.lend(await instantiate(create, module))
    dropWaiting()
    const { codec } = instance
    let result: ReturnType<typeof job> = null
    try {
      result = job(codec)
    } catch {
      // What it says is about its own insides.
    }
    instances.giveBack(instance, result !== null)
    if (result !== null) return result
    throw instance.wasFull
      ? outOfMemory()
      : new ImageRefusal('unreadable', `the ${name} data is damaged or of an unsupported kind`)
  }
}

interface Instance<Codec> {
  codec: Codec
  memory: WebAssembly.Memory
  /** Whether it was refused memory. */
  wasFull: boolean
}

async function instantiate<Codec>(create: CreateCodec<Codec>, module: WebAssembly.Module): Promise<Instance<Codec>> {
  let memory: WebAssembly.Memory | undefined
  const codec = await create({
    noInitialRun: true,
    print() {},
    printErr() {},
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
      done(instance)
      return instance.exports
    },
  })
  if (!memory) throw new Error('the codec must export its memory')
  const made = { codec, memory, wasFull: false }
  limit(memory, () => {
    made.wasFull = true
  })
  return made
}

/** Ends a memory at CODECS_MAX_BYTES. The packages grow it through this very object, and ask for less when that fails. */
function limit(memory: WebAssembly.Memory, onFull: () => void): void {
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES <= CODECS_MAX_BYTES) return grow(pages)
    onFull()
    throw new RangeError('over the budget')
  }
}

const useAvifDecoder = sharedCodec<Decoder>('AVIF', createAvifDecoder, avifDecoderModule)

/** The primary item or the first frame, as coded: neither turned nor cropped; 10 and 12 bits reduced to 8. */
export function decodeAvif(bytes: Uint8Array): Promise<Raster> {
  return useAvifDecoder((codec) => rasterOf(codec.decode(bytes, 8)))
}

/** What a decoder answered as a raster. */
export function rasterOf(pixels: DecodedPixels | null): Raster | null {
  return pixels && { width: pixels.width, height: pixels.height, rgba: pixels.data }
}
