// The script of the pages of images and galleries. Everything on them works without it.
import { enableCopying } from '../../shell/script/copying.ts'
import { enableSharing } from '../../shell/script/sharing.ts'
import { rememberAgreement } from './agreeing.ts'
import { nameImages } from './naming.ts'
import { enableNeighbourKeys } from './neighbour-keys.ts'
import { enableSharpening } from './sharpening.ts'
import { enableGalleryViewing, enableSlideshow, enableViewing } from './viewing.ts'

nameImages()
rememberAgreement()
enableCopying(document)
enableSharing()
enableSharpening()
enableViewing()
enableGalleryViewing()
enableSlideshow()
enableNeighbourKeys()
