type Place<Value> = {
  prefix: string
  values: Value[]
  /** The longest other prefix that this one starts with. */ above: Place<Value> | undefined
}

/** Values by prefix: finds those of all prefixes of a text with one search, however many there are. */
export class PrefixList<Value> {
  #places: Place<Value>[]

  constructor(entries: readonly (readonly [prefix: string, value: Value])[]) {
    const values = Map.groupBy(entries, ([prefix]) => prefix)
    const sorted = [...values].toSorted(([one], [other]) => (one < other ? -1 : 1))
    this.#places = []
    for (const [prefix, group] of sorted) {
      const above = beginningOf(this.#places.at(-1), prefix)
      this.#places.push({ prefix, values: group.map(([, value]) => value), above })
    }
  }

  /** Yields the values of the longest prefix first. */
  *find(text: string): Generator<readonly Value[]> {
    for (let place = beginningOf(this.#before(text), text); place; place = place.above) yield place.values
  }

  /** The last prefix that sorts before or equals a text: every prefix of the text is also a prefix of this one. */
  #before(text: string): Place<Value> | undefined {
    let [low, high] = [0, this.#places.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#places[middle]?.prefix ?? '') <= text) low = middle + 1
      else high = middle
    }
    return this.#places[low - 1]
  }
}

function beginningOf<Value>(place: Place<Value> | undefined, text: string): Place<Value> | undefined {
  while (place && !text.startsWith(place.prefix)) place = place.above
  return place
}
