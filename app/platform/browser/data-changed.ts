const listeners = new Set<(prefix: string) => void>()

/** Announces, within one document, that the data behind these API addresses has changed. Listeners refetch their copies. */
export function announceChange(...prefixes: string[]): void {
  for (const prefix of prefixes) for (const listener of listeners) listener(prefix)
}

/** Calls back with the prefix of the addresses whose data has changed. Returns the function that unsubscribes. */
export function onDataChanged(listener: (prefix: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
