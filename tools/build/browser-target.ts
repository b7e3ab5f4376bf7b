/**
 * The oldest browsers that the pages support. Scripts and styles are compiled for them (assets.ts), and a test compares
 * the features that the pages use with the tables of MDN (test/pages/browsers).
 */
export const BROWSER_TARGET = { chrome: '115', firefox: '115', safari: '17.0' } as const
