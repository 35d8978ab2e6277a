import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { isolateHistory } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { findSlashTools, type SlashTool, slashTools } from './markdown-command.ts'

/** At the beginning of a line, `/` offers headings, lists, tables and the other tools by name. */
export function slashMenu(onPicture: () => void) {
  const options = new Map(slashTools.map((tool) => [tool, optionOf(tool, onPicture)]))
  const signs = new Map([...options].map(([{ sign }, option]) => [option, sign]))
  const find = (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos)
    const typed = /^\/([a-z\d ]*)$/i.exec(line.text.slice(0, context.pos - line.from))
    if (!typed || isInCode(context.state)) return null
    const found = findSlashTools(typed[1] ?? '').flatMap((tool) => options.get(tool) ?? [])
    // Updated with the key itself, so that Enter right after it takes what was meant.
    return { from: line.from, options: found, filter: false, update: (_current, _from, _to, next) => find(next) }
  }
  return [
    EditorState.phrases.of({ Completions: 'Insert' }),
    autocompletion({
      override: [find],
      icons: false,
      closeOnBlur: true,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      addToOptions: [{ position: 80, render: (option) => signElement(signs.get(option)) }],
    }),
  ]
}

/** The Markdown that it writes, for the eyes: its name says it already. */
function signElement(sign = '') {
  const element = document.createElement('span')
  element.className = 'cm-slash-sign'
  element.ariaHidden = 'true'
  element.textContent = sign
  return element
}

/** Whether the cursor is in a block of code or in code within a line, where everything is text. */
export function isInCode(state: EditorState): boolean {
  const { head } = state.selection.main
  for (const side of [-1, 1] as const) {
    for (let node = syntaxTree(state).resolveInner(head, side); node.parent; node = node.parent) {
      if (/^(FencedCode|CodeBlock|InlineCode)$/.test(node.name)) return true
    }
  }
  return false
}

/** Replaces the typed words in one step, so that one undo brings them back. */
function optionOf({ label, run }: SlashTool, onPicture: () => void): Completion {
  return {
    label,
    apply(view: EditorView, _completion, from, to) {
      const typed = { from, to }
      if (run === 'picture') {
        view.dispatch({ changes: typed, userEvent: 'input.complete' })
        return onPicture()
      }
      const text = view.state.doc.toString()
      const { select, ...changes } = run({ text: text.slice(0, from) + text.slice(to), from, to: from })
      view.dispatch(
        { changes: typed, userEvent: 'input.complete', annotations: isolateHistory.of('full') },
        { changes, selection: { anchor: select.from, head: select.to }, scrollIntoView: true, sequential: true },
      )
    },
  }
}
