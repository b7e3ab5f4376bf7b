/** A part of the script that the page begins without. */
export interface Later<Part> {
  /** Loads it. Called early, it is there when it is needed, even if the connection is not. */
  load: () => Promise<Part>
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

  return {
    load() {
      loading ??= load()
      return loading
    },
    isLoaded: () => isLoaded,
  }
}
