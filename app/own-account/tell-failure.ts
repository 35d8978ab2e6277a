import { ApiError } from '#app/platform/api.ts'
import { toast } from '#app/ui/toast.ts'

/** Says that something did not work, and why. Whose session is over is told that, and led to the sign-in page, by who asks the server. */
export function tellFailure(title: string) {
  return (error: Error) => {
    if (error instanceof ApiError && error.status === 401) return
    toast({ title, description: error instanceof ApiError ? error.detail : error.message, look: 'danger' })
  }
}
