import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'

/** Shows an error and its reason. An ended session is handled by the API client, which goes to the sign-in page. */
export function showAccountFailure(title: string) {
  return (error: Error) => {
    if (error instanceof ApiError && error.status === 401) return
    toast({ title, description: error instanceof ApiError ? error.detail : error.message, look: 'danger' })
  }
}
