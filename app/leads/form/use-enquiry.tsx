import { type RefObject, useEffect, useRef, useState } from 'react'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { openEnquiryForm, ripeToken } from '#app/leads/spam/form-token.ts'
import { type EnquiryFormKind, enquiryForms } from '#app/leads/contact.ts'
import { conversionFunction } from '#app/content/conversion-function.ts'
import { announceChange } from '#app/platform/browser/data-changed.ts'
import { toast } from '#app/ui/toast.ts'
import { type EnquiryReply, sendEnquiry } from './send-enquiry.ts'
import { useDraft, valuesOf } from './use-draft.tsx'
import { enquiryToasts } from './enquiry-texts.ts'

export type EnquiryState = {
  phase: 'idle' | 'sending'
  errors: Record<string, string>
  /** The reference of the sent enquiry. */
  sent?: string | undefined
  /** The reason of a failure, when the person can act on it. */
  trouble?: string | undefined
  /** Counts the resets of the form. */
  round: number
}

/** The states of an enquiry form: idle, sending, then sent and empty, or failed with the typed text. */
export function useEnquiry(
  form: EnquiryFormKind,
  start: Pick<EnquiryState, 'errors' | 'sent' | 'trouble'>,
  element: RefObject<HTMLFormElement | null>,
) {
  const [state, setState] = useState<EnquiryState>({ phase: 'idle', round: 0, ...start })
  const draft = useDraft(form, element)
  const opening = useRef<ReturnType<typeof openEnquiryForm>>(undefined)
  const sending = useRef(false)
  const focusWanted = useRef(false)
  useFocusOnOutcome(focusWanted, state, element)

  useEffect(() => {
    opening.current = openEnquiryForm()
  }, [])

  async function send(values: Record<string, string>) {
    const checked = enquiryForms[form].safeParse(values)
    if (!checked.success) return setState(({ round }) => ({ phase: 'idle', round, errors: firstErrors(checked.error) }))
    reportConversion()
    setState(({ round }) => ({ phase: 'sending', round, errors: {} }))
    const key = draft.keyFor(values)
    const answer = await sendEnquiry({ form, values, key, token: await ripeToken(opening.current) })
    setState(({ round }) => stateAfter(answer, round))
    if (answer.kind === 'received') draft.forget()
    tellOutcome(form, answer)
  }

  const submit = async (event: React.SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    focusWanted.current = true
    await send(valuesOf(event.currentTarget))
    sending.current = false
  }

  /** Saves the draft, and clears the error of the edited field. */
  const edited = (event: React.SyntheticEvent<HTMLFormElement>) => {
    draft.keep()
    const name = event.target instanceof Element ? event.target.getAttribute('name') : null
    if (!name || !state.errors[name]) return
    focusWanted.current = false
    setState((before) => ({ ...before, errors: without(before.errors, name) }))
  }

  return { state, submit, edited }
}

function stateAfter(answer: EnquiryReply, round: number): EnquiryState {
  if (answer.kind === 'received') return { phase: 'idle', round: round + 1, errors: {}, sent: answer.receipt.reference }
  if (answer.kind === 'refused') return { phase: 'idle', round, errors: answer.errors }
  return { phase: 'idle', round, errors: {}, trouble: answer.reason }
}

/** Moves the focus to the first invalid field, or to the confirmation, only after a click on the button. */
function useFocusOnOutcome(wanted: RefObject<boolean>, { errors, sent }: EnquiryState, element: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    if (!wanted.current || (sent === undefined && Object.keys(errors).length === 0)) return
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-sent]')?.focus()
  }, [wanted, errors, sent, element])
}

function without(errors: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name))
}

/** Reports a conversion to the operator's own tracking function, if it exists. Its errors never reach the form. */
export function reportConversion(): void {
  try {
    const report: unknown = Reflect.get(window, conversionFunction)
    if (typeof report === 'function') Promise.resolve(report()).catch(() => undefined)
  } catch {
    // An error of the operator's function must not block the enquiry.
  }
}

/** Shows the result of an enquiry. A received one also invalidates this document's cached lists. */
export function tellOutcome(form: EnquiryFormKind, { kind }: EnquiryReply): void {
  const { sent, failed } = enquiryToasts(form)
  if (kind !== 'received') return toast({ ...failed, look: 'danger' })
  announceChange('/api/contacts', '/api/leads')
  toast(sent)
}
