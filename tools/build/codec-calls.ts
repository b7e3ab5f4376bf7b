// A transform of the AssemblyScript compiler. It keeps functions from being inlined that are called in many places and in no hot
// loop: their copies would be a tenth of the module.
import { Transform } from 'assemblyscript/transform'

/** The functions, by their path in codec/assembly/. */
const CALLED = ['arena/memory/allocate', 'arena/memory/allocateZeroed', 'formats/avif/decoder/bits/readBits']

export default class CodecCalls extends Transform {
  override afterCompile(module: InstanceType<Transform['binaryen']['Module']>) {
    for (const name of CALLED) {
      this.binaryen.setPassArgument('no-inline', `codec/assembly/${name}`)
      module.runPasses(['no-inline'])
    }
  }
}
