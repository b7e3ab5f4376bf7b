import { testMutations } from './fuzz.ts'
import { photo } from './images.ts'
import { arithmeticJpeg } from './made-arithmetic.ts'
import { toJpeg } from './sharp.ts'

const image = photo(120, 90, 8)

testMutations('baseline and progressive', [await toJpeg(image), await toJpeg(image, { progressive: true })])

const small = photo(96, 64, 8)

testMutations('arithmetic', [
  arithmeticJpeg(small),
  arithmeticJpeg(small, { progressive: true, conditioning: { lower: 1, upper: 3, kx: 9 } }),
  arithmeticJpeg(small, { restart: 5 }),
])
