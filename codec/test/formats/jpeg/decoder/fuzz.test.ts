import { testMutations } from './fuzz.ts'
import { photo } from './pictures.ts'
import { toJpeg } from './sharp.ts'

const picture = photo(120, 90, 8)

testMutations('baseline and progressive', [await toJpeg(picture), await toJpeg(picture, { progressive: true })])
