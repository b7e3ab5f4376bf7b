import { cjpeg } from './cjpeg.ts'
import { testMutations } from './fuzz.ts'
import { photo } from './images.ts'

const image = photo(120, 90, 8)

testMutations('restarted and unevenly sampled', [
  cjpeg(image, '-restart', '2B'),
  cjpeg(image, '-sample', '4x2,1x1,1x1', '-progressive'),
])
