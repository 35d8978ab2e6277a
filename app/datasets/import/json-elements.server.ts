import { LONGEST_TEXT_LINE } from './text-file.server.ts'
import { Unreadable } from './unreadable.ts'

const NO_ARRAY = 'This file is not a JSON array of objects, such as [{"name": "A", "price": 1}].'
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['"', '\\', ',', '[', ']', '{', '}'].map((sign) =>
  sign.charCodeAt(0),
)

/** The texts of the elements of an array, whatever they are. Throws if the text is no array, or ends before it does. */
export async function* elementsOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  const array = new ArrayScan()
  for await (const piece of text) yield* array.add(piece)
  array.end()
}

class ArrayScan {
  #rest = ''
  #at = 0
  #depth = 0
  #isString = false
  #isEscaped = false
  #hasEnded = false
  #elements = 0

  end(): void {
    if (this.#hasEnded) return
    throw new Unreadable(this.#depth > 0 ? 'This file is not a JSON array of objects: it ends before the array does.' : NO_ARRAY)
  }

  *add(piece: string): Generator<string> {
    this.#rest = this.#rest.slice(this.#depth > 0 ? 0 : this.#at) + piece
    if (this.#depth === 0) this.#at = 0
    if (this.#depth === 0 && !this.#begin()) return
    for (; this.#at < this.#rest.length && !this.#hasEnded; this.#at += 1) {
      const element = this.#step(this.#rest.charCodeAt(this.#at))
      if (element !== undefined) yield element
    }
    if (this.#hasEnded) this.#checkEnd()
    if (this.#rest.length > LONGEST_TEXT_LINE)
      throw new Unreadable(`An element of this array is longer than ${LONGEST_TEXT_LINE / 2 ** 20} MB.`)
  }

  #begin(): boolean {
    if (this.#hasEnded) return this.#checkEnd()
    const start = this.#rest.trimStart()
    if (start === '') return false
    if (!start.startsWith('[')) throw new Unreadable(NO_ARRAY)
    ;[this.#rest, this.#at, this.#depth] = [start.slice(1), 0, 1]
    return true
  }

  #checkEnd(): false {
    if (this.#rest.slice(this.#at).trim() !== '') throw new Unreadable('This file goes on after the end of its JSON array.')
    return false
  }

  /** Reads one character. Returns the text of an element that ended with it. */
  #step(sign: number): string | undefined {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (sign === BACKSLASH) this.#isEscaped = true
      else if (sign === QUOTE) this.#isString = false
      return undefined
    }
    if (sign === QUOTE) this.#isString = true
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) this.#depth += 1
    else if ((sign === CLOSE_LIST || sign === CLOSE_OBJECT) && this.#depth > 1) this.#depth -= 1
    else if (this.#depth === 1 && (sign === COMMA || sign === CLOSE_LIST)) return this.#take(sign === CLOSE_LIST)
    return undefined
  }

  #take(isLast: boolean): string | undefined {
    const element = this.#rest.slice(0, this.#at).trim()
    this.#rest = this.#rest.slice(this.#at + 1)
    this.#at = -1
    if (isLast) [this.#hasEnded, this.#depth, this.#at] = [true, 0, 0]
    if (isLast && element === '' && this.#elements === 0) return undefined
    this.#elements += 1
    return element
  }
}
