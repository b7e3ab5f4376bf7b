/**
 * How many bytes beyond a row of samples, or beyond what the host gives to a decoder, must be there: vectors read and write
 * whole registers. Read by the host as well as compiled into the module.
 */
export const ROW_SLACK = 64
