import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { editorTheme, markdownColours, nonceOf } from './editor-theme.ts'
import { markdownCommands, type MarkdownCommand } from './markdown-command.ts'

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
  /** Opens the image library. */
  onPicture: () => void
}

/** A Markdown editor with syntax colors. Tab moves to the next control, as in every other field. */
export function openEditor({ parent, text, attributes, onChange, onLeave, onFiles, onPicture }: Given): CodeEditor {
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
        editorTheme,
        EditorView.lineWrapping,
        placeholder('Write in Markdown, or type / for a menu...'),
        autocompletion({ override: [slashMenu(onPicture)], icons: false, closeOnBlur: true }),
        Prec.high(keymap.of(commandKeys())),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, { key: 'Escape', run: () => (onLeave(), true) }]),
        takeFiles(onFiles),
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
  return Object.values(markdownCommands).map(({ keys, run }) => ({ key: keys, preventDefault: true, run: (view) => apply(view, run) }))
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

/** At the beginning of a line, `/` offers the tools of the toolbar by name; choosing one replaces what was typed. */
function slashMenu(onPicture: () => void) {
  const tools = Object.values(markdownCommands).map(({ label, run }) => optionOf(label, (view) => void apply(view, run)))
  const options = [...tools, optionOf('Image', onPicture)]
  return (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos)
    const typed = /^\/[a-z ]*$/i.test(line.text.slice(0, context.pos - line.from))
    return typed ? { from: line.from, options, validFor: /^\/[a-z ]*$/i } : null
  }
}

function optionOf(label: string, act: (view: EditorView) => void): Completion {
  return {
    label: `/${label}`,
    displayLabel: label,
    apply(view, _completion, from, to) {
      view.dispatch({ changes: { from, to }, userEvent: 'input.complete' })
      act(view)
    },
  }
}

/** Dropped or pasted images. A dropped image goes below the line under the pointer, so it never splits a word. */
function takeFiles(onFiles: (files: File[]) => boolean) {
  const take = (event: Event, transfer: DataTransfer | null) => {
    const files = [...(transfer?.files ?? [])]
    if (files.length === 0 || !onFiles(files)) return false
    event.preventDefault()
    return true
  }
  return EditorView.domEventHandlers({
    paste: (event) => take(event, event.clipboardData),
    drop(event, view) {
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY })
      if (place !== null && event.dataTransfer?.files.length) view.dispatch({ selection: { anchor: view.state.doc.lineAt(place).to } })
      return take(event, event.dataTransfer)
    },
  })
}
