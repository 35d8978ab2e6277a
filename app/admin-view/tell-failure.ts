import { ApiError } from '#app/platform/api.ts'
import { toast } from '#app/ui/toast.ts'

const UNHEARD = 'The server could not be reached. Nothing was changed.'

/** Says what the server said, or `otherwise` where it said nothing. Whoever is no longer signed in hears of that elsewhere. */
export function tellFailure(title: string, error: Error, otherwise = UNHEARD): void {
  if (error instanceof ApiError && error.status === 401) return
  toast({ title, description: error instanceof ApiError ? error.detail : otherwise, look: 'danger' })
}
