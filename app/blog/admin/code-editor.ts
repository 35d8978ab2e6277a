import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { editorTheme, markdownColours, nonceOf, writingTheme } from './editor-theme.ts'
import { markdownCommands, type MarkdownCommand } from './markdown-command.ts'
import { takePasted } from './paste.ts'
import { slashMenu } from './slash-menu.ts'

export type CodeEditor = {
  run: (command: MarkdownCommand) => void
  /** Replaces the whole text as one step that can be undone. */
  replace: (text: string) => void
  focus: (selection?: { from: number; to: number }) => void
  setAttributes: (attributes: Record<string, string>) => void
  destroy: () => void
}

type Given = {
  parent: HTMLElement
  text: string
  attributes: Record<string, string>
  onChange: (text: string) => void
  onLeave: () => void
  /** Returns whether the files were accepted. */
  onFiles: (files: File[]) => boolean
  onPicturesLeft: (count: number) => void
  /** Opens the image library. */
  onPicture: () => void
}

/** A Markdown editor with syntax colors. Tab moves to the next control, as in every other field. */
export function openEditor({ parent, text, attributes, onChange, onLeave, onFiles, onPicturesLeft, onPicture }: Given): CodeEditor {
  const view: EditorView = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        nonceOf(parent.ownerDocument),
        history(),
        drawSelection(),
        dropCursor(),
        search({ top: true }),
        highlightSelectionMatches(),
        markdown({ base: markdownLanguage }),
        syntaxHighlighting(markdownColours),
        // Earlier extensions take precedence.
        writingTheme,
        editorTheme,
        EditorView.lineWrapping,
        placeholder('Write, paste from a document, or type / for headings, tables and images'),
        slashMenu(onPicture),
        Prec.high(keymap.of(commandKeys())),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, { key: 'Escape', run: () => (onLeave(), true) }]),
        takePasted({ onFiles, onPicturesLeft }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
      ],
    }),
  })
  setAttributes(view, attributes)
  return {
    run: (command) => void apply(view, command),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    focus(selection) {
      view.focus()
      if (selection) view.dispatch({ selection: { anchor: selection.from, head: selection.to }, scrollIntoView: true })
    },
    setAttributes: (next) => setAttributes(view, next),
    destroy: () => view.destroy(),
  }
}

function commandKeys(): KeyBinding[] {
  return Object.values(markdownCommands).flatMap(({ keys, run }) =>
    keys ? [{ key: keys, preventDefault: true, run: (view: EditorView) => apply(view, run) }] : [],
  )
}

function apply(view: EditorView, command: MarkdownCommand): boolean {
  const { from, to } = view.state.selection.main
  const { select, ...changes } = command({ text: view.state.doc.toString(), from, to })
  view.dispatch({ changes, selection: { anchor: select.from, head: select.to }, scrollIntoView: true, userEvent: 'input' })
  view.focus()
  return true
}

function setAttributes(view: EditorView, attributes: Record<string, string>) {
  for (const name of ['aria-invalid', 'aria-describedby']) view.contentDOM.removeAttribute(name)
  for (const [name, value] of Object.entries(attributes)) view.contentDOM.setAttribute(name, value)
}
