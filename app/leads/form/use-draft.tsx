import { type RefObject, useEffect, useRef } from 'react'
import type { EnquiryFormKind } from '#app/leads/lead/contact.ts'
import { clearDraft, type EnquiryDraft, readEnquiryDraft, saveDraft } from './draft.ts'

type Attempt = NonNullable<EnquiryDraft['attempt']>

/** Stores the typed text, and the key of the last attempt, until the enquiry has arrived. */
export function useDraft(form: EnquiryFormKind, element: RefObject<HTMLFormElement | null>) {
  const attempt = useRef<Attempt>(undefined)

  function keep() {
    if (element.current) saveDraft(form, { values: valuesOf(element.current), attempt: attempt.current })
  }

  useEffect(() => {
    if (!element.current) return
    attempt.current = restoreDraft(form, element.current)
    // Text that was typed before hydration.
    saveDraft(form, { values: valuesOf(element.current), attempt: attempt.current })
  }, [form, element])

  /** An unchanged message is resent under the key of the first attempt, which may have arrived. */
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

/** The values of a form, by name. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
  return values
}

/** Fills empty fields; text that is typed, or was returned by the server, stays. */
function restoreDraft(form: EnquiryFormKind, element: HTMLFormElement): Attempt | undefined {
  const draft = readEnquiryDraft(form)
  for (const [name, value] of Object.entries(draft?.values ?? {})) {
    const control = element.elements.namedItem(name)
    if (isControl(control) && !control.value) control.value = value
  }
  return draft?.attempt
}

function isControl(node: unknown): node is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement
}

/** `crypto.randomUUID` exists only on HTTPS pages. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
