import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { editorTheme, nonceOf } from '#app/blog/admin/editor-theme.ts'
import { placeOf, type SqlFault } from './sql-fault.ts'

export type SqlEditor = {
  replace: (text: string) => void
  /** Marks the word of the fault and scrolls to it. Without one in this text, removes the mark. */
  mark: (fault: SqlFault | undefined) => void
  focus: () => void
  destroy: () => void
}

type Given = {
  parent: HTMLElement
  text: string
  /** The initial selection. */
  selection?: { anchor: number; head: number } | undefined
  attributes: Record<string, string>
  /** Tables and columns for completion. */
  schema: Record<string, string[]>
  onChange: (text: string) => void
  onRun: () => void
  onLeave: () => void
}

/** An SQL editor with syntax highlighting. Tab moves to the next control, Escape to the Run button. */
export function openSqlEditor({ parent, text, selection, attributes, schema, onChange, onRun, onLeave }: Given): SqlEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      ...(selection && { selection }),
      extensions: [
        nonceOf(parent.ownerDocument),
        history(),
        drawSelection(),
        bracketMatching(),
        autocompletion({ icons: false }),
        sql({ dialect: PostgreSQL, schema, defaultTable: 'data', upperCaseKeywords: true }),
        syntaxHighlighting(colours),
        // Earlier extensions take precedence.
        compact,
        editorTheme,
        fault,
        EditorView.lineWrapping,
        placeholder('SELECT ... FROM data'),
        EditorView.contentAttributes.of(attributes),
        // Completion closes before the query runs.
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: (asking) => (closeCompletion(asking), onRun(), true) }])),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap, { key: 'Escape', run: () => (onLeave(), true) }]),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
      ],
    }),
  })
  return {
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (fault) => mark(view, fault),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

const setFault = StateEffect.define<{ from: number; to: number } | undefined>()
const faulty = Decoration.mark({ class: 'cm-fault' })

/** The error position of the last query; typing removes the mark. */
const fault = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects }) {
    for (const effect of effects) {
      if (effect.is(setFault)) return effect.value ? Decoration.set(faulty.range(effect.value.from, effect.value.to)) : Decoration.none
    }
    return docChanged ? Decoration.none : marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

function mark(view: EditorView, fault: SqlFault | undefined) {
  const place = placeOf(fault, view.state.doc.toString())
  if (!place) return view.dispatch({ effects: setFault.of(undefined) })
  view.dispatch({ effects: [setFault.of(place), EditorView.scrollIntoView(place.from)], selection: { anchor: place.from } })
}

const compact = EditorView.theme({
  '&': { minHeight: '9rem', maxHeight: '24rem' },
  '.cm-content': { minHeight: '9rem' },
  '.cm-fault': {
    textDecoration: 'underline wavy var(--color-alarm)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--color-alarm-wash)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--color-grain-wash)', outline: '1px solid var(--color-edge)' },
  '.cm-tooltip': { backgroundColor: 'var(--color-surface)', color: 'var(--color-ink)', border: '1px solid var(--color-edge)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-fine)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.375rem 0.75rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--color-grain)', color: 'var(--color-on-grain)' },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--color-grain-text)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-leaf)' },
  { tag: [tags.comment], color: 'var(--color-muted)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--color-grain-text)' },
])
