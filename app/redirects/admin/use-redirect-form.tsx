import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { readFields } from '#app/account/sign-in/credentials.ts'
import { isRefused, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'
import { checkedRedirect } from '#app/redirects/rules/redirect-request.ts'
import { type Redirect, redirect, redirectBody, type RedirectBody, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { toast } from '#app/ui/toast.ts'
import { invalidateRedirects, problemsIn } from './redirect-errors.ts'
import { redirectFields, type RedirectFields } from './redirect-view.ts'

/** Milliseconds after the last change before the server checks for problems. */
const TYPING_PAUSE = 400

type FormOf = { redirect: Redirect | undefined; begin: Partial<RedirectBody> | undefined; close: () => void }

export type RedirectFormState = ReturnType<typeof useRedirectForm>

/** The values of the form, the errors of its fields, and its problems with other redirects and pages. */
export function useRedirectForm({ redirect: row, begin, close }: FormOf) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<RedirectProblem[]>()
  const isDoubtful = asked !== undefined && !asked.some(isRefused)
  const form = useEditForm({
    noun: 'Redirect',
    url: REDIRECTS,
    schema: redirect,
    row,
    begin: () => editRedirect(row ?? begin),
    editOf: editRedirect,
    apply: (edit, change) => ({ ...edit, fields: { ...edit.fields, ...change } }),
    check(fields) {
      const read = readFields(redirectBody, fields)
      return read.value ? { body: { ...read.value, confirm: isDoubtful } } : { errors: read.errors }
    },
    onSaved() {
      close()
      return invalidateRedirects(client)
    },
    onRefused(error) {
      const problems = problemsIn(error)
      setAsked(problems.length > 0 ? problems : undefined)
    },
  })

  async function submit(element: HTMLFormElement) {
    const [first] = Object.entries(await form.submit())
    if (!first) return
    const [name, description] = first
    toast({ title: titles[name] ?? `Error ${row ? 'updating' : 'creating'} redirect`, description, look: 'danger' })
    const field = element.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  /** Problems belong to the values that were checked. */
  function change(changes: Partial<RedirectFields>) {
    setAsked(undefined)
    form.change(changes)
  }

  const found = useProblems(form.fields, row?.id)
  return { ...form, problems: asked ?? found, asked: isDoubtful, change, submit }
}

const editRedirect = (given: Parameters<typeof redirectFields>[0]) => ({ fields: redirectFields(given), slugFollows: false })

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
