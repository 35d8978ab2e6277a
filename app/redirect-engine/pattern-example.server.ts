/** What may stand where a pattern takes one of several letters, the likeliest first. */
const LETTERS = 'x1aA-_. /~0Zé'

/** Paths that a pattern is likely to match, one with as little as possible and one with a little more. Whoever asks has to try them. */
export function examplesOf(source: string): string[] {
  return [...new Set([true, false].map((isShort) => new Example(source, isShort).write()))]
}

/** Reads a regular expression from its beginning to its end and writes one text that it could be about. */
class Example {
  #source: string
  #isShort: boolean
  #at = 0

  constructor(source: string, isShort: boolean) {
    this.#source = source
    this.#isShort = isShort
  }

  /** The first of what can be chosen from, up to the bracket that ends it. */
  write(): string {
    let [text, isChosen] = ['', false]
    while (this.#at < this.#source.length && !this.#source.startsWith(')', this.#at)) {
      if (this.#takes(/\|/y)) isChosen = true
      const thing = this.#thing()
      if (!isChosen) text += thing.repeat(this.#times())
      else this.#times()
    }
    return text
  }

  #thing(): string {
    if (this.#takes(/\((?:\?P?<\w+>|\?[a-z-]*:)?/y) !== undefined) return this.#group()
    const isOneOf = this.#takes(/\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\\[dDwWsSpP](?:\{\^?\w+\})?/y)
    if (isOneOf !== undefined) return letterIn(isOneOf)
    const escaped = this.#takes(/\\[\s\S]/y)
    if (escaped !== undefined) return /\w/.test(escaped[1] ?? '') ? '' : escaped.slice(1)
    if (this.#takes(/\./y) !== undefined) return 'x'
    return (this.#takes(/[\s\S]/uy) ?? '').replace(/^[\^$)|]$/, '')
  }

  #group(): string {
    const text = this.write()
    this.#takes(/\)/y)
    return text
  }

  #times(): number {
    const mark = this.#takes(/(?:[*+?]|\{(?:\d+)(?:,\d*)?\})\??/y)
    const least = Number(/^\{(\d+)/.exec(mark ?? '')?.[1] ?? (mark && /^[*?]/.test(mark) ? 0 : 1))
    return mark && !this.#isShort && least === 0 ? 1 : Math.min(least, 1000)
  }

  #takes(what: RegExp): string | undefined {
    what.lastIndex = this.#at
    const [found] = what.exec(this.#source) ?? []
    this.#at += found?.length ?? 0
    return found
  }
}

function letterIn(oneOf: string): string {
  try {
    const pattern = new RegExp(oneOf, 'u')
    return Array.from(LETTERS).find((letter) => pattern.test(letter)) ?? oneOf[1] ?? ''
  } catch {
    return oneOf[1] ?? ''
  }
}
