import type { Place } from './rule-line.ts'

/** The lines of a configuration without those that are empty; one that ends in a backslash goes on in the next. */
export function logicalLines(text: string): Place[] {
  const places: Place[] = []
  let open: Place | undefined
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const goesOn = /(?<!\\)\\$/.test(raw)
    const piece = goesOn ? raw.slice(0, -1) : raw
    open = open ? { line: open.line, text: `${open.text}${piece}` } : { line: at + 1, text: piece }
    if (goesOn) continue
    if (open.text.trim()) places.push({ line: open.line, text: open.text.trim() })
    open = undefined
  }
  if (open?.text.trim()) places.push({ line: open.line, text: open.text.trim() })
  return places
}

const WORD = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:\\.|[^\s\\])+)/gs

/** The words of a directive: in quotation marks, or up to the next space that has no backslash before it. */
export function words(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([, double, single, bare]) => double ?? single ?? bare ?? '')
}
