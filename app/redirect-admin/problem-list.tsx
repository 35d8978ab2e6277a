import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { isRefused, type ProblemKind, type RedirectProblem } from '#app/redirects/redirect-problem.ts'

const names: Record<ProblemKind, string> = {
  loop: 'Loop',
  self: 'Leads to itself',
  duplicate: 'Already there',
  chain: 'Chain',
  shadowed: 'Never reached',
  'shadows-page': 'Hides a page',
}

type ProblemListProps = {
  problems: readonly RedirectProblem[]
  /** Leads to the end of a chain at once, for the redirect that is being written. */
  shorten?: (toPath: string) => void
  ownId?: string | undefined
  /** Leads to the end of a chain at once, for a redirect that there is. */
  collapse?: (id: string) => void
}

/** What is wrong between redirects, or between them and pages, each with the addresses on the way. */
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

/** Whether the chain begins with the redirect in the form: its target can then be the end of it. */
function isOwn({ ids, path }: RedirectProblem, ownId: string | undefined): boolean {
  return (ownId === undefined || ids[0] === ownId) && !path.some((address) => address.includes('*'))
}
