import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckIcon, ChevronRightIcon } from 'lucide-react'
import { Link } from 'react-router'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useLiveData } from '#app/ui/admin/use-live-data.ts'
import { UndoButton } from '#app/ui/admin/undo.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast.ts'
import { areStepsShown, FIRST_STEPS, type FirstSteps, firstSteps, stepEvents, stepTexts } from './first-steps.ts'

/** A step is often done on another page or in another tab, so each visit and each return asks again. The document has just asked. */
const query = {
  ...apiQuery(FIRST_STEPS, firstSteps),
  refetchOnMount: ({ state }: { state: { dataUpdatedAt: number } }) => (Date.now() - state.dataUpdatedAt < FRESH ? false : 'always'),
  refetchOnWindowFocus: 'always',
} as const
/** In milliseconds. */
const FRESH = 2_000

/** The checklist of a new owner. It disappears when all is done, and when the owner hides it. `known` is what the document was sent with. */
export function FirstStepsPanel({ known }: { known?: FirstSteps | undefined }) {
  const found = useQuery({ ...query, ...(known && { initialData: known }) })
  useLiveData(stepEvents, [FIRST_STEPS])
  const hide = useStepsChoice()
  if (found.isPending) {
    return (
      <StepsCard>
        <Loading>Loading your first steps...</Loading>
        <Skeleton lines={6} />
      </StepsCard>
    )
  }
  if (found.isError) {
    return (
      <div className="mb-4 sm:mb-6">
        <Failed as="h2" error={found.error} retry={found.refetch} title="Your first steps did not load" />
      </div>
    )
  }
  if (!areStepsShown(found.data)) return null
  return (
    <StepsCard
      progress={found.data.steps}
      action={
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={hide.isPending}
          onClick={() => hide.mutate(true, { onSuccess: () => toldHidden(() => hide.mutate(false)) })}
        >
          {hide.isPending ? 'Hiding...' : 'Hide'}
        </Button>
      }
    >
      <Steps steps={found.data.steps} />
    </StepsCard>
  )
}

/** Brings the list back, where it is hidden and has open steps. */
export function ShowFirstSteps() {
  const found = useQuery(query)
  const choice = useStepsChoice()
  const { data } = found
  if (!data?.isHidden || !areStepsShown({ ...data, isHidden: false })) return null
  return (
    <Button
      type="button"
      look="quiet"
      busy={choice.isPending}
      onClick={() =>
        choice.mutate(false, { onSuccess: () => toast({ title: 'First steps are back', description: 'Find them on the home page.' }) })
      }
    >
      {choice.isPending ? 'Showing...' : 'Show first steps'}
    </Button>
  )
}

function StepsCard({
  progress,
  action,
  children,
}: {
  progress?: FirstSteps['steps']
  action?: React.ReactNode
  children: React.ReactNode
}) {
  const done = progress?.filter(({ isDone }) => isDone).length ?? 0
  return (
    <Card as="section" aria-labelledby="first-steps" className="mb-4 min-w-0 sm:mb-6">
      <header className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="first-steps" className="text-h3">
          First steps
        </h2>
        {progress && (
          <span className="flex grow items-center gap-3 text-small text-muted">
            <span className="whitespace-nowrap tabular-nums" role="status">
              {done} of {progress.length}
            </span>
            <progress className="w-full max-w-40" max={progress.length} value={done} aria-label="First steps done" />
          </span>
        )}
        {action}
      </header>
      {children}
    </Card>
  )
}

function Steps({ steps }: Pick<FirstSteps, 'steps'>) {
  return (
    <ol className="-mx-3 -mb-2 grid gap-x-6 lg:grid-flow-col lg:grid-cols-2 lg:grid-rows-5">
      {steps.map(({ name, isDone }) => (
        <li key={name}>
          <Link
            to={stepTexts[name].to}
            className="flex h-full min-h-11 items-center gap-3 rounded-control px-3 py-2 text-small hover:bg-sunken"
          >
            <Mark isDone={isDone} />
            <span className="grid min-w-0 grow">
              <span className={isDone ? 'text-muted' : 'font-semibold'}>
                {isDone && <span className="sr-only">Done: </span>}
                {stepTexts[name].title}
              </span>
              {!isDone && <span className="text-fine text-muted">{stepTexts[name].about}</span>}
            </span>
            {!isDone && <ChevronRightIcon aria-hidden="true" className="size-4 shrink-0 text-muted" />}
          </Link>
        </li>
      ))}
    </ol>
  )
}

function Mark({ isDone }: { isDone: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-5 shrink-0 place-items-center rounded-full border',
        isDone ? 'border-leaf bg-leaf-wash text-leaf' : 'border-muted',
      )}
    >
      {isDone && <CheckIcon className="size-3.5" strokeWidth={3} />}
    </span>
  )
}

/** Saves for this person on the server whether the list is hidden. */
function useStepsChoice() {
  const client = useQueryClient()
  return useAction({
    send: async (isHidden: boolean) => firstSteps.parse(await (await apiRequest('PUT', FIRST_STEPS, { isHidden })).json()),
    onDone: (changed) => client.setQueryData(query.queryKey, changed),
    failed: 'Not saved',
    touches: [],
  })
}

/** The button that had the focus is gone, so the page's heading is the next place to read from. */
function toldHidden(undo: () => void) {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
  toast({ title: 'First steps hidden', description: 'Bring them back under Settings.', button: <UndoButton undo={undo} /> })
}
