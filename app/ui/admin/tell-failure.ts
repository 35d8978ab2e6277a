import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'

const UNHEARD = 'The server could not be reached. Nothing was changed. Please try again.'

/** Shows the error's text for people, or `otherwise` without one. An ended session is reported elsewhere. */
export function showFailure(title: string, error: Error & { detail?: string }, otherwise = UNHEARD): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: reasonOf(error) ?? otherwise, look: 'danger' })
}

/** More is too long for a toast. */
const MOST_REASON = 200

/** All that has to be changed, where it is short. The detail of a refusal that names several fields is the first of their errors alone. */
function reasonOf(error: Error & { detail?: string }): string | undefined {
  const errors = [...new Set(Object.values(refusedFields(error)))]
  const all = errors.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ')
  return errors.length > 1 && error.detail === errors[0] && all.length <= MOST_REASON ? all : error.detail
}

/** The server's error for each field. */
export function refusedFields(error: Error): Record<string, string> {
  return (error instanceof ApiError && error.problem?.errors) || {}
}
