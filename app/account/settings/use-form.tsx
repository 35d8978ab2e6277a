import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod/mini'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import type { Failure } from '#app/account/session/auth.ts'
import { type FieldErrors, readFields } from '#app/account/sign-in/credentials.ts'
import { toast } from '#app/ui/toast.ts'

type Options<T> = {
  schema: z.ZodMiniType<T>
  send: (value: T) => Promise<{ failure?: Failure }>
  /** After a success. */
  done: (value: T, form: HTMLFormElement) => unknown
  /** The field of a service's refusal; others are shown in a toast under `failed`. */
  fieldOf?: (code: string | undefined) => string | undefined
  failed: string
}

/** A form that the service may refuse: each error is shown at its field, and the typed values stay. */
export function useForm<T>({ schema, send, done, fieldOf, failed }: Options<T>) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const refused = useRef<HTMLFormElement>(undefined)

  // After the render: the refusal may have added the field.
  useEffect(() => {
    if (refused.current) focusFirst(refused.current, errors)
    refused.current = undefined
  }, [errors])

  async function submit(form: HTMLFormElement) {
    const read = readFields(schema, Object.fromEntries(new FormData(form)))
    setErrors(read.errors ?? {})
    if (read.errors) return focusFirst(form, read.errors)
    setBusy(true)
    const { failure } = await send(read.value)
    setBusy(false)
    if (!failure) return done(read.value, form)
    if (isSessionOver(failure)) return signInAgain()
    const field = fieldOf?.(failure.code)
    if (!field) return toast({ title: failed, description: failure.message, look: 'danger' })
    refused.current = form
    setErrors({ [field]: failure.message })
  }

  const onSubmit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void submit(event.currentTarget)
  }
  return { errors, busy, form: { method: 'post' as const, onSubmit, noValidate: true } }
}

/** Moves the focus to the first error, for people who cannot see the form. */
function focusFirst(form: HTMLFormElement, errors: FieldErrors) {
  const [name = ''] = Object.keys(errors)
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
