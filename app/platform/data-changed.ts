const listeners = new Set<(prefix: string) => void>()

/** Says, within one document, that what lies behind addresses of our API has changed. Who keeps a copy of it asks again. */
export function announceChange(...prefixes: string[]): void {
  for (const prefix of prefixes) for (const listener of listeners) listener(prefix)
}

/** Calls back with the beginning of the addresses whose data has changed. Answers the function that ends it. */
export function onDataChanged(listener: (prefix: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
