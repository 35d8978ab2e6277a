import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { isRefused, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'
import { checkedRedirect } from '#app/redirects/rules/redirect-request.ts'
import { type Redirect, redirect, redirectBody, type RedirectBody, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { toast } from '#app/ui/toast.ts'
import { problemsIn, redirectData } from './redirect-errors.ts'
import { redirectFields, type RedirectFields } from './redirect-view.ts'

/** Milliseconds after the last change before the server checks for problems. */
const TYPING_PAUSE = 400

type FormOf = { redirect: Redirect | undefined; begin: Partial<RedirectBody> | undefined; close: () => void }

export type RedirectFormState = ReturnType<typeof useRedirectForm>

/** The values of the form, the errors of its fields, and its problems with other redirects and pages. */
export function useRedirectForm({ redirect: row, begin, close }: FormOf) {
  const [asked, setAsked] = useState<RedirectProblem[]>()
  const isDoubtful = asked !== undefined && !asked.some(isRefused)
  const form = useEditForm({
    noun: 'Redirect',
    url: REDIRECTS,
    touches: redirectData,
    schema: redirect,
    row,
    begin: () => editRedirect(row ?? begin),
    editOf: editRedirect,
    apply: (edit, change) => ({ ...edit, fields: { ...edit.fields, ...change } }),
    check(fields) {
      const read = redirectBody.safeParse(fields)
      return read.success ? { body: { ...read.data, confirm: isDoubtful } } : { errors: firstErrors(read.error) }
    },
    onSaved: close,
    onRefused(error) {
      const problems = problemsIn(error)
      setAsked(problems.length > 0 ? problems : undefined)
    },
  })

  function onSubmit() {
    const [first] = Object.entries(form.submit())
    if (first)
      toast({ title: titles[first[0]] ?? `Error ${row ? 'updating' : 'creating'} redirect`, description: first[1], look: 'danger' })
  }

  /** Problems belong to the values that were checked. */
  function change(changes: Partial<RedirectFields>) {
    setAsked(undefined)
    form.change(changes)
  }

  const found = useProblems(form.fields, row?.id)
  return { ...form, problems: asked ?? found, asked: isDoubtful, change, onSubmit }
}

const editRedirect = (given: Parameters<typeof redirectFields>[0]) => ({ fields: redirectFields(given), slugFollows: false })

/** Titles of the toasts for the two fields. */
const titles: Record<string, string> = { fromPath: 'Invalid from path', toPath: 'Invalid to path' }

/** A hint while typing; the save decides. */
function useProblems(fields: RedirectFields, id: string | undefined): RedirectProblem[] {
  const settled = useSettled(fields)
  const value = redirectBody.safeParse(settled).data
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
