import { useEffect, useEffectEvent, useState } from 'react'

/**
 * The text of an editor that changes outside of React, beside the value of its form. The form renders what was typed a little later, when more may have
 * been typed: such a value is an echo, and never written back. Every other value comes from outside and replaces the text.
 */
export function useEditorText(value: string, isReady: boolean, replace: (text: string) => void) {
  const [text] = useState(() => editorText(value))
  const write = useEffectEvent(replace)
  useEffect(() => {
    if (isReady && text.isFromOutside(value)) write(value)
  }, [value, isReady, text])
  return text
}

function editorText(first: string) {
  let held = first
  /** What was typed and not rendered yet. */
  let typed: string[] = []
  return {
    /** The editor opens with this text. */
    begin(opened: string) {
      held = opened
      typed = []
    },
    /** Whether a text of the editor is news for the form. */
    isTyped(next: string): boolean {
      if (next === held) return false
      held = next
      typed.push(next)
      return true
    },
    /** Whether a value of the form is to replace the text of the editor. */
    isFromOutside(value: string): boolean {
      const echo = typed.lastIndexOf(value)
      typed = typed.slice(echo + 1)
      if (echo >= 0 || value === held) return false
      this.begin(value)
      return true
    },
  }
}
