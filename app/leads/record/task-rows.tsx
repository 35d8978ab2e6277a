import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { pipelineQuery, useLeadAction } from '#app/leads/list/use-desk.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { LEAD_TASKS, type ListedTask } from './my-tasks.ts'
import { TaskDialog } from './task-list.tsx'

type Group = 'Overdue' | 'Today' | 'Later' | 'Without a due time'

/** Open tasks by the days of the person who reads them. */
export function groupsOf(tasks: readonly ListedTask[], now = new Date()): { group: Group; tasks: ListedTask[] }[] {
  const groupOf = ({ dueAt }: ListedTask): Group => {
    if (!dueAt) return 'Without a due time'
    const due = new Date(dueAt)
    if (due < now) return 'Overdue'
    return due.toDateString() === now.toDateString() ? 'Today' : 'Later'
  }
  return (['Overdue', 'Today', 'Later', 'Without a due time'] as const)
    .map((group) => ({ group, tasks: tasks.filter((task) => groupOf(task) === group) }))
    .filter(({ tasks: found }) => found.length > 0)
}

/** Tasks with a box each that finishes them; the toast takes it back. */
export function TaskRows({ label, tasks, showsPerson }: { label: string; tasks: readonly ListedTask[]; showsPerson?: boolean }) {
  const { list, keep } = useNextFocus()
  return (
    <ul aria-label={label} ref={list} className="divide-y divide-line">
      {tasks.map((task, at) => (
        <Row key={`${task.kind} ${task.id}`} task={task} showsPerson={showsPerson} onToggle={() => keep(at)} />
      ))}
    </ul>
  )
}

/** A finished task leaves the list: the focus goes to the one in its place. */
function useNextFocus() {
  const list = useRef<HTMLUListElement>(null)
  const place = useRef<number>(undefined)
  useEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return
    const boxes = [...(list.current?.querySelectorAll('input') ?? [])]
    boxes[Math.min(place.current, boxes.length - 1)]?.focus()
    place.current = undefined
  })
  return { list, keep: (at: number) => void (place.current = at) }
}

type RowProps = { task: ListedTask; showsPerson?: boolean | undefined; onToggle: () => void }

function Row({ task, showsPerson = false, onToggle }: RowProps) {
  const { kind, assigneeId, dueAt, doneAt, reference, name, company } = task
  const [isEditing, setEditing] = useState(false)
  const owners = useQuery(pipelineQuery).data?.owners ?? []
  const { toggle, isPending } = useToggle(task)
  const title = task.title ?? 'Next step'
  const isLate = dueAt !== null && !doneAt && isPast(dueAt)
  const person = showsPerson ? owners.find(({ id }) => id === assigneeId)?.name : undefined
  return (
    <li className="flex items-start gap-3 py-2 text-small">
      <label className="grid size-7 shrink-0 cursor-pointer place-items-center pointer-coarse:size-11">
        <input
          type="checkbox"
          aria-label={`${title}: ${name}`}
          checked={isPending ? !doneAt : doneAt !== null}
          onChange={() => {
            onToggle()
            toggle()
          }}
          className="size-4 cursor-pointer accent-ink"
        />
      </label>
      <span className="grid min-w-0 grow gap-0.5 py-1">
        <span className={cx('wrap-anywhere', (doneAt !== null) !== isPending && 'text-muted line-through')}>{title}</span>
        <span className="text-fine text-muted">
          <Link to={`/leads/${reference}`} className="link">
            {name}
          </Link>
          {[company, person].filter(Boolean).map((text) => ` · ${text}`)}
        </span>
      </span>
      {dueAt && (
        <time
          dateTime={dueAt}
          title={formatMoment(dueAt)}
          className={cx('shrink-0 py-1 font-mono text-fine', isLate ? 'text-alarm' : 'text-muted')}
        >
          {formatDay(dueAt)}
          {isLate && <span className="sr-only">, overdue</span>}
        </time>
      )}
      {kind === 'task' && <Menu label={`More actions for ${title}`} entries={[{ label: 'Edit…', act: () => setEditing(true) }]} />}
      {isEditing && <TaskDialog task={{ ...task, title }} reference={reference} close={() => setEditing(false)} />}
    </li>
  )
}

/** Finishes or reopens a task. A finished next step is emptied, so that the lead can have another one. */
function useToggle({ id, kind, title, dueAt, doneAt, reference }: ListedTask) {
  const action = useLeadAction('Task not changed')
  const finish = (isDone: boolean) => {
    if (kind === 'task') return { method: 'PATCH' as const, url: `${LEAD_TASKS}/${id}`, body: { isDone } }
    const change = (value: string | null) => (isDone ? { from: value, to: null } : { from: null, to: value })
    return { method: 'PATCH' as const, url: leadUrl(reference), body: { changes: { nextStep: change(title), nextStepAt: change(dueAt) } } }
  }
  const toggle = () => {
    if (action.isPending) return
    const back = finish(doneAt !== null)
    const undo = async () => apiRequest(back.method, back.url, back.body)
    action.mutate({ ...finish(!doneAt), done: doneAt ? 'Task reopened' : 'Task done', undo })
  }
  return { toggle, isPending: action.isPending }
}
