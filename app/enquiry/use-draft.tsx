import { type RefObject, useEffect, useRef } from 'react'
import type { EnquiryForm } from '#app/leads/contact.ts'
import { clearDraft, type Draft, readDraft, saveDraft } from './draft.ts'

type Attempt = NonNullable<Draft['attempt']>

/** Keeps what is typed, and the key of the last attempt to send it, until it has arrived. */
export function useDraft(form: EnquiryForm, element: RefObject<HTMLFormElement | null>) {
  const attempt = useRef<Attempt>(undefined)

  function keep() {
    if (element.current) saveDraft(form, { values: valuesOf(element.current), attempt: attempt.current })
  }

  useEffect(() => {
    if (!element.current) return
    attempt.current = restoreDraft(form, element.current)
    // What was typed before the form was live.
    saveDraft(form, { values: valuesOf(element.current), attempt: attempt.current })
  }, [form, element])

  /** What is sent again as it was goes under the key of the first try, which may have arrived. */
  const keyFor = (values: Record<string, string>): string => {
    const content = JSON.stringify(values)
    if (attempt.current?.content !== content) attempt.current = { key: randomKey(), content }
    keep()
    return attempt.current.key
  }

  const forget = () => {
    attempt.current = undefined
    clearDraft(form)
  }

  return { keep, keyFor, forget }
}

/** The words in a form, by name. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
  return values
}

/** Fills what is empty; what is typed, or was sent back by the server, stays. */
function restoreDraft(form: EnquiryForm, element: HTMLFormElement): Attempt | undefined {
  const draft = readDraft(form)
  for (const [name, value] of Object.entries(draft?.values ?? {})) {
    const control = element.elements.namedItem(name)
    if (isControl(control) && !control.value) control.value = value
  }
  return draft?.attempt
}

function isControl(node: unknown): node is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement
}

/** `crypto.randomUUID` is there on encrypted pages only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
