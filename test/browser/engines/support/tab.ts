/** Keys by their names in the WebDriver specification (17.4.2, keyboard actions). */
export const KEY = {
  alt: '\uE00A',
  enter: '\uE007',
  escape: '\uE00C',
  left: '\uE012',
  right: '\uE014',
  space: ' ',
  tab: '\uE004',
} as const

/** A tab of a browser. Firefox and WebKit speak different protocols, which have these in common. */
export interface Tab {
  /** Opens an address, and waits until it has loaded. */
  open: (address: string) => Promise<void>
  /** Evaluates an expression in the page. Its value must be JSON, or a promise of it. */
  evaluate: (expression: string) => Promise<unknown>
  /** Clicks with the mouse at a point of the window. */
  click: (x: number, y: number) => Promise<void>
  /** Presses all keys, in order, then releases them. */
  press: (...keys: readonly string[]) => Promise<void>
  /** Chooses files with the first input that matches a selector. */
  setFiles: (selector: string, files: readonly string[]) => Promise<void>
  resize: (width: number, height: number) => Promise<void>
  /** Returns a PNG of the window. */
  screenshot: () => Promise<Buffer>
  /** Returns the errors and warnings that the console printed since the last call. */
  complaints: () => string[]
  close: () => Promise<void>
}

/** Returns the input source of a click at a point of the window (WebDriver, 17.4.3). */
export function clickAt(x: number, y: number): object {
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  }
}

/** Returns the input source that presses all keys, in order, then releases them (WebDriver, 17.4.2). */
export function pressOf(keys: readonly string[]): object {
  const down = keys.map((value) => ({ type: 'keyDown', value }))
  const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }))
  return { type: 'key', id: 'keyboard', actions: [...down, ...up] }
}
