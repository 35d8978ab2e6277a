import { z } from 'zod'
import { addedNote, noteChange } from '#app/leads/lead/note.ts'
import { allow } from '#app/access.server.ts'
import { leadChanges } from '#app/leads/lead/lead-facts.ts'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import { LEAD_DUPLICATES, possibleDuplicates, twoPeople } from '#app/leads/lead/duplicate.ts'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { addedLead, LEAD_PEOPLE, leadPeople, newLead, peopleQuery } from '#app/leads/lead/new-lead.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { changeLead } from './lead-change.server.ts'
import { listDuplicates, tellApart } from './duplicate.server.ts'
import { findLeadDetail } from './lead-detail.server.ts'
import { LEAD_TASKS, listedTasks, taskQuery } from './my-tasks.ts'
import { listTasks } from './my-tasks.server.ts'
import { addLead } from './new-lead.server.ts'
import { addNote, changeNote, removeNote } from './note.server.ts'
import { mergePerson, moveLead, undoMerge } from './person-merge.server.ts'
import { findPeople } from './people.server.ts'
import { addTask, changeTask, removeTask } from './task.server.ts'
import { addedTask, leadDetail, leadNote, leadTask, leadTimeline, mergedPeople, otherPerson, personBody, taskChange } from './timeline.ts'
import { readTimeline } from './timeline.server.ts'

const params = z.object({ reference: z.string().max(60, 'Lead not found.') })
const unknown = () => stop('notFound', 'Lead not found.')
const idOf = async ({ reference }: { reference: string }) => (await findLeadId(reference)) ?? unknown()
const withId = (sentence: string) => z.object({ id: z.uuid(sentence) })

const timelineQuery = z.object({
  scope: z.enum(['lead', 'person'], 'scope is lead or person.').default('lead'),
  cursor: z.string().max(200, 'There is no such page.').optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

/** One lead: its facts, its timeline, and its person. */
export const leadPageApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get('/api/leads/:reference', {
    schema: { summary: 'Read one lead with its person, tasks and other leads', params, response: { 200: leadDetail } },
    handler: async ({ params }) => (await findLeadDetail(params.reference)) ?? unknown(),
  })

  app.post(LEADS_URL, {
    schema: { summary: 'Add a lead by hand', body: newLead, response: { 201: addedLead } },
    async handler({ body, requestContext }, reply) {
      return reply.status(201).send(await addLead(body, await staffOf(requestContext)))
    },
  })

  app.get(LEAD_PEOPLE, {
    schema: {
      summary: 'Find people by the words of their leads, or by an address',
      querystring: peopleQuery,
      response: { 200: leadPeople },
    },
    handler: async ({ query }) => ({ people: await findPeople(query) }),
  })

  app.get(LEAD_TASKS, {
    schema: {
      summary: 'List tasks and next steps: your own, those of someone, or all',
      querystring: taskQuery,
      response: { 200: listedTasks },
    },
    handler: async ({ query, requestContext }) => listTasks(query, (await allow(requestContext, 'leads.read')).id),
  })

  app.patch('/api/leads/:reference', {
    schema: {
      summary: 'Change facts of a lead, each with the value that it replaces',
      params,
      body: leadChanges,
      response: { 200: leadDetail },
    },
    async handler({ params, body, requestContext }) {
      if (!(await changeLead(await idOf(params), body.changes, await staffOf(requestContext)))) return unknown()
      return (await findLeadDetail(params.reference)) ?? unknown()
    },
  })

  app.get('/api/leads/:reference/timeline', {
    schema: {
      summary: 'Read the timeline of a lead, or of its person',
      params,
      querystring: timelineQuery,
      response: { 200: leadTimeline },
    },
    handler: async ({ params, query: { scope, cursor, limit } }) => readTimeline({ contactId: await idOf(params), scope, cursor, limit }),
  })

  app.get(LEAD_DUPLICATES, {
    schema: {
      summary: 'List people who may be the same: all, or those of one lead',
      querystring: z.object({ reference: z.string().max(60, 'Lead not found.').optional() }),
      response: { 200: possibleDuplicates },
    },
    handler: async ({ query: { reference } }) => listDuplicates(reference === undefined ? undefined : await idOf({ reference })),
  })

  app.post(`${LEAD_DUPLICATES}/apart`, {
    schema: { summary: 'Remember that two people are not the same', body: twoPeople, response: { 204: z.null() } },
    async handler({ body, requestContext }, reply) {
      await tellApart(body, true, await staffOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.delete(`${LEAD_DUPLICATES}/apart`, {
    schema: { summary: 'Forget that two people are not the same', querystring: twoPeople, response: { 204: z.null() } },
    async handler({ query, requestContext }, reply) {
      await tellApart(query, false, await staffOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post('/api/leads/:reference/merge', {
    schema: {
      summary: 'Merge another person into the person of this lead',
      params,
      body: otherPerson,
      response: { 200: mergedPeople },
    },
    handler: async ({ params, body, requestContext }) => mergePerson(await idOf(params), body, await staffOf(requestContext)),
  })

  app.post('/api/lead-merges/:id/undo', {
    schema: {
      summary: 'Separate a merged address again',
      params: withId('There is no such merge.'),
      response: { 200: z.object({ restored: z.number() }) },
    },
    handler: async ({ params, requestContext }) => undoMerge(params.id, await staffOf(requestContext)),
  })

  app.post('/api/leads/:reference/move', {
    schema: {
      summary: 'Move a lead to the person of an address',
      params,
      body: personBody,
      response: { 200: z.object({ email: z.string().nullable() }) },
    },
    handler: async ({ params, body, requestContext }) => moveLead(await idOf(params), body.email, await staffOf(requestContext)),
  })
}

const noteId = withId('There is no such note.')
const taskId = withId('There is no such task.')
const unknownNote = () => stop('notFound', 'There is no such note of yours.')
const unknownTask = () => stop('notFound', 'There is no such task.')

/** Notes and tasks of leads. */
export const leadWorkApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.write')
  })

  app.post('/api/leads/:reference/notes', {
    schema: { summary: 'Add a note', params, body: addedNote, response: { 201: leadNote } },
    async handler({ params, body, requestContext }, reply) {
      return reply.status(201).send(await addNote(await idOf(params), body, await staffOf(requestContext)))
    },
  })

  app.patch('/api/lead-notes/:id', {
    schema: { summary: 'Change a note of yours', params: noteId, body: noteChange, response: { 200: leadNote } },
    handler: async ({ params, body, requestContext }) =>
      (await changeNote(params.id, body, await staffOf(requestContext))) ?? unknownNote(),
  })

  app.delete('/api/lead-notes/:id', {
    schema: { summary: 'Delete a note of yours', params: noteId, response: { 200: leadNote } },
    handler: async ({ params, requestContext }) => (await removeNote(params.id, await staffOf(requestContext))) ?? unknownNote(),
  })

  app.post('/api/leads/:reference/tasks', {
    schema: { summary: 'Add a task', params, body: addedTask, response: { 201: leadTask } },
    async handler({ params, body, requestContext }, reply) {
      return reply.status(201).send(await addTask(await idOf(params), body, await staffOf(requestContext)))
    },
  })

  app.patch('/api/lead-tasks/:id', {
    schema: { summary: 'Change, finish or reopen a task', params: taskId, body: taskChange, response: { 200: leadTask } },
    handler: async ({ params, body, requestContext }) =>
      (await changeTask(params.id, body, await staffOf(requestContext))) ?? unknownTask(),
  })

  app.delete('/api/lead-tasks/:id', {
    schema: { summary: 'Delete a task', params: taskId, response: { 200: leadTask } },
    handler: async ({ params, requestContext }) => (await removeTask(params.id, await staffOf(requestContext))) ?? unknownTask(),
  })
}

async function staffOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'leads.write')
  return { id, address: requestContext.address }
}
