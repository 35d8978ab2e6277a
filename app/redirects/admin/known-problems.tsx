import { useQuery } from '@tanstack/react-query'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { checkedRedirect } from '#app/redirects/rules/redirect-request.ts'
import { REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Later, laterCode } from '#app/ui/later-code.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { redirectData } from './redirect-errors.ts'

const listCode = laterCode('The list of issues', () => import('./problem-list.tsx'))

/** Problems shown at a time; the next ones follow once these are fixed. */
const SHOWN = 20

/** Lists the problems between saved redirects. Renders nothing when there are none. */
export function KnownProblems() {
  const found = useQuery(apiQuery(`${REDIRECTS}/problems`, checkedRedirect))
  const collapse = useCollapse()
  const { problems = [] } = found.data ?? {}
  if (problems.length === 0) return null
  return (
    <details className="rounded-card border border-grain bg-surface p-4">
      <summary className="py-1 text-small font-semibold">
        {problems.length === 1 ? '1 issue to review' : `${numberText(problems.length)} issues to review`}
      </summary>
      <div className="pt-3">
        <Later code={listCode}>
          {({ ProblemList }) => <ProblemList problems={problems.slice(0, SHOWN)} collapse={(id) => collapse(id)} />}
        </Later>
      </div>
    </details>
  )
}

/** Points a redirect straight at the end of its chain. */
export function useCollapse() {
  const change = useAction({
    send: async ({ id }: { id: string; done?: () => void }) => apiRequest('POST', `${REDIRECTS}/${encodeURIComponent(id)}/collapse`),
    onDone: (_answer, { done }) => done?.(),
    done: 'Chain collapsed',
    failed: 'Error updating redirect',
    touches: redirectData,
  })
  return (id: string, done?: () => void) => change.mutate({ id, ...(done && { done }) })
}
