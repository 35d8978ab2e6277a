import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { comparisonTheme, editorTheme } from './editor-theme.ts'

/** Shows two texts side by side. Returns the function that removes them. */
export function openComparison(parent: HTMLElement, mine: string, theirs: string): () => void {
  const side = (doc: string, label: string) => ({
    doc,
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      editorTheme,
      comparisonTheme,
    ],
  })
  const view = new MergeView({
    parent,
    a: side(mine, 'Your text'),
    b: side(theirs, 'Their text'),
    collapseUnchanged: { margin: 2, minSize: 6 },
    gutter: false,
  })
  return () => view.destroy()
}
