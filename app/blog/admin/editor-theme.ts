import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Only the product's own color tokens, so it follows the light and the dark theme. */
export const editorTheme = EditorView.theme({
  '&': {
    height: '100%',
    minHeight: '24rem',
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-surface)',
    fontSize: 'var(--text-small)',
  },
  '&.cm-focused': { outline: '2px solid var(--color-grain-text)', outlineOffset: '0', borderRadius: 'var(--radius-control)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '0.875rem 0', caretColor: 'var(--color-ink)', minHeight: '100%' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-line': { padding: '0 1rem' },
  '.cm-placeholder': { color: 'var(--color-muted)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--color-ink)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--color-grain) 35%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--color-grain-wash)' },
  '.cm-searchMatch': { backgroundColor: 'var(--color-grain-wash)', outline: '1px solid var(--color-edge)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--color-grain)', color: 'var(--color-on-grain)' },
  '.cm-tooltip.cm-tooltip-autocomplete': {
    border: '1px solid var(--color-edge)',
    borderRadius: 'var(--radius-control)',
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-sans)', maxHeight: '18rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.375rem 0.75rem', lineHeight: '1.25rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--color-ink)', color: 'var(--color-paper)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-panels': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-ink)', fontFamily: 'var(--font-sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--color-line)' },
  '.cm-panel.cm-search': { padding: '0.5rem 2rem 0.5rem 0.75rem', fontSize: 'var(--text-fine)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-fine)' },
  '.cm-textfield, .cm-button': {
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-surface)',
    backgroundImage: 'none',
    border: '1px solid var(--color-edge)',
    borderRadius: 'var(--radius-control)',
    fontSize: 'var(--text-fine)',
    minHeight: '2rem',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--color-ink)', fontSize: '1.25rem', minWidth: '2rem', minHeight: '2rem' },
})

/** For prose: it reads as the post will, in lines of about 80 characters. */
export const writingTheme = EditorView.theme({
  '&': { minHeight: '0', fontSize: '1.0625rem' },
  '.cm-scroller': { fontFamily: 'var(--font-sans)' },
  '.cm-line': { padding: '0 max(1rem, calc((100% - 44rem) / 2))' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '24rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: '2rem',
    minWidth: '14rem',
    padding: '0.5rem 0.75rem',
  },
  '@media (pointer: coarse)': { '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.75rem' } },
  '.cm-slash-sign': { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-fine)', opacity: '0.7' },
})

export const markdownColours = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--color-ink)', fontWeight: '700' },
  { tag: [tags.heading1, tags.heading2], fontSize: '1.375rem', fontWeight: '700' },
  { tag: tags.heading3, fontSize: '1.1875rem', fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--color-grain-text)' },
  { tag: [tags.monospace, tags.labelName], color: 'var(--color-leaf)', fontFamily: 'var(--font-mono)', fontSize: 'var(--text-small)' },
  { tag: tags.quote, color: 'var(--color-muted)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.comment], color: 'var(--color-muted)' },
])

/** Differences are underlined as well, for people who cannot see the colors. */
export const comparisonTheme = EditorView.theme({
  '&': { minHeight: '0' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--color-alarm-wash)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--color-leaf-wash)' },
  '&.cm-merge-a .cm-changedText': { background: 'none', textDecoration: 'underline', textDecorationColor: 'var(--color-alarm)' },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline', textDecorationColor: 'var(--color-leaf)' },
  '.cm-collapsedLines': { background: 'var(--color-sunken)', color: 'var(--color-muted)', padding: '0.25rem 1rem' },
})

/** The editor adds style elements. They carry the page's nonce, if its content policy requires one. */
export function nonceOf(document: Document) {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
  return nonce ? EditorView.cspNonce.of(nonce) : []
}
