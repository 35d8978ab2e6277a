import type { LinePosition } from './rule-line.ts'

/** The non-empty lines of a configuration; a trailing backslash continues a line. */
export function logicalLines(text: string): LinePosition[] {
  const places: LinePosition[] = []
  let open: LinePosition | undefined
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

/** Splits a directive into words: quoted, or up to the next unescaped space. */
export function apacheWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([, double, single, bare]) => double ?? single ?? bare ?? '')
}
