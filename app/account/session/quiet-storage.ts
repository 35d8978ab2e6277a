/** The browser's storage, for what is not essential: a browser may refuse to store, by a setting or in a private window. */
export const quietStorage = {
  getItem: (key: string) => quietly(() => localStorage.getItem(key)) ?? null,
  setItem: (key: string, value: string) => quietly(() => localStorage.setItem(key, value)),
  removeItem: (key: string) => quietly(() => localStorage.removeItem(key)),
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
