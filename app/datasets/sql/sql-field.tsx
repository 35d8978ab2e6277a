import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useEditorText } from '#app/ui/admin/use-editor-text.ts'
import { placeOf, type SqlFault } from './sql-fault.ts'
import type { SqlEditor } from './sql-editor.ts'

export type SqlFieldHandle = { focus: () => void; mark: (fault: SqlFault | undefined) => void }

type SqlFieldProps = {
  value: string
  onChange: (text: string) => void
  onRun: () => void
  onLeave: () => void
  schema: Record<string, string[]>
  describedBy?: string | undefined
  handle: RefObject<SqlFieldHandle | null>
}

const LABEL = 'SQL query'

/** The query field: a textarea until someone comes near and the editor has loaded, or if it does not load. */
export function SqlField({ value, onChange, onRun, onLeave, schema, describedBy, handle }: SqlFieldProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const { isReady, editor } = useSqlEditor({ value, onChange, onRun, onLeave, schema }, frame, plain)
  useImperativeHandle(handle, () => ({
    focus: () => (editor.current ? editor.current.focus() : plain.current?.focus()),
    mark(fault) {
      if (editor.current) return editor.current.mark(fault)
      const place = plain.current && placeOf(fault, plain.current.value)
      if (place) plain.current?.setSelectionRange(place.from, place.from)
    },
  }))
  return (
    <div ref={frame} className="overflow-hidden rounded-control border border-edge bg-surface">
      {!isReady && (
        <textarea
          ref={plain}
          aria-label={LABEL}
          aria-describedby={describedBy}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onRun()
          }}
          className="block min-h-36 w-full resize-y bg-surface px-4 py-3.5 font-mono text-small leading-relaxed"
        />
      )}
    </div>
  )
}

type Latest = Pick<SqlFieldProps, 'value' | 'onChange' | 'onRun' | 'onLeave' | 'schema'>

/**
 * Replaces the textarea once the editor has loaded, even while the user is typing. Outside changes go into the editor; its own changes
 * are not echoed back.
 */
function useSqlEditor(given: Latest, frame: RefObject<HTMLDivElement | null>, plain: RefObject<HTMLTextAreaElement | null>) {
  const [isReady, setReady] = useState(false)
  const current = useRef<SqlEditor>(null)
  const latest = useRef(given)
  const text = useEditorText(given.value, isReady, (next) => current.current?.replace(next))
  useEffect(() => {
    latest.current = given
  })

  useEffect(() => {
    const place = frame.current
    let isGone = false
    // The editor is as large as the rest of the page, and many only read the query.
    const nearing = new AbortController()
    const openOnce = () => {
      nearing.abort()
      void open()
    }
    for (const sign of ['focusin', 'pointerenter']) place?.addEventListener(sign, openOnce, { signal: nearing.signal })
    async function open() {
      const code = await import('./sql-editor.ts').catch(() => undefined)
      if (!code || isGone || !frame.current) return
      const { value: opened } = latest.current
      text.begin(opened)
      const selection = selectionIn(plain.current)
      current.current = code.openSqlEditor({
        parent: frame.current,
        text: opened,
        selection,
        attributes: { 'aria-label': LABEL, role: 'textbox', 'aria-multiline': 'true', spellcheck: 'false' },
        schema: latest.current.schema,
        onChange: (next) => text.isTyped(next) && latest.current.onChange(next),
        onRun: () => latest.current.onRun(),
        onLeave: () => latest.current.onLeave(),
      })
      // Synchronous, so there are never two fields with one name.
      flushSync(() => setReady(true))
      if (selection) current.current.focus()
    }
    return () => {
      isGone = true
      nearing.abort()
      current.current?.destroy()
      current.current = null
    }
  }, [frame, plain, text])

  return { isReady, editor: current }
}

/** The selection in the textarea. */
function selectionIn(field: HTMLTextAreaElement | null) {
  if (!field || field.ownerDocument.activeElement !== field) return undefined
  return { anchor: field.selectionStart, head: field.selectionEnd }
}
