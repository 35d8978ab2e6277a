/** The most items that a bulk change of our API takes. */
const MOST = 200

/** Sends a bulk change in as many requests as it needs, one after the other. */
export async function inParts<Item, Result>(items: readonly Item[], send: (part: Item[]) => Promise<readonly Result[]>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += MOST) results.push(...(await send(items.slice(at, at + MOST))))
  return results
}
