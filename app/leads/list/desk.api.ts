import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { leadStage, LOST_REASONS, lostReasonsBody, stagesBody } from '#app/leads/lead/stage.ts'
import { saveLostReasons, saveStages } from '#app/leads/lead/stage.server.ts'
import { changeLeads, undoBatch } from './bulk.server.ts'
import {
  bulkBody,
  bulkResult,
  deskBoard,
  deskCounts,
  deskExportQuery,
  deskFilter,
  deskPage,
  deskQuery,
  leadColumns,
  leadPipeline,
  leadView,
  leadViewBody,
  undoneBatch,
} from '#app/leads/lead/desk.ts'
import { exportLeads } from './lead-export.server.ts'
import { readPipeline } from '#app/leads/lead/desk-fact.server.ts'
import { countDesk, findDeskPage, readBoard } from './desk-list.server.ts'
import { addLeadView, changeLeadView, listLeadViews, readLeadColumns, removeLeadView, saveLeadColumns } from './lead-view.server.ts'

const params = z.object({ id: z.uuid('There is no such view.') })
const unknown = () => stop('notFound', 'There is no such view of yours.')

/** The table and the board of leads: reading for all staff, and what each person has arranged for themselves. */
export const deskApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.read')
  })

  app.get('/api/leads', {
    schema: { summary: 'List leads: searched, filtered, sorted and paged', querystring: deskQuery, response: { 200: deskPage } },
    async handler({ query, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return findDeskPage(query, id)
    },
  })

  app.get('/api/leads/counts', {
    schema: { summary: 'Count the matching leads by stage', querystring: deskFilter, response: { 200: deskCounts } },
    async handler({ query, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return countDesk(query, id)
    },
  })

  app.get('/api/leads/board', {
    schema: { summary: 'List the first leads of each stage', querystring: deskFilter, response: { 200: deskBoard } },
    async handler({ query, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return readBoard(query, id)
    },
  })

  app.get('/api/leads.csv', {
    schema: {
      summary: 'Export the matching leads as CSV',
      querystring: deskExportQuery,
      response: { 200: exportAnswer },
    },
    config: { audit: 'leads_exported' },
    exposeHeadRoute: false,
    async handler({ query, requestContext }, reply) {
      const { id } = await allow(requestContext, 'leads.read')
      const { format, ...wanted } = query
      return sendExport(reply, { name: 'leads', list: await exportLeads(wanted, id), format })
    },
  })

  app.get(
    '/api/leads/pipeline',
    { schema: { summary: 'Read the stages and the possible owners of leads', response: { 200: leadPipeline } } },
    async () => readPipeline(),
  )

  app.get('/api/lead-views', {
    schema: { summary: 'List saved views: your own and shared ones', response: { 200: z.array(leadView) } },
    async handler({ requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return listLeadViews(id)
    },
  })

  app.post('/api/lead-views', {
    schema: { summary: 'Save a view', body: leadViewBody, response: { 201: leadView } },
    async handler({ body, requestContext }, reply) {
      const { id } = await allow(requestContext, 'leads.read')
      return reply.status(201).send(await addLeadView(id, body))
    },
  })

  app.put('/api/lead-views/:id', {
    schema: { summary: 'Change one of your views', params, body: leadViewBody, response: { 200: leadView } },
    async handler({ params, body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return (await changeLeadView(params.id, id, body)) ?? unknown()
    },
  })

  app.delete('/api/lead-views/:id', {
    schema: { summary: 'Delete one of your views', params, response: { 200: leadView } },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return (await removeLeadView(params.id, id)) ?? unknown()
    },
  })

  app.get('/api/leads/columns', {
    schema: { summary: 'Read the columns of your table', response: { 200: leadColumns } },
    async handler({ requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return { columns: await readLeadColumns(id) }
    },
  })

  app.put('/api/leads/columns', {
    schema: { summary: 'Choose and order the columns of your table', body: leadColumns, response: { 200: leadColumns } },
    async handler({ body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.read')
      return { columns: await saveLeadColumns(id, body.columns) }
    },
  })
}

/** Changes of many leads at once, and of the pipeline. */
export const deskChangeApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.write')
  })

  app.post('/api/leads/bulk', {
    schema: { summary: 'Change the stage, owner or tags of many leads, or delete them', body: bulkBody, response: { 200: bulkResult } },
    async handler({ body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return changeLeads(body.choice, body.change, { id, address: requestContext.address })
    },
  })

  app.post('/api/leads/bulk/:id/undo', {
    schema: {
      summary: 'Undo a change of many leads',
      params: z.object({ id: z.uuid('There is no such change.') }),
      response: { 200: undoneBatch },
    },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return undoBatch(params.id, { id, address: requestContext.address })
    },
  })

  app.put(LOST_REASONS, {
    schema: { summary: 'Change the reasons for lost leads', body: lostReasonsBody, response: { 200: z.array(z.string()) } },
    async handler({ body, requestContext }) {
      const { id } = await allow(requestContext, 'settings.write')
      return saveLostReasons(body, { id, address: requestContext.address })
    },
  })

  app.put('/api/leads/stages', {
    schema: { summary: 'Rename, order, add and remove stages', body: stagesBody, response: { 200: z.array(leadStage) } },
    async handler({ body, requestContext }) {
      const { id } = await allow(requestContext, 'settings.write')
      return saveStages(body, { id, address: requestContext.address })
    },
  })
}
