/** Points of a grid of colours along each channel: read by the host, too, which makes it. */
export const GRID_POINTS = 17
/** Points along each ink of the grid from which colours of CMYK become those of sRGB. */
export const INK_GRID_POINTS = 9
