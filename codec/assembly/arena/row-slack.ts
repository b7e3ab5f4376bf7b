/**
 * Bytes that must be addressable after a row of samples and after a decoder's input, because vectors read and write whole
 * registers. Read by the host as well as compiled into the module.
 */
export const ROW_SLACK = 64
