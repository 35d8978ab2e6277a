/** Candidates for a character class, the likeliest first. */
const CANDIDATES = 'x1aA-_. /~0Zé'

/** Paths that a pattern is likely to match, one of them minimal and one slightly longer. The caller has to verify them. */
export function patternExamples(source: string): string[] {
  return [...new Set([true, false].map((isShort) => new Example(source, isShort).write()))]
}

/** Reads a regular expression from left to right and writes one text that it could match. */
class Example {
  #source: string
  #isShort: boolean
  #at = 0

  constructor(source: string, isShort: boolean) {
    this.#source = source
    this.#isShort = isShort
  }

  /** Takes the first alternative, up to the closing bracket. */
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
    if (isOneOf !== undefined) return characterIn(isOneOf)
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

function characterIn(oneOf: string): string {
  try {
    const pattern = new RegExp(oneOf, 'u')
    return Array.from(CANDIDATES).find((character) => pattern.test(character)) ?? oneOf[1] ?? ''
  } catch {
    return oneOf[1] ?? ''
  }
}
