/** A part of the script that the page begins without. */
export interface Later<Part> {
  /** Loads it, or says why it cannot be had. */
  load: () => Promise<Part>
  /** Begins to load it before it is needed, when there may be no connection. A failure is left to `load`, which tries again. */
  loadEarly: () => void
  isLoaded: () => boolean
}

/**
 * Loads a part once, and only when the browser is online: some browsers ask no second time for a module that failed to load.
 */
export function later<Part>(importPart: () => Promise<Part>): Later<Part> {
  let loading: Promise<Part> | undefined
  let isLoaded = false

  async function load(): Promise<Part> {
    try {
      if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
      const part = await importPart()
      isLoaded = true
      return part
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  function loadOnce(): Promise<Part> {
    loading ??= load()
    return loading
  }

  return {
    load: loadOnce,
    loadEarly: () => void loadOnce().catch(() => undefined),
    isLoaded: () => isLoaded,
  }
}
