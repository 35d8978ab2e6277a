import { type RefObject, useEffect, useRef, useState } from 'react'
import { openEnquiryForm, ripeToken } from '#app/leads/spam/form-token.ts'
import type { EnquiryFormKind, SentReceipt } from '#app/leads/lead/contact.ts'
import { conversionFunction } from '#app/content/conversion-function.ts'
import { announceChange } from '#app/platform/browser/data-changed.ts'
import { toast } from '#app/ui/toast.ts'
import type { EnquiryReply } from './send-enquiry.ts'
import { useDraft, valuesOf } from './use-draft.tsx'
import { enquiryToasts, unreached } from './enquiry-texts.ts'

/** The code that checks and sends is loaded when someone types. */
const sending = async () => import('./send-enquiry.ts')

export type EnquiryState = {
  phase: 'idle' | 'sending'
  errors: Record<string, string>
  /** The confirmation of the sent enquiry. */
  sent?: React.ReactNode
  /** The reason of a failure, when the person can act on it. */
  trouble?: string | undefined
  /** Counts the resets of the form. */
  round: number
}

/** The states of an enquiry form: idle, sending, then sent and empty, or failed with the typed text. */
export function useEnquiry(
  form: EnquiryFormKind,
  start: Pick<EnquiryState, 'errors' | 'trouble'>,
  element: RefObject<HTMLFormElement | null>,
) {
  const [state, setState] = useState<EnquiryState>({ phase: 'idle', round: 0, ...start })
  const draft = useDraft(form, element)
  const opening = useRef<ReturnType<typeof openEnquiryForm>>(undefined)
  const isSending = useRef(false)
  const focusWanted = useRef(false)
  useFocusOnErrors(focusWanted, state, element)

  useEffect(() => {
    opening.current = openEnquiryForm()
  }, [])

  async function send(values: Record<string, string>) {
    setState(({ round }) => ({ phase: 'sending', round, errors: {} }))
    const code = await sending().catch(() => undefined)
    const errors = code?.errorsIn(form, values)
    if (errors) return setState(({ round }) => ({ phase: 'idle', round, errors }))
    reportConversion()
    const key = draft.keyFor(values)
    const answer = code ? await code.sendEnquiry({ form, values, key, token: await ripeToken(opening.current) }) : unreached()
    const sent = answer.kind === 'received' && (await confirm(form, values, answer.receipt))
    setState(({ round }) => stateAfter(answer, round, sent))
    if (answer.kind === 'received') draft.forget()
    tellOutcome(form, answer)
  }

  const submit = async (event: React.SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending.current) return
    isSending.current = true
    focusWanted.current = true
    await send(valuesOf(event.currentTarget))
    isSending.current = false
  }

  /** Saves the draft, and clears the error of the edited field. */
  const edited = (event: React.SyntheticEvent<HTMLFormElement>) => {
    draft.keep()
    void sending().catch(() => undefined)
    const name = event.target instanceof Element ? event.target.getAttribute('name') : null
    if (!name || !state.errors[name]) return
    focusWanted.current = false
    setState((before) => ({ ...before, errors: without(before.errors, name) }))
  }

  return { state, submit, edited }
}

/** Loaded only now: few visitors send the form. Without a connection, the toast says enough. */
async function confirm(form: EnquiryFormKind, values: Record<string, string>, { reference, callUrl }: SentReceipt) {
  try {
    const { SentPanel } = await import('./sent-panel.tsx')
    return <SentPanel form={form} reference={reference} values={values} callUrl={callUrl} takesFocus />
  } catch {
    return undefined
  }
}

function stateAfter(answer: EnquiryReply, round: number, sent: React.ReactNode): EnquiryState {
  if (answer.kind === 'received') return { phase: 'idle', round: round + 1, errors: {}, sent }
  if (answer.kind === 'refused') return { phase: 'idle', round, errors: answer.errors }
  return { phase: 'idle', round, errors: {}, trouble: answer.reason }
}

/** Moves the focus to the first invalid field, only after a click on the button. */
function useFocusOnErrors(wanted: RefObject<boolean>, { errors }: EnquiryState, element: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    if (wanted.current && Object.keys(errors).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [wanted, errors, element])
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
  if (kind === 'received') announceChange('/api/contacts', '/api/leads')
  toast(kind === 'received' ? sent : { ...failed, look: 'danger' })
}
