// The pictures that are measured: like photographs, the same on every machine.
import { photo } from '../test/support/photo.ts'

const SEED = 20_261_121

/**
 * The sizes that are measured, by their megapixels.
 * @type {Record<string, [width: number, height: number]>}
 */
export const SIZES = {
  1: [1200, 800],
  3: [2048, 1536],
  12: [4032, 3024],
  24: [6000, 4000],
  48: [8000, 6000],
}

/**
 * Raw RGB of a picture; `grain` is the amplitude of the noise of single pixels.
 * @param {number} width
 * @param {number} height
 * @param {number} grain
 */
export function makePhoto(width, height, grain) {
  return photo(width, height, SEED, grain)
}
