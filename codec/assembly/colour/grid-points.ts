/** How many points a grid of colours has along each channel: read by the host, too, which makes it. */
export const GRID_POINTS = 17
