import { type RefObject, useEffect, useRef, useState } from 'react'
import { useEditorText } from '#app/ui/admin/use-editor-text.ts'
import type { CodeEditor } from './code-editor.ts'
import type { MarkdownCommand } from './markdown-command.ts'

type Given = {
  value: string
  onChange: (text: string) => void
  attributes: Record<string, string>
  onLeave: () => void
  onFiles: (files: File[]) => boolean
  onPicturesLeft: (count: number) => void
  onPicture: () => void
}

type Places = { frame: RefObject<HTMLDivElement | null>; plain: RefObject<HTMLTextAreaElement | null> }

/** Replaces a plain text field with the code editor once that has loaded. Text and selection carry over. */
export function useCodeEditor(given: Given, { frame, plain }: Places) {
  const { value, onChange, attributes } = given
  const [isReady, setReady] = useState(false)
  const editor = useRef<CodeEditor>(undefined)
  const latest = useRef(given)
  const text = useEditorText(value, isReady, (next) => editor.current?.replace(next))
  useEffect(() => {
    latest.current = given
  })

  useEffect(() => {
    let isGone = false
    async function open() {
      const code = await loadEditor()
      if (!code || isGone || !frame.current) return
      const typing = plain.current === document.activeElement ? plain.current : null
      const selection = typing && { from: typing.selectionStart, to: typing.selectionEnd }
      const { value: opened } = latest.current
      text.begin(opened)
      editor.current = code.openEditor({
        parent: frame.current,
        text: opened,
        attributes: latest.current.attributes,
        onChange: (next) => text.isTyped(next) && latest.current.onChange(next),
        onLeave: () => latest.current.onLeave(),
        onFiles: (files) => latest.current.onFiles(files),
        onPicturesLeft: (count) => latest.current.onPicturesLeft(count),
        onPicture: () => latest.current.onPicture(),
      })
      setReady(true)
      if (selection) editor.current.focus(selection)
    }
    void open()
    return () => {
      isGone = true
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [frame, plain, text])

  const named = JSON.stringify(attributes)
  useEffect(() => {
    if (isReady) editor.current?.setAttributes(JSON.parse(named))
  }, [named, isReady])

  const run = (command: MarkdownCommand) => (editor.current ? editor.current.run(command) : runPlainly(plain.current, command, onChange))
  return { isReady, run }
}

/** Returns `undefined` when loading fails: the plain field does everything but colors. */
async function loadEditor() {
  try {
    return await import('./code-editor.ts')
  } catch {
    return undefined
  }
}

function runPlainly(field: HTMLTextAreaElement | null, command: MarkdownCommand, onChange: (text: string) => void) {
  if (!field) return
  const { value: text, selectionStart, selectionEnd } = field
  const { from, to, insert, select } = command({ text, from: selectionStart, to: selectionEnd })
  field.setRangeText(insert, from, to)
  field.setSelectionRange(select.from, select.to)
  field.focus()
  onChange(field.value)
}
