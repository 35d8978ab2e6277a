import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { isRefused, type ProblemKind, type RedirectProblem } from '#app/redirects/rules/redirect-problem.ts'

const names: Record<ProblemKind, string> = {
  loop: 'Loop',
  self: 'Redirects to itself',
  duplicate: 'Duplicate',
  chain: 'Chain',
  shadowed: 'Never reached',
  'shadows-page': 'Hides a page',
}

type ProblemListProps = {
  problems: readonly RedirectProblem[]
  /** Points the redirect in the form straight at the end of its chain. */
  shorten?: (toPath: string) => void
  ownId?: string | undefined
  /** Points a saved redirect straight at the end of its chain. */
  collapse?: (id: string) => void
}

/** Problems between redirects, or between redirects and pages, each with the addresses along the chain. */
export function ProblemList({ problems, shorten, ownId, collapse }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems" className="grid gap-3">
      {problems.map((problem) => {
        const [first = ''] = problem.ids
        const end = problem.path.at(-1)
        const isChain = problem.kind === 'chain'
        return (
          <li
            key={`${problem.kind} ${problem.ids.join(' ')} ${problem.path.join(' ')}`}
            className={cx(
              'grid justify-items-start gap-2 rounded-card border p-4',
              isRefused(problem) ? 'border-alarm bg-alarm-wash' : 'border-grain bg-grain-wash',
            )}
          >
            <p className="text-small">
              <strong>{names[problem.kind]}.</strong> {problem.message}
            </p>
            {problem.path.length > 1 && !problem.message.includes(problem.path.join(' → ')) && (
              <p className="font-mono text-fine wrap-anywhere">{problem.path.join(' → ')}</p>
            )}
            {isChain && shorten && end && isOwn(problem, ownId) && (
              <Button type="button" look="quiet" size="small" onClick={() => shorten(end)}>
                Lead straight to {end}
              </Button>
            )}
            {isChain && collapse && (
              <Button type="button" look="quiet" size="small" onClick={() => collapse(first)}>
                Collapse the chain
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Whether the chain begins with the redirect in the form, so that its target can become the end of the chain. */
function isOwn({ ids, path }: RedirectProblem, ownId: string | undefined): boolean {
  return (ownId === undefined || ids[0] === ownId) && !path.some((address) => address.includes('*'))
}
