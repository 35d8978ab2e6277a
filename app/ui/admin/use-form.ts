import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod/mini'
import { ApiError } from '#app/platform/browser/api.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { refusedFields } from './tell-failure.ts'
import { type ActionOptions, useAction } from './use-action.ts'

export type Errors = Readonly<Record<string, string>>
export type FormTexts = Record<string, string>

/** A form as `Form` and `FormDialog` show it. */
export type FormState = {
  errors: Errors
  isSaving: boolean
  /** How often it was refused: each time, the focus goes to the first error. */
  refusals: number
  /** How often it was saved: then its inputs are what is stored. */
  saves: number
  /** Whether it has changes that would be lost, where its inputs alone do not tell. */
  isChanged?: boolean
  /** Forgets the error of a field that is being edited. */
  edited: (field: string) => void
  onSubmit: (texts: FormTexts, given: FormData) => void
}

type FormOptions<Body, Answer> = Omit<ActionOptions<Body, Answer>, 'touches'> & {
  touches?: ActionOptions<Body, Answer>['touches']
  /** Of the body, as the API checks it. */
  schema: z.ZodMiniType<Body>
  /** Makes the body of the form's inputs. Without it, their texts are the body. */
  read?: (texts: FormTexts, given: FormData) => unknown
  /** Finds errors that the schema of the body cannot know. */
  find?: () => Errors | undefined
  /** Names the fields of errors. */
  assign?: (errors: Errors) => Errors
  /** The errors of a refusal that names no fields. Without them, the refusal is a toast. */
  explain?: (error: ApiError) => Errors | undefined
}

/** A form whose inputs keep what is typed. Both checks, here and on the server, name the fields that must change. */
export function useForm<Body, Answer = unknown>({
  schema,
  read,
  find,
  assign = same,
  explain,
  ...action
}: FormOptions<Body, Answer>): FormState {
  const state = useFormErrors(assign)
  const { mutate, isPending } = useAction({
    touches: [],
    ...action,
    onDone(answer: Answer, body: Body) {
      state.saved()
      return action.onDone?.(answer, body)
    },
    onRefused: (error, body) => state.refusedBy(error, explain) || (action.onRefused?.(error, body) ?? false),
  })
  const once = useOnce(isPending)
  return {
    ...state,
    isSaving: isPending,
    onSubmit(texts, given) {
      const found = find?.()
      if (found) return state.refuse(found)
      const checked = schema.safeParse(read ? read(texts, given) : texts)
      if (!checked.success) return state.refuse(assign(firstErrors(checked.error)))
      state.refuse({})
      once(() => mutate(checked.data))
    },
  }
}

const same = (errors: Errors) => errors

/** The errors of a form by field. */
export function useFormErrors(assign: (errors: Errors) => Errors = same) {
  const [{ errors, refusals }, setErrors] = useState<{ errors: Errors; refusals: number }>({ errors: {}, refusals: 0 })
  const [saves, setSaves] = useState(0)
  const refuse = (found: Errors) =>
    setErrors((before) => ({ errors: found, refusals: before.refusals + (Object.keys(found).length > 0 ? 1 : 0) }))
  const forget = (isEdited: (path: string) => boolean) =>
    setErrors((before) => ({ ...before, errors: Object.fromEntries(Object.entries(before.errors).filter(([path]) => !isEdited(path))) }))
  return {
    errors,
    refusals,
    saves,
    refuse,
    saved: () => setSaves((before) => before + 1),
    /** Whether the server named fields. */
    refusedBy(error: Error, explain?: (error: ApiError) => Errors | undefined): boolean {
      const mayExplain = error instanceof ApiError && error.status !== 401 && !error.problem?.errors
      const found = (mayExplain && explain?.(error)) || assign(refusedFields(error))
      refuse(found)
      return Object.keys(found).length > 0
    },
    edited: (field: string) => forget((path) => path === field),
    forget,
  }
}

/** Runs work once until it has ended: the second of two quick presses comes before the button is busy. */
export function useOnce(isPending: boolean) {
  const isRunning = useRef(false)
  useEffect(() => {
    if (!isPending) isRunning.current = false
  }, [isPending])
  return (work: () => void) => {
    if (isRunning.current) return
    isRunning.current = true
    work()
  }
}
