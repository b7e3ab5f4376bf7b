import { testMutations } from './fuzz.ts'
import { photo } from './images.ts'
import { toJpeg } from './sharp.ts'

const image = photo(120, 90, 8)

testMutations('baseline and progressive', [await toJpeg(image), await toJpeg(image, { progressive: true })])
