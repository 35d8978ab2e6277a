import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { readFields } from '#app/account/sign-in/credentials.ts'
import { isRefused, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'
import { checkedRedirect } from '#app/redirects/rules/redirect-request.ts'
import { type Redirect, redirectBody, type RedirectBody, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { toast } from '#app/ui/toast.ts'
import { invalidateRedirects, problemsIn, refusedRedirectFields, showRedirectFailure } from './redirect-errors.ts'
import { redirectFields, type RedirectFields } from './redirect-view.ts'

/** Milliseconds after the last change before the server checks for problems. */
const TYPING_PAUSE = 400

type FormOf = { redirect: Redirect | undefined; begin: Partial<RedirectBody> | undefined; close: () => void }

export type RedirectFormState = ReturnType<typeof useRedirectForm>

/** The values of the form, the errors of its fields, and its problems with other redirects and pages. */
export function useRedirectForm({ redirect, begin, close }: FormOf) {
  const client = useQueryClient()
  const [fields, setFields] = useState<RedirectFields>(() => redirectFields(redirect ?? begin))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [asked, setAsked] = useState<RedirectProblem[]>()
  const found = useProblems(fields, redirect?.id)
  const words = redirect ? 'updat' : 'creat'

  const save = useMutation({
    mutationFn: async (body: RedirectBody & { confirm: boolean }) =>
      redirect ? apiRequest('PUT', `${REDIRECTS}/${encodeURIComponent(redirect.id)}`, body) : apiRequest('POST', REDIRECTS, body),
    async onSuccess() {
      toast({ title: `Redirect ${words}ed successfully` })
      close()
      await invalidateRedirects(client)
    },
    onError(error) {
      const problems = problemsIn(error)
      setErrors(refusedRedirectFields(error))
      setAsked(problems.length > 0 ? problems : undefined)
      showRedirectFailure(`Error ${words}ing redirect`, error)
    },
  })

  function submit(element: HTMLFormElement) {
    const read = readFields(redirectBody, fields)
    setErrors(read.errors ?? {})
    if (read.value) return save.mutate({ ...read.value, confirm: asked !== undefined && !asked.some(isRefused) })
    const [name = '', description = ''] = Object.entries(read.errors)[0] ?? []
    toast({ title: titles[name] ?? `Error ${words}ing redirect`, description, look: 'danger' })
    const field = element.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  /** Errors belong to the values that were checked. */
  function change(changes: Partial<RedirectFields>) {
    setAsked(undefined)
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([name]) => !(name in changes))))
    setFields((known) => ({ ...known, ...changes }))
  }

  const problems = asked ?? found
  return { fields, errors, problems, asked: asked !== undefined && !asked.some(isRefused), change, submit, isSaving: save.isPending }
}

/** Titles of the toasts for the two fields. */
const titles: Record<string, string> = { fromPath: 'Invalid from path', toPath: 'Invalid to path' }

/** A hint while typing; the save decides. */
function useProblems(fields: RedirectFields, id: string | undefined): RedirectProblem[] {
  const settled = useSettled(fields)
  const { value } = readFields(redirectBody, settled)
  const check = useQuery({
    queryKey: [`${REDIRECTS}/check`, { ...value, id }],
    queryFn: async ({ signal }) => {
      const answer = await apiRequest('POST', `${REDIRECTS}/check`, { ...value, ...(id && { id }) }, { signal })
      return checkedRedirect.parse(await answer.json()).problems
    },
    enabled: value !== undefined && settled === fields,
    gcTime: 0,
  })
  return settled === fields && value && check.data ? check.data : []
}

function useSettled(fields: RedirectFields): RedirectFields {
  const [settled, setSettled] = useState(fields)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(fields), TYPING_PAUSE)
    return () => clearTimeout(pause)
  }, [fields])
  return settled
}
