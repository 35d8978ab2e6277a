import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import { blockCommand } from './markdown-command.ts'
import type { PastedText } from './pasted-html.ts'
import { isInCode } from './slash-menu.ts'

type Taking = {
  /** Returns whether the files were accepted. */
  onFiles: (files: File[]) => boolean
  /** The number of pictures that were in a pasted text and are not in the post. */
  onPicturesLeft: (count: number) => void
}

/** Reads a text with its form from the clipboard, and images from there or dropped. */
export function takePasted({ onFiles, onPicturesLeft }: Taking) {
  // Offline, the first paste needs the reader too.
  const reading = import('./pasted-html.ts').catch(() => undefined)

  async function paste(view: EditorView, clipboard: Clipboard) {
    const read = (await reading)?.readPastedHtml(clipboard.html)
    if (read) {
      insert(view, read)
      if (read.pictures > 0) onPicturesLeft(read.pictures)
    } else if (!clipboard.plain && clipboard.files.length > 0) onFiles(clipboard.files)
    else insertPlain(view, clipboard.plain)
  }

  return EditorView.domEventHandlers({
    paste(event, view) {
      const clipboard = readClipboard(event.clipboardData)
      // A text editor copies the colors of its code, too. In a block of code, everything is text.
      if (clipboard.html && !clipboard.isCode && !isInCode(view.state)) {
        void paste(view, clipboard)
        return true
      }
      return clipboard.files.length > 0 && onFiles(clipboard.files)
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])]
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY })
      // A dropped image goes below the line under the pointer, so it never splits a word.
      if (place !== null && files.length > 0) view.dispatch({ selection: { anchor: view.state.doc.lineAt(place).to } })
      return files.length > 0 && onFiles(files)
    },
  })
}

type Clipboard = { html: string; plain: string; files: File[]; isCode: boolean }

/** The content of the clipboard. Read it during the event; afterwards the browser no longer gives it. */
function readClipboard(data: DataTransfer | null): Clipboard {
  return {
    html: data?.getData('text/html') ?? '',
    plain: data?.getData('text/plain') ?? '',
    files: [...(data?.files ?? [])],
    isCode: data?.types.includes('vscode-editor-data') ?? false,
  }
}

/** One step, whatever was typed around it: one undo takes it back whole. */
const wholePaste = { userEvent: 'input.paste', annotations: isolateHistory.of('full'), scrollIntoView: true } as const

/** A part of a paragraph goes into the line, everything else into paragraphs of its own. */
function insert(view: EditorView, { markdown }: PastedText) {
  if (!/\n|^(#{1,6}|[-*+]|\d+[.)]|>|`{3}|---) |^---$/.test(markdown)) return insertPlain(view, markdown)
  const { from, to } = view.state.selection.main
  const { select, ...changes } = blockCommand(markdown)({ text: view.state.doc.toString(), from, to })
  view.dispatch({ ...wholePaste, changes, selection: { anchor: select.to } })
}

function insertPlain(view: EditorView, text: string) {
  view.dispatch({ ...view.state.replaceSelection(view.state.toText(text)), ...wholePaste })
}
