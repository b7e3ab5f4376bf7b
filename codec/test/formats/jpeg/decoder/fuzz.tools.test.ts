import { cjpeg } from './cjpeg.ts'
import { testMutations } from './fuzz.ts'
import { photo } from './pictures.ts'

const picture = photo(120, 90, 8)

testMutations('restarted and unevenly sampled', [
  cjpeg(picture, '-restart', '2B'),
  cjpeg(picture, '-sample', '4x2,1x1,1x1', '-progressive'),
])
