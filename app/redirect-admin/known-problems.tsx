import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, apiRequest } from '#app/platform/api.ts'
import type { RedirectProblem } from '#app/redirects/redirect-problem.ts'
import { REDIRECTS } from '#app/redirects/redirect.ts'
import { toast } from '#app/ui/toast.ts'
import { ProblemList } from './problem-list.tsx'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'

/** So many are shown at once; the next ones come when these are settled. */
const SHOWN = 20

/** What is wrong in the list as it stands. Nothing while nothing is. */
export function KnownProblems() {
  const found = useQuery(apiQuery<{ problems: RedirectProblem[] }>(`${REDIRECTS}/problems`))
  const collapse = useCollapse()
  const { problems = [] } = found.data ?? {}
  if (problems.length === 0) return null
  return (
    <details className="rounded-card border border-grain bg-surface p-4">
      <summary className="py-1 text-small font-semibold">
        {problems.length === 1 ? '1 thing to look at' : `${problems.length.toLocaleString('en')} things to look at`}
      </summary>
      <div className="pt-3">
        <ProblemList problems={problems.slice(0, SHOWN)} collapse={(id) => collapse(id)} />
      </div>
    </details>
  )
}

/** Makes a redirect lead at once to where others would lead on from it. */
export function useCollapse() {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: async ({ id }: { id: string; done?: () => void }) => apiRequest('POST', `${REDIRECTS}/${encodeURIComponent(id)}/collapse`),
    async onSuccess(_answer, { done }) {
      toast({ title: 'The chain is one redirect now' })
      done?.()
      await askAgain(client)
    },
    onError: (error) => tellFailure('Error updating redirect', error),
  })
  return (id: string, done?: () => void) => change.mutate({ id, ...(done && { done }) })
}
