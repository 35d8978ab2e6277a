import { useQuery } from '@tanstack/react-query'
import { listedTasks, tasksUrl } from '#app/leads/record/my-tasks.ts'
import { groupsOf, TaskRows } from '#app/leads/record/task-rows.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { PanelFrame } from './panel-frame.tsx'

const SHOWN = 6

/** One's own tasks, the overdue ones first, with those of today and the next ones. */
export function TasksPanel() {
  const list = useQuery(apiQuery(tasksUrl('me'), listedTasks))
  return (
    <PanelFrame title="My tasks" more={{ to: '/tasks', label: 'All tasks' }}>
      {list.isPending && <Skeleton lines={3} />}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data && <Tasks tasks={list.data.tasks.slice(0, SHOWN)} />}
    </PanelFrame>
  )
}

function Tasks({ tasks }: { tasks: Parameters<typeof groupsOf>[0] }) {
  if (tasks.length === 0) return <p className="text-small text-muted">No open tasks. Tasks and next steps of your leads appear here.</p>
  return groupsOf(tasks).map(({ group, tasks: found }) => (
    <section key={group} aria-label={group}>
      <h3 className={group === 'Overdue' ? 'text-small font-semibold text-alarm' : 'text-small font-semibold'}>{group}</h3>
      <TaskRows label={group} tasks={found} />
    </section>
  ))
}
