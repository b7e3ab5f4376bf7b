// Writes codec/assembly/formats/avif/tables/: the constant arrays of the AV1 specification that a still image needs, from a
// JSON file of them ({ arrays, constants }, by the specification's names). Run it by hand where the arrays are at hand:
//   node tools/build/make-av1-tables.ts <av1-tables.json>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { fail, ROOT } from '../install/installed.mjs'

/** An array as the specification has it: numbers, names of constants, or arrays of them. */
type SpecifiedArray = (number | string | SpecifiedArray)[]

const [, , file = fail('Usage: node tools/build/make-av1-tables.ts <av1-tables.json>')] = process.argv
const specified: z.ZodType<SpecifiedArray> = z.lazy(() => z.array(z.union([z.number(), z.string(), specified])))
const { arrays, constants } = z
  .object({ arrays: z.record(z.string(), specified), constants: z.record(z.string(), z.number()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')))
const TARGET = path.join(ROOT, 'codec', 'assembly', 'formats', 'avif', 'tables')

// Enumerations of chapter 6 of the specification.
const SIZES =
  '4X4 4X8 8X4 8X8 8X16 16X8 16X16 16X32 32X16 32X32 32X64 64X32 64X64 64X128 128X64 128X128 4X16 16X4 8X32 32X8 16X64 64X16'
const TX_SIZES = '4X4 8X8 16X16 32X32 64X64 4X8 8X4 8X16 16X8 16X32 32X16 32X64 64X32 4X16 16X4 8X32 32X8 16X64 64X16'
const enumerate = (prefix: string, list: string) => list.split(' ').map((name, i) => [`${prefix}${name}`, i])
const names: Record<string, number> = {
  ...constants,
  ...Object.fromEntries([
    ...enumerate('BLOCK_', SIZES),
    ...enumerate('TX_', TX_SIZES),
    ...enumerate('WEDGE_', 'HORIZONTAL VERTICAL OBLIQUE27 OBLIQUE63 OBLIQUE117 OBLIQUE153'),
  ]),
}

function arrayOf(name: string) {
  return arrays[name] ?? fail(`no array ${name}`)
}

/** All numbers of an array, in order. */
function valuesOf(name: string) {
  return numbersIn(arrayOf(name))
}

function numbersIn(array: SpecifiedArray): number[] {
  return array.flatMap((value) => {
    if (Array.isArray(value)) return numbersIn(value)
    return typeof value === 'string' ? (names[value] ?? fail(`unknown constant ${value}`)) : value
  })
}

function table(name: string, type: string, values: number[], comment: string) {
  const lines = []
  for (let i = 0; i < values.length; i += 24) lines.push(`  ${values.slice(i, i + 24).join(', ')},`)
  return `/** ${comment} */\n// biome-ignore format: a table\nexport const ${name}: usize = memory.data<${type}>([\n${lines.join('\n')}\n])\n`
}

function write(file: string, head: string, parts: string[]) {
  writeFileSync(
    path.join(TARGET, file),
    `// ${head}\n// Written by tools/build/make-av1-tables.ts.\n\n${parts.join('\n')}`,
  )
}

const constantName = (name: string) => name.toUpperCase()
const plain = (name: string, type: string, comment: string) => table(constantName(name), type, valuesOf(name), comment)

mkdirSync(TARGET, { recursive: true })

// --- Default CDFs -----------------------------------------------------------------------------------------------------

/** Arrays of the context in order, and of how many copies. */
const SYMBOLS: [name: string, copies?: number][] = [
  ['Intra_Frame_Y_Mode'],
  ['Uv_Mode_Cfl_Not_Allowed'],
  ['Uv_Mode_Cfl_Allowed'],
  ['Angle_Delta'],
  ['Intrabc'],
  ['Partition_W8'],
  ['Partition_W16'],
  ['Partition_W32'],
  ['Partition_W64'],
  ['Partition_W128'],
  ['Tx_8x8'],
  ['Tx_16x16'],
  ['Tx_32x32'],
  ['Tx_64x64'],
  ['Txfm_Split'],
  ['Filter_Intra_Mode'],
  ['Filter_Intra'],
  ['Segment_Id'],
  ['Skip'],
  ['Mv_Joint'],
  ['Mv_Class'],
  ['Mv_Sign', 2],
  ['Mv_Class0_Bit', 2],
  ['Mv_Bit', 2],
  ['Palette_Y_Mode'],
  ['Palette_Uv_Mode'],
  ['Palette_Y_Size'],
  ['Palette_Uv_Size'],
  ...paletteColors('Y'),
  ...paletteColors('Uv'),
  ['Delta_Q'],
  ['Delta_Lf', 5],
  ['Intra_Tx_Type_Set1'],
  ['Intra_Tx_Type_Set2'],
  ['Inter_Tx_Type_Set1'],
  ['Inter_Tx_Type_Set2'],
  ['Inter_Tx_Type_Set3'],
  ['Cfl_Sign'],
  ['Cfl_Alpha'],
  ['Use_Wiener'],
  ['Use_Sgrproj'],
  ['Restoration_Type'],
]
/** Arrays that only inter frames need. Their motion vectors have copies of their own (MvCtx 0). */
const INTER_SYMBOLS: [name: string, copies?: number][] = [
  ['Y_Mode'],
  ['Is_Inter'],
  ['Comp_Mode'],
  ['Skip_Mode'],
  ['Comp_Ref'],
  ['Comp_Bwd_Ref'],
  ['Single_Ref'],
  ['Compound_Mode'],
  ['Interp_Filter'],
  ['Motion_Mode'],
  ['New_Mv'],
  ['Zero_Mv'],
  ['Ref_Mv'],
  ['Drl_Mode'],
  ['Mv_Class0_Fr'],
  ['Mv_Class0_Hp', 2],
  ['Mv_Fr'],
  ['Mv_Hp', 2],
  ['Segment_Id_Predicted'],
  ['Comp_Ref_Type'],
  ['Uni_Comp_Ref'],
  ['Comp_Group_Idx'],
  ['Compound_Idx'],
  ['Compound_Type'],
  ['Inter_Intra'],
  ['Inter_Intra_Mode'],
  ['Wedge_Index'],
  ['Wedge_Inter_Intra'],
  ['Use_Obmc'],
]
const COEFFICIENTS = [
  'Txb_Skip',
  'Eob_Pt_16',
  'Eob_Pt_32',
  'Eob_Pt_64',
  'Eob_Pt_128',
  'Eob_Pt_256',
  'Eob_Pt_512',
  'Eob_Pt_1024',
  'Eob_Extra',
  'Dc_Sign',
  'Coeff_Base_Eob',
  'Coeff_Base',
  'Coeff_Br',
]

function paletteColors(plane: 'Y' | 'Uv'): [name: string][] {
  return [2, 3, 4, 5, 6, 7, 8].map((n) => [`Palette_Size_${n}_${plane}_Color`])
}

const defaultCdf = (name: string) => arrayOf(`Default_${name}_Cdf`)
/** The part of an array of arrays. */
const partOf = (array: SpecifiedArray, index: number) => {
  const part = array[index]
  return Array.isArray(part) ? part : fail(`there is no array ${index}`)
}
const cdfs: (array: SpecifiedArray) => number[][] = (array) =>
  Array.isArray(array[0]) ? array.flatMap((_, index) => cdfs(partOf(array, index))) : [numbersIn(array)]
/** 32768 less what the specification has, and the counter as it is. */
const inverse = (array: SpecifiedArray) =>
  cdfs(array).flatMap((cdf) => [...cdf.slice(0, -1).map((value) => 32768 - value), 0])

let offset = 0
const layout: string[] = []
const addToLayout = (name: string, array: SpecifiedArray, copies: number) => {
  const shape = []
  for (let level: SpecifiedArray[number] | undefined = array; Array.isArray(level); level = level[0]) {
    shape.push(level.length)
  }
  if (copies > 1) shape.unshift(copies)
  layout.push(`/** [${shape.join('][')}] */\nexport const ${constantName(name)}_CDF: usize = ${offset}`)
  offset += 2 * cdfs(array).flat().length * copies
}
const symbolValues = []
for (const [name, copies = 1] of SYMBOLS) {
  const array = defaultCdf(name)
  addToLayout(name, array, copies)
  for (let i = 0; i < copies; i++) symbolValues.push(...inverse(array))
}
const symbolBytes = offset
const coefficientValues = [0, 1, 2, 3].flatMap((q) =>
  COEFFICIENTS.flatMap((name) => inverse(partOf(defaultCdf(name), q))),
)
for (const name of COEFFICIENTS) addToLayout(name, partOf(defaultCdf(name), 0), 1)
const coefficientBytes = offset - symbolBytes
const interAt = offset
const interValues: number[] = []
for (const [name, copies = 1] of INTER_SYMBOLS) {
  const array = defaultCdf(name)
  addToLayout(name, array, copies)
  for (let i = 0; i < copies; i++) interValues.push(...inverse(array))
}

write(
  'cdf.ts',
  'The CDFs of a tile (8.3.1): where each is in its context, in bytes, and what they are at first (chapter 9.3).',
  [
    `/** A CDF of N symbols is N + 1 u16: 32768 less the specification's value, N times, then the counter. */`,
    ...layout,
    `/** Bytes of the CDFs outside coeffs( ); those of coeffs( ) follow them. */\nexport const SYMBOL_CDF_BYTES: usize = ${symbolBytes}`,
    `/** Bytes of the CDFs of coeffs( ), for one range of base_q_idx. */\nexport const COEFF_CDF_BYTES: usize = ${coefficientBytes}`,
    `/** Bytes of the CDFs of frames that are predicted from others, which follow those. */\nexport const INTER_CDF_BYTES: usize = ${offset - interAt}\n`,
    table('DEFAULT_SYMBOL_CDFS', 'u16', symbolValues, 'All but those of coeffs( ).'),
    table('DEFAULT_COEFF_CDFS', 'u16', coefficientValues, 'CDFs of coeffs( ), for four ranges of base_q_idx.'),
    table('DEFAULT_INTER_CDFS', 'u16', interValues, 'CDFs of frames that are predicted from others.'),
  ],
)

// --- The rest ---------------------------------------------------------------------------------------------------------

write('block.ts', 'Properties of block sizes (9.3), by MiSize.', [
  plain('Num_4x4_Blocks_Wide', 'u8', 'Width in units of 4 samples.'),
  plain('Num_4x4_Blocks_High', 'u8', 'Height in units of 4 samples.'),
  plain('Mi_Width_Log2', 'u8', 'Binary logarithm of the width in units of 4 samples.'),
  plain('Mi_Height_Log2', 'u8', 'Binary logarithm of the height in units of 4 samples.'),
  plain('Max_Tx_Size_Rect', 'u8', 'The largest transform size that fits.'),
  plain('Max_Tx_Depth', 'u8', 'The number of times that it can be split (5.11.15).'),
  plain(
    'Subsampled_Size',
    'u8',
    '[size][subsampling_x][subsampling_y]: size in a plane so sampled; 22 where there is none (5.11.38).',
  ),
  plain('Partition_Subsize', 'u8', '[partition][size]: size of the parts.'),
])
write(
  'transform.ts',
  'Properties of transform sizes and types (5.11, 7.13, 9.3), by TxSize where nothing else is said.',
  [
    plain('Tx_Width', 'u8', 'Width in samples.'),
    plain('Tx_Height', 'u8', 'Height in samples.'),
    plain('Tx_Width_Log2', 'u8', 'Binary logarithm of the width.'),
    plain('Tx_Height_Log2', 'u8', 'Binary logarithm of the height.'),
    plain('Tx_Size_Sqr', 'u8', 'The square of the shorter side.'),
    plain('Tx_Size_Sqr_Up', 'u8', 'The square of the longer side.'),
    plain('Split_Tx_Size', 'u8', 'The size that it is split into.'),
    plain('Adjusted_Tx_Size', 'u8', 'The size with sides of at most 32.'),
    plain('Transform_Row_Shift', 'u8', 'Shift after the row transforms (7.13.3).'),
    plain('Mode_To_Txfm', 'u8', 'Transform type of a chroma block by UVMode.'),
    plain('Tx_Type_In_Set_Intra', 'u8', '[set][type]'),
    plain('Tx_Type_In_Set_Inter', 'u8', '[set][type]'),
    plain('Tx_Type_Intra_Inv_Set1', 'u8', 'Transform type by symbol.'),
    plain('Tx_Type_Intra_Inv_Set2', 'u8', 'Transform type by symbol.'),
    plain('Tx_Type_Inter_Inv_Set1', 'u8', 'Transform type by symbol.'),
    plain('Tx_Type_Inter_Inv_Set2', 'u8', 'Transform type by symbol.'),
    plain('Tx_Type_Inter_Inv_Set3', 'u8', 'Transform type by symbol.'),
    plain('Coeff_Base_Ctx_Offset', 'u8', '[size][row, at most 4][column, at most 4] (8.3.2).'),
    table(
      'COS128',
      'i16',
      Array.from({ length: 256 + 64 }, (_, angle) => cos128(angle)),
      'cos128( angle ) for 0 to 319 (7.13.2.1).',
    ),
  ],
)
write('quantizer.ts', 'Quantizer steps (7.12.2): [BitDepth 8, 10, 12][index].', [
  plain('Dc_Qlookup', 'u16', 'For the DC coefficient.'),
  plain('Ac_Qlookup', 'u16', 'For the others.'),
])
// Of Quantizer_Matrix only what the rest is a part of: of 32x32, which is symmetric, the lower triangle, and 16x32.
const matrixAt = (size: string) => valuesOf('Qm_Offset')[names[size] ?? 0] ?? 0
const square = matrixAt('TX_32X32')
const rectangle = matrixAt('TX_16X32')
const matrices = arrayOf('Quantizer_Matrix').flatMap((ofLevel) => {
  if (!Array.isArray(ofLevel)) return fail('Quantizer_Matrix must have [level][plane]')
  return ofLevel.flatMap((ofPlane) => {
    const all = Array.isArray(ofPlane) ? numbersIn(ofPlane) : []
    const triangle = Array.from({ length: 32 }, (_, row) => all.slice(square + 32 * row, square + 33 * row + 1))
    return [...triangle.flat(), ...all.slice(rectangle, rectangle + 16 * 32)]
  })
})
write('quantizer-matrix.ts', 'Quantizer matrices (9.3).', [
  plain('Qm_Offset', 'u16', 'Where that of a transform size begins.'),
  table(
    'QUANTIZER_MATRICES',
    'u8',
    matrices,
    '[level 0 to 14][luma, chroma]: of 32x32 the lower triangle by rows (528), then 16x32 by rows (512).',
  ),
])
const weights = [4, 8, 16, 32, 64].flatMap((n) => valuesOf(`Sm_Weights_Tx_${n}x${n}`))
write('prediction.ts', 'Constants of intra prediction (7.11.2, 9.3).', [
  table('SM_WEIGHTS', 'u8', [0, 0, 0, 0, ...weights], 'Weights of length n are at n: Sm_Weights_Tx_*.'),
  plain('Mode_To_Angle', 'u8', 'In degrees.'),
  plain('Dr_Intra_Derivative', 'u16', 'By angle.'),
  plain('Intra_Filter_Taps', 'i8', '[mode][sample of 4x2][neighbour 0 to 6]'),
  plain('Intra_Edge_Kernel', 'u8', '[strength - 1][tap]'),
  plain('Intra_Mode_Context', 'u8', 'By mode (8.3.2).'),
  plain('Palette_Color_Context', 'i8', 'By ColorContextHash.'),
])
write('filters.ts', 'Constants of the filters after prediction (7.15, 7.16, 7.17).', [
  plain('Cdef_Uv_Dir', 'u8', '[subsampling_x][subsampling_y][direction]'),
  plain('Cdef_Directions', 'i8', '[direction][tap][row, column]'),
  plain('Upscale_Filter', 'i16', '[position][tap]'),
  plain('Sgr_Params', 'u8', '[set][radius, eps of both passes]'),
])
write('gaussian.ts', 'The random numbers of film grain (7.18.3, 9.3).', [
  plain('Gaussian_Sequence', 'i16', 'Normally distributed.'),
])

write('inter.ts', 'Constants of prediction from other frames (7.10, 7.11.3, 8.3.2, 9.3).', [
  table(
    'SUBPEL_FILTERS',
    'i8',
    valuesOf('Subpel_Filters').map((tap) => tap / 2),
    '[filter][position][tap], halved: all are even.',
  ),
  table(
    'WARPED_FILTERS',
    'i8',
    valuesOf('Warped_Filters').slice(0, 97 * 8),
    '[position][tap] up to the middle one: behind it are those before it, turned round, but for the last, which is like that before it.',
  ),
  table(
    'OBMC_MASKS',
    'u8',
    [0, 0, ...[2, 4, 8, 16, 32].flatMap((n) => valuesOf(`Obmc_Mask_${n}`))],
    'The mask of length n is at n: Obmc_Mask_*.',
  ),
  plain('Ii_Weights_1d', 'u8', 'By distance from the edge.'),
  plain('Wedge_Bits', 'u8', 'By MiSize; 0 where there are no wedges.'),
  table(
    'WEDGE_CODEBOOK',
    'u8',
    numbersIn(arrayOf('Wedge_Codebook')),
    '[higher than wide, wider than high, square][wedge][direction, xoff, yoff]',
  ),
  table(
    'WEDGE_MASTERS',
    'u8',
    ['Vertical', 'Oblique_Even', 'Oblique_Odd'].flatMap((name) => valuesOf(`Wedge_Master_${name}`)),
    'Wedge_Master_Vertical, _Oblique_Even and _Oblique_Odd.',
  ),
  plain('Quant_Dist_Weight', 'u8', '[row][order]'),
  plain('Quant_Dist_Lookup', 'u8', '[row][order]'),
  plain('Size_Group', 'u8', 'By MiSize.'),
  plain('Compound_Mode_Ctx_Map', 'u8', '[RefMvContext >> 1][NewMvContext]'),
])

function cos128(angle: number) {
  const lookup = valuesOf('Cos128_Lookup')
  const at = (index: number) => lookup[index] ?? fail(`Cos128_Lookup has no ${index}`)
  const turned = angle & 255
  if (turned <= 64) return at(turned)
  if (turned <= 128) return -at(128 - turned)
  if (turned <= 192) return -at(turned - 128)
  return at(256 - turned)
}
