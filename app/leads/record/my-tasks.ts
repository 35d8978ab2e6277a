import { z } from 'zod/mini'
import { anyUuid } from '#app/leads/lead/fact-value.ts'

export const LEAD_TASKS = '/api/lead-tasks'

/** Whose: one's own, everyone's, or those of one account. */
export const taskQuery = z.object({
  who: z._default(z.union([z.literal('me'), z.literal('all'), anyUuid('Choose a person.')], 'Choose a person.'), 'me'),
  state: z._default(z.enum(['open', 'done'], 'state is open or done.'), 'open'),
})

export type TaskQuery = z.infer<typeof taskQuery>

/** A task of a lead, or its next step, which is a task of its owner. A next step can have a time alone. */
export const listedTask = z.object({
  id: z.string(),
  kind: z.enum(['task', 'step']),
  title: z.nullable(z.string()),
  assigneeId: z.nullable(z.string()),
  dueAt: z.nullable(z.string()),
  remindAt: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  reference: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
})

export type ListedTask = z.infer<typeof listedTask>

/** Open ones by their due time, done ones latest first. */
export const listedTasks = z.object({ tasks: z.array(listedTask), hasMore: z.boolean() })

export const tasksUrl = (who: string, state: TaskQuery['state'] = 'open') => `${LEAD_TASKS}?${new URLSearchParams({ who, state })}`
