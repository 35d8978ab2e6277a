import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { pipelineQuery, useLiveDesk } from '#app/leads/list/use-desk.tsx'
import { viewerOf } from '#app/page-access.server.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { TableToolbar } from '#app/ui/admin/data-table.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { BareSelect } from '#app/ui/input.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { FilterLink } from '#app/ui/filter-link.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/tasks.page.ts'
import { listedTasks, tasksUrl } from './my-tasks.ts'
import { groupsOf, TaskRows } from './task-rows.tsx'

export const handle = { access: 'leads.read' } satisfies Handle

export const loader = ({ context }: Route.LoaderArgs) => ({ userId: viewerOf(context).viewer.id })

export const meta = () => pageMeta({ title: 'Tasks', index: false })

export default function TasksPage({ loaderData: { userId } }: Route.ComponentProps) {
  const { params, change } = useView()
  const isDone = params.get('state') === 'done'
  const owners = useQuery(pipelineQuery).data?.owners ?? []
  return (
    <Page kind="work" title="Tasks" intro="Tasks of leads, by due date. The next step of a lead is a task of its owner.">
      <TableToolbar>
        <ul aria-label="Filter" className="flex flex-wrap gap-2">
          <FilterLink to={withChanges(params, { state: undefined })} name="Open" isChosen={!isDone} />
          <FilterLink to={withChanges(params, { state: 'done' })} name="Done" isChosen={isDone} />
        </ul>
        <span className="ml-auto w-56 max-sm:w-full">
          <BareSelect
            aria-label="Tasks of"
            value={params.get('who') ?? ''}
            onChange={({ target }) => change({ who: target.value || undefined })}
          >
            <option value="">Mine</option>
            <option value="all">Everyone’s</option>
            {owners
              .filter(({ id }) => id !== userId)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </BareSelect>
        </span>
      </TableToolbar>
      <div className="mt-4">
        <Tasks who={params.get('who') ?? 'me'} isDone={isDone} />
      </div>
    </Page>
  )
}

function Tasks({ who, isDone }: { who: string; isDone: boolean }) {
  const list = usePageQuery({ ...apiQuery(tasksUrl(who, isDone ? 'done' : 'open'), listedTasks), placeholderData: keepPreviousData })
  useLiveDesk()
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading tasks...</Loading>
        <RowsSkeleton />
      </div>
    )
  }
  if (list.isError) return <Failed as="h2" error={list.error} retry={list.refetch} />
  const { tasks, hasMore } = list.data
  if (tasks.length === 0) return <NoTasks isDone={isDone} />
  const groups = isDone ? [{ group: 'Done', tasks }] : groupsOf(tasks)
  return (
    <div className={cx('grid grid-cols-1 gap-5', list.isPlaceholderData && 'opacity-60')}>
      {groups.map(({ group, tasks: found }) => (
        <section key={group} aria-label={group} className="grid grid-cols-1 gap-1">
          <h2 className={cx('text-small font-semibold', group === 'Overdue' && 'text-alarm')}>
            {group} <span className="font-mono font-normal text-muted">{found.length}</span>
          </h2>
          <TaskRows label={group} tasks={found} showsPerson={who !== 'me'} />
        </section>
      ))}
      {hasMore && <p className="text-small text-muted">Only the first {tasks.length} are shown.</p>}
    </div>
  )
}

function NoTasks({ isDone }: { isDone: boolean }) {
  return (
    <Empty
      title={isDone ? 'No finished tasks' : 'No open tasks'}
      action={
        <Link to="/leads" className={buttonLook('quiet')}>
          Show leads
        </Link>
      }
    >
      <p>{isDone ? 'Finished tasks are kept here.' : 'Add a task or a next step on the page of a lead.'}</p>
    </Empty>
  )
}
