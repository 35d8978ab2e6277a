import { beforeEach, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'
import type { ListedTask } from './my-tasks.ts'
import { groupsOf } from './task-rows.tsx'

const app = await startEndpoints()
const staff = await signIn('staff')
const colleague = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
})

type Headers = Record<string, string>
const list = async (query = '', headers: Headers = staff.headers) => app.inject({ url: `/api/lead-tasks${query}`, headers })
const titles = async (query = '', headers: Headers = staff.headers) =>
  (await list(query, headers)).json().tasks.map(({ kind, title }: ListedTask) => `${kind} ${title}`)
const add = async (reference: string, body: object) =>
  (await app.inject({ method: 'POST', url: `/api/leads/${reference}/tasks`, headers: staff.headers, payload: body })).json().id
const patch = async (url: string, payload: object) => app.inject({ method: 'PATCH', url, headers: staff.headers, payload })
const at = (day: number) => new Date(Date.UTC(2026, 5, day)).toISOString()

test('a person reads their tasks and the next steps of their leads in one list, by due time; those of others are apart', async () => {
  const mine = await makeContact({ name: 'Ada' })
  const theirs = await makeContact()
  await db
    .updateTable('leads')
    .set({ ownerId: staff.user.id, nextStep: 'Send a sample', nextStepAt: new Date(at(2)) })
    .where('contactId', '=', mine.id)
    .execute()
  await db.updateTable('leads').set({ ownerId: colleague.user.id, nextStep: 'Theirs' }).where('contactId', '=', theirs.id).execute()
  await add(mine.reference, { title: 'Unassigned, but added by me', dueAt: at(3) })
  await add(mine.reference, { title: 'Of a colleague', assigneeId: colleague.user.id, dueAt: at(1) })
  expect(await titles()).toEqual(['step Send a sample', 'task Unassigned, but added by me'])
  expect(await titles(`?who=${colleague.user.id}`)).toEqual(['task Of a colleague', 'step Theirs'])
  expect(await titles('?who=all')).toHaveLength(4)
  expect((await list()).json().tasks[0]).toMatchObject({ reference: mine.reference, name: 'Ada', dueAt: at(2), doneAt: null })
})

test('a finished task is listed apart and can be reopened; steps of lost and deleted leads are no tasks', async () => {
  const { id, reference } = await makeContact()
  const task = await add(reference, { title: 'Call' })
  await patch(`/api/lead-tasks/${task}`, { isDone: true })
  expect([await titles(), await titles('?state=done')]).toEqual([[], ['task Call']])
  await patch(`/api/lead-tasks/${task}`, { isDone: false })
  await patch(`/api/leads/${reference}`, {
    changes: { ownerId: { from: null, to: staff.user.id }, nextStep: { from: null, to: 'Write' }, stageId: { from: 1, to: 7 } },
  })
  expect(await titles()).toEqual(['task Call'])
  await db.updateTable('contacts').set({ deletedAt: new Date() }).where('id', '=', id).execute()
  expect(await titles('?who=all')).toEqual([])
})

test('an unassigned task that a colleague deletes and brings back is still with the person who added it, also after a second time', async () => {
  const { reference } = await makeContact()
  const id = await add(reference, { title: 'Call' })
  for (const turn of [1, 2]) {
    await app.inject({ method: 'DELETE', url: `/api/lead-tasks/${id}`, headers: colleague.headers })
    const payload = { id, title: 'Call', assigneeId: null, dueAt: null, remindAt: null, isDone: false }
    const back = await app.inject({ method: 'POST', url: `/api/leads/${reference}/tasks`, headers: colleague.headers, payload })
    expect([turn, back.statusCode, await titles(), await titles('', colleague.headers)]).toEqual([turn, 201, ['task Call'], []])
  }
})

test('tasks are grouped by the day of the reader: overdue, today, later, without a time', () => {
  const now = new Date(2026, 5, 10, 12)
  const task = (title: string, dueAt: Date | null): ListedTask => ({
    id: title,
    kind: 'task',
    title,
    assigneeId: null,
    dueAt: dueAt?.toISOString() ?? null,
    remindAt: null,
    doneAt: null,
    reference: 'W-1',
    name: 'Ada',
    company: null,
  })
  const tasks = [
    task('a', new Date(2026, 5, 10, 11)),
    task('b', new Date(2026, 5, 10, 23)),
    task('c', new Date(2026, 5, 11)),
    task('d', null),
  ]
  expect(groupsOf(tasks, now).map(({ group, tasks: found }) => [group, found.map(({ title }) => title)])).toEqual([
    ['Overdue', ['a']],
    ['Today', ['b']],
    ['Later', ['c']],
    ['Without a due time', ['d']],
  ])
})

test('tasks are for staff; a person who is none is refused', async () => {
  expect((await list('', {})).statusCode).toBe(401)
  expect((await list('', (await signIn('customer')).headers)).statusCode).toBe(403)
  expect((await list('?who=nobody')).statusCode).toBe(422)
})
