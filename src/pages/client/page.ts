// The script of the pages of pictures and galleries. Everything on them works without it.
import { enableCopying } from './copying.ts'
import { enableNeighbourKeys } from './neighbour-keys.ts'
import { enableZooming } from './zooming.ts'

enableCopying(document)
enableZooming()
enableNeighbourKeys()
