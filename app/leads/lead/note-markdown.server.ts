import { stop } from '#app/platform/errors/stop.ts'
import { numberText } from '#app/platform/text/english-number.ts'

/**
 * The parser's time grows with the square of some signs, and each level of quotes and lists costs more than the one before. No real note
 * comes near these bounds; within them, 10,000 characters take about 0.15 s of computing.
 */
const MOST = { lines: 600, signs: 1_000, markers: 600, depth: 6 }

const MARKERS = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+/gm
const MARKER = />|[-*+]|\d+[.)]/g
const SIGNS = /[*_~`]+|[[\]<]/g
const NESTED = /(?:[[(<*_~]\s*){80}/

/** Renders Markdown of staff to sanitized HTML; raw HTML is dropped. A text that would take long is refused (422). */
export async function renderNote(text: string): Promise<string> {
  const sentence = slowPartOf(text)
  if (sentence) stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
  // Few starts need the parser, so none of them loads it.
  const { toNoteHtml } = await import('./note-html.server.ts')
  return toNoteHtml(text)
}

/** Says why a text would take long to render. */
export function slowPartOf(text: string): string | undefined {
  const depths = (text.match(MARKERS) ?? []).map((start) => start.match(MARKER)?.length ?? 0)
  if (Math.max(0, ...depths) > MOST.depth || NESTED.test(text)) return 'Quotes, lists or brackets are nested too deeply.'
  if (text.split('\n').length > MOST.lines || depths.reduce((sum, depth) => sum + depth, 0) > MOST.markers)
    return `A note has at most ${numberText(MOST.lines)} lines, quotes and list items. Split it.`
  if ((text.match(SIGNS)?.length ?? 0) > MOST.signs) return 'The note has too many formatting signs. Split it.'
  return undefined
}
