import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'

const UNHEARD = 'The server could not be reached. Nothing was changed.'

/** Shows the server's error text, or `otherwise` without one. An ended session is reported elsewhere. */
export function showFailure(title: string, error: Error, otherwise = UNHEARD): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: error instanceof ApiError ? error.detail : otherwise, look: 'danger' })
}
