// The script of the pages of pictures and galleries. Everything on them works without it.
import { enableCopying } from './copying.ts'
import { enableNeighbourKeys } from './neighbour-keys.ts'
import { enableSlideshow, enableViewing } from './viewing.ts'

enableCopying(document)
enableViewing()
enableSlideshow()
enableNeighbourKeys()
