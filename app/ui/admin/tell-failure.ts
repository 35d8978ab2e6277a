import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'

const UNHEARD = 'The server could not be reached. Nothing was changed. Please try again.'

/** Shows the error's text for people, or `otherwise` without one. An ended session is reported elsewhere. */
export function showFailure(title: string, error: Error & { detail?: string }, otherwise = UNHEARD): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: error.detail ?? otherwise, look: 'danger' })
}

/** The server's error for each field. */
export function refusedFields(error: Error): Record<string, string> {
  return (error instanceof ApiError && error.problem?.errors) || {}
}
