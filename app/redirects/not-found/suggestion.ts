/** Minimum share of common trigrams. */
const LEAST_ALIKE = 0.4

/** Finds the most similar of many paths. */
export class Suggestions {
  #sizes = new Map<string, number>()
  #holders = new Map<string, string[]>()

  constructor(paths: Iterable<string>) {
    for (const path of new Set(paths)) {
      const parts = partsOf(path)
      this.#sizes.set(path, parts.size)
      for (const part of parts) {
        const holders = this.#holders.get(part)
        if (holders) holders.push(path)
        else this.#holders.set(part, [path])
      }
    }
  }

  closest(path: string): string | null {
    const parts = partsOf(path)
    const shared = new Map<string, number>()
    for (const part of parts) for (const holder of this.#holders.get(part) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1)
    let [best, most]: [string | null, number] = [null, LEAST_ALIKE]
    for (const [holder, count] of shared) {
      const alike = (2 * count) / (parts.size + (this.#sizes.get(holder) ?? 0))
      if (alike > most) [best, most] = [holder, alike]
    }
    return best
  }
}

/** Trigrams of a path, without case, file extension and punctuation. */
function partsOf(path: string): Set<string> {
  const text = ` ${path
    .toLowerCase()
    .replace(/\.(html?|php|aspx?|jsp)$/, '')
    .replace(/\/index$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= text.length; at += 1) parts.add(text.slice(at, at + 3))
  return parts
}
