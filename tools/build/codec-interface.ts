// A transform of the AssemblyScript compiler: writes what the module exports, with the types that its sources declare, as an
// interface for its host. The file is the one that CODEC_INTERFACE names.
import { writeFileSync } from 'node:fs'
import { Transform } from 'assemblyscript/transform'
import { z } from 'zod'

const ENTRY = 'codec/assembly/index'

/** Numbers of AssemblyScript: the host has one kind. */
const NUMBERS = ['i32', 'u32', 'f64', 'usize']

/** Enumerations that both sides import, and their files. */
const SHARED = {
  AlphaKind: '../assembly/pipeline/yuv-format.ts',
  ChromaSampling: '../assembly/pipeline/yuv-format.ts',
  Status: '../assembly/status.ts',
}

/** Enumerations whose values come from elsewhere, so the host passes numbers: code points of ITU-T H.273. */
const CODE_POINTS = ['Matrix']

/** The parts of the compiler's objects that are read here. */
const TypeNode = z.object({ name: z.object({ identifier: z.object({ text: z.string() }) }) })
const Exported = z.object({
  functionTypeNode: z.object({
    parameters: z.array(z.object({ name: z.object({ text: z.string() }), type: TypeNode })),
    returnType: TypeNode,
  }),
})

export default class CodecInterface extends Transform {
  override afterInitialize(program: Transform['program']) {
    const entry = program.filesByName.get(ENTRY)
    if (!process.env.CODEC_INTERFACE || !entry?.exports) return
    const names = [...entry.exports.keys()]
    const members = names.map((name) => memberOf(name, Exported.parse(entry.lookupExport(name))))
    const used = Object.entries(SHARED).filter(([name]) => members.some((member) => member.includes(`: ${name}`)))
    const lines = [
      `// Made by tools/build/codec-interface.ts of ${ENTRY}.ts.`,
      ...used.map(([name, from]) => `import type { ${name} } from '${from}'`),
      'export interface Core {',
      '  memory: WebAssembly.Memory',
      ...members.map((member) => `  ${member}`),
      '}\n',
    ]
    writeFileSync(process.env.CODEC_INTERFACE, lines.join('\n'))
  }
}

function memberOf(name: string, { functionTypeNode }: z.infer<typeof Exported>) {
  const { parameters } = functionTypeNode
  const listed = parameters.map((parameter) => `${parameter.name.text}: ${typeOf(parameter.type, 'boolean')}`)
  return `${name}(${listed.join(', ')}): ${typeOf(functionTypeNode.returnType, '0 | 1')}`
}

/** Returns the host's type of a value. `bool` is its type of a boolean, which differs between parameters and results. */
function typeOf(node: z.infer<typeof TypeNode>, bool: string) {
  const name = node.name.identifier.text
  if (name === 'void' || name in SHARED) return name
  if (name === 'bool') return bool
  if (NUMBERS.includes(name) || CODE_POINTS.includes(name)) return 'number'
  throw new Error(`the host type of ${name} is missing in tools/build/codec-interface.ts`)
}
